// SPDX-License-Identifier: Apache-2.0

import AppUsers
import ArgumentParser
import Keychains

/// Values that a shell offers: asked of the home when somebody presses Tab. Nothing is made, unlocked or said for it.
enum Completions {
    static let users = CompletionKind.custom { (_: [String], _: Int, _: String) in (try? names()) ?? [] }
    static let services = CompletionKind.custom { (_: [String], _: Int, _: String) in (try? values(.service)) ?? [] }
    static let accounts = CompletionKind.custom { (_: [String], _: Int, _: String) in (try? values(.account)) ?? [] }
    static let servers = CompletionKind.custom { (_: [String], _: Int, _: String) in (try? values(.server)) ?? [] }
    static let groups = CompletionKind.custom { (_: [String], _: Int, _: String) in (try? values(.group)) ?? [] }

    private static func names() throws -> [String] {
        try UserDirectory(root: try Session.openRoot(.automatic, HomeChoice().reading)).users().map(\.name).filter(
            isPlain)
    }

    private static func values(_ field: ItemField) throws -> [String] {
        let keychain = Keychain(home: try Session.open(HomeChoice().reading))
        let records = try [ItemClass.genericPassword, .internetPassword].flatMap {
            try keychain.records(matching: ItemRecord($0))
        }
        return Set(records.compactMap { $0[field] }).filter(isPlain).sorted()
    }

    /// What a shell's line could not hold as it is stays out.
    private static func isPlain(_ text: String) -> Bool {
        !text.isEmpty
            && !text.unicodeScalars.contains {
                $0.isObeyed || $0.properties.isWhitespace || "'\"\\$`:".unicodeScalars.contains($0)
            }
    }
}
