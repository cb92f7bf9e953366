// SPDX-License-Identifier: Apache-2.0

import AuditModel
import Findings

/// Rows of form libraries that ask for a secret and show what is typed: a row has a type for passwords, and this isn't
/// it.
struct FormRows {
    private let project: ProjectModel

    init(_ project: ProjectModel) { self.project = project }

    func findings() -> [Finding] { descriptors() + rows() }

    private static let shownTypes: Set<String> = [
        "XLFormRowDescriptorTypeText", "XLFormRowDescriptorTypeURL", "XLFormRowDescriptorTypeName",
        "XLFormRowDescriptorTypeAccount", "XLFormRowDescriptorTypeEmail", "XLFormRowDescriptorTypeTwitter",
        "XLFormRowDescriptorTypeZipCode",
    ]

    /// XLForm: `[XLFormRowDescriptor formRowDescriptorWithTag:@"secretKey" rowType:XLFormRowDescriptorTypeText]`
    private func descriptors() -> [Finding] {
        (project.calls(to: "formRowDescriptorWithTag") + project.calls(to: "XLFormRowDescriptor")).compactMap { call in
            guard let type = call.argument("rowType")?.lastName, Self.shownTypes.contains(type) else { return nil }
            let tag = call.arguments.first?.value.literal
            let title = call.argument("title").flatMap { Texts.shown($0, in: call.caller, project) }
            return finding(call, tag: tag, texts: [title].compactMap { $0 })
        }
    }

    /// Eureka: `TextRow("password") { $0.title = "Password" }`
    private func rows() -> [Finding] {
        ["TextRow", "AccountRow", "NameRow", "URLRow", "TextFloatLabelRow", "AccountFloatLabelRow"].flatMap {
            project.declared($0) == nil ? project.calls(to: $0) : []
        }.compactMap { call in
            guard case .name = call.callee.kind, !call.caller.body.setsSecure else { return nil }
            var texts: [String] = []
            for argument in call.arguments {
                argument.value.closure?.body.visit { part in
                    guard case .binary("=", let target, let value) = part.kind,
                        ["title", "placeholder"].contains(target.lastName ?? ""),
                        let text = Texts.shown(value, in: call.caller, project)
                    else { return }
                    texts.append(text)
                }
            }
            return finding(call, tag: call.argument(nil)?.literal, texts: texts)
        }
    }

    private func finding(_ call: CallSite, tag: String?, texts: [String]) -> Finding? {
        guard let meaning = FieldMeaning(binding: tag, texts: texts, contentType: nil), meaning.isMasked else {
            return nil
        }
        return Finding(
            SecureEntry.description.id, at: call.place,
            "The row \(meaning.witness) asks for \(meaning.kind.article) and shows it while it is typed.",
            certainty: .likely)
    }
}
