// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Keychains
import SecretMemory

/// What an update sets.
struct ChangeOptions: ParsableArguments {
    @Option(help: "The service from now on.")
    var newService: String?

    @Option(help: "The account from now on.")
    var newAccount: String?

    @Option(help: "The server from now on.")
    var newServer: String?

    @Option(help: "The port from now on.")
    var newPort: String?

    @Option(help: "The path from now on.")
    var newPath: String?

    @Option(help: "The label from now on.")
    var newLabel: String?

    @Option(help: "The description from now on.")
    var newDescription: String?

    @Option(help: "The comment from now on.")
    var newComment: String?

    @Option(help: "The access group from now on.")
    var newGroup: String?

    @Option(help: "When the secret is readable from now on.")
    var newAccessible: AccessibilityWord?

    private var given: [(ItemField, String?)] {
        [
            (.service, newService), (.account, newAccount), (.server, newServer), (.port, newPort), (.path, newPath),
            (.label, newLabel), (.description, newDescription), (.comment, newComment), (.group, newGroup),
            (.accessible, newAccessible?.accessibility.name),
        ]
    }

    /// Whether no field is to be changed.
    var isEmpty: Bool { given.allSatisfy { $0.1 == nil } }

    /// The changes for an item of a class.
    func record(_ itemClass: ItemClass, _ secret: Secret?) throws -> ItemRecord {
        var record = ItemRecord(itemClass)
        record.secret = secret
        do {
            for (field, value) in given {
                guard let value else { continue }
                try record.set(field, value)
            }
        } catch {
            throw CommandFailure.usage(error.message)
        }
        return record
    }
}
