// SPDX-License-Identifier: Apache-2.0

package import KeychainEngine

/// How an import treats items whose identity is already stored.
package struct ImportManner: Sendable {
    let twins: TwinRule
    let isTrial: Bool
    let isComparison: Bool

    private init(_ twins: TwinRule, isTrial: Bool, isComparison: Bool = false) {
        (self.twins, self.isTrial, self.isComparison) = (twins, isTrial, isComparison)
    }

    /// Keeps the stored item.
    package static let adding = Self(.keep, isTrial: false)

    /// Adds by a rule. With `isTrial` nothing is added, and the result is the one of a real import.
    package static func adding(_ twins: TwinRule, isTrial: Bool) -> Self { Self(twins, isTrial: isTrial) }

    /// Adds nothing. Reports items that are missing, or stored with other contents.
    /// An item that was kept beside another one counts as stored.
    package static let comparing = Self(.keepBoth, isTrial: true, isComparison: true)
}

/// The notes of an import about single items. Each is about an item that the keychain doesn't contain afterwards as the
/// source has it, or not under its name.
package final class ImportNotes {
    /// One of them.
    package struct Note: Sendable, Equatable {
        /// The line in a text at which the item begins, counted from 1.
        package let line: Int?
        /// The item's name.
        package let name: String
        /// The outcome; contains no secret.
        package let what: String
    }

    /// The notes in the order of the source.
    package private(set) var all: [Note] = []
    private let manner: ImportManner

    package init(_ manner: ImportManner = .adding) { self.manner = manner }

    func clear() { all = [] }

    func take(_ record: ItemRecord, _ outcome: AddedItem, line: Int?) {
        guard let what = words(for: outcome) else { return }
        let place = [ItemField.service, .server, .label].lazy.compactMap { record[$0] }.first { !$0.isEmpty } ?? ""
        let name = [place, record[.account] ?? ""].filter { !$0.isEmpty }.joined(separator: "/")
        all.append(Note(line: line, name: name.isEmpty ? record.itemClass.name : name, what: what))
    }

    /// Nil: there is nothing to report.
    private func words(for outcome: AddedItem) -> String? {
        switch outcome {
        case .isThere, .replaced: nil
        case .added: manner.isComparison ? "is not in the keychain" : nil
        case .keptBeside(let account, let names, let secretDiffers):
            manner.isComparison
                ? Self.words(names, secretDiffers)
                : "another is stored under this name; kept beside it as \(account)"
        case .different(let names, let secretDiffers): Self.words(names, secretDiffers)
        case .leftOut(_, let why): why
        }
    }

    private static func words(_ names: [AttributeName], _ secretDiffers: Bool) -> String {
        (secretDiffers ? "another secret is stored under this name" : "the stored one has other fields")
            + (names.isEmpty ? "" : " (\(words(for: names)))")
    }

    private static func words(for names: [AttributeName]) -> String {
        names.map { name in ItemField.allCases.first { $0.attribute == name }?.name ?? name.text }.sorted()
            .joined(separator: ", ")
    }
}
