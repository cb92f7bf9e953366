// SPDX-License-Identifier: Apache-2.0

import ArgumentParser

/// `zamok keychain`
struct KeychainCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "keychain",
        abstract: "Add, find, list, update, delete, export and import items.",
        discussion: """
            An item has a class, fields and a secret. Service, account, access group and the synchronizable flag are the identity of a \
            generic password: no two items share all of them. For an internet password it is server, account, port, protocol, \
            path, security domain and authentication type in place of the service.
            """,
        subcommands: [
            KeychainAdd.self, KeychainFind.self, KeychainList.self, KeychainUpdate.self, KeychainDelete.self,
            KeychainExportCommand.self, KeychainImport.self,
        ]
    )
}
