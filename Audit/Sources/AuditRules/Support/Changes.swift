// SPDX-License-Identifier: Apache-2.0

import AuditModel
import Findings

/// Changes that remove a finding and do nothing else. Where one could do more, there is none.
enum Changes {
    private static let hidden = "<private>"

    // MARK: Logs

    /// The secrets of a call that logs hidden: `\(token)` becomes `<private>` in the text, `privacy: .public` becomes `.private`, and an argument of its own
    /// that is printed becomes the text `"<private>"`.
    static func hidingSecrets(_ call: CallSite, isSecret: (Expression) -> Bool) -> [Edit] {
        guard call.caller.file.hasSuffix(".swift") else { return [] }
        let isPrinted = call.receiver == nil && ["print", "debugPrint", "dump"].contains(call.name)
        var edits: [Edit] = []
        func hide(_ value: Expression) {
            switch value.kind {
            case .text(let parts):
                for case .interpolation(let arguments) in parts {
                    if let edit = interpolation(arguments, call.caller.file, isSecret) { edits.append(edit) }
                }
            case .binary("+", let left, let right):
                hide(left)
                hide(right)
            default:
                guard isPrinted, isSecret(value) else { return }
                edits.append(Edit(file: call.caller.file, value.span, "\"\(hidden)\"", reach: .operand))
            }
        }
        for argument in call.plainArguments where argument.label == nil { hide(argument.value) }
        return edits
    }

    private static func interpolation(
        _ arguments: [Argument], _ file: String, _ isSecret: (Expression) -> Bool
    ) -> Edit? {
        guard let value = arguments.first?.value, isSecret(value) else { return nil }
        if arguments.count == 1 { return Edit(file: file, value.span, hidden, reach: .interpolation) }
        guard let privacy = arguments.first(where: { $0.label == "privacy" })?.value,
            case .member(nil, "public") = privacy.kind
        else { return nil }
        return Edit(file: file, privacy.span, ".private")
    }

    // MARK: Fields

    /// `textField.isSecureTextEntry = true` behind the line that sets the placeholder.
    static func secureEntry(besidePlaceholder assignment: Expression, _ file: String) -> [Edit] {
        guard file.hasSuffix(".swift"), case .binary("=", let target, _) = assignment.kind,
            case .member(let base?, "placeholder") = target.kind, case .name(let name) = base.kind
        else { return [] }
        let end = Int(assignment.span.end)
        let indentation = String(repeating: " ", count: max(0, Int(assignment.span.column) - 1))
        return [Edit(file: file, range: end..<end, text: "\n\(indentation)\(name).isSecureTextEntry = true")]
    }

    /// `TextField("PIN", text: $pin)` as a SecureField, which takes the same arguments.
    static func secureField(_ call: CallSite, _ project: ProjectModel) -> [Edit] {
        let labels = call.arguments.map(\.label)
        guard call.arguments.allSatisfy({ !$0.isTrailing }),
            labels == [nil, "text"] || labels == [nil, "text", "prompt"], !isTyped(call, project)
        else { return [] }
        return [Edit(file: call.caller.file, call.callee.span, "SecureField")]
    }

    /// Whether something says that what the call makes is a TextField: a written type, or another value that has to be of the same type.
    private static func isTyped(_ call: CallSite, _ project: ProjectModel) -> Bool {
        if call.caller.returns?.contains("TextField") == true || call.caller.kind == .initialValue { return true }
        return project.surroundings(of: call.caller).isBound(call.expression)
            || project.surroundings(of: call.caller).returns > 1
    }

    static func withoutAutocorrection(_ call: CallSite) -> [Edit] {
        let end = Int(call.expression.span.end)
        return [Edit(file: call.caller.file, range: end..<end, text: ".autocorrectionDisabled()")]
    }

    // MARK: Files

    /// `text.write(to: url, atomically: true, encoding: .utf8)` has no place for a class; the same bytes written as Data have.
    static func protectedText(_ call: CallSite) -> [Edit] {
        guard let receiver = call.receiver, case .name(let name) = receiver.kind,
            call.plainArguments.map(\.label) == ["to", "atomically", "encoding"], call.arguments.count == 3,
            let encoding = call.argument("encoding"), case .member(nil, "utf8") = encoding.kind,
            let whole = call.argument("atomically"), case .boolean(let isAtomic) = whole.kind,
            let target = call.argument("to"),
            // Nothing but a dot between the name and `write`.
            call.callee.span.end == receiver.span.end + UInt32(".write".utf8.count)
        else { return [] }
        let file = call.caller.file
        let options = isAtomic ? "[.atomic, .completeFileProtection]" : ".completeFileProtection"
        return [
            Edit(file: file, receiver.span, "Data(\(name).utf8)"),
            Edit(
                file: file, range: Int(target.span.end)..<Int(encoding.span.end), text: ", options: \(options)"),
        ]
    }

    /// `createFile(atPath:contents:)` without attributes.
    static func protectedFile(_ call: CallSite) -> [Edit] {
        guard call.arguments.map(\.label) == ["atPath", "contents"], let contents = call.argument("contents") else {
            return []
        }
        return [
            Edit(
                file: call.caller.file, contents.span, ", attributes: [.protectionKey: FileProtectionType.complete]",
                reach: .behind)
        ]
    }
}

extension Edit {
    fileprivate init(file: String, _ span: SourceSpan, _ text: String, reach: Reach = .exact) {
        self.init(file: file, range: Int(span.start)..<Int(span.end), text: text, reach: reach)
    }
}
