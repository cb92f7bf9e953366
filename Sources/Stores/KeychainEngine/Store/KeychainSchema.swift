// SPDX-License-Identifier: Apache-2.0

import DataProtection
import SealedDatabases

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The database of the keychain (Documentation/Formats/Keychain.md, part 2).
enum KeychainSchema {
    static let database = DatabaseKind(
        fileName: "keychain.db", applicationID: 0x5A6D_6B63, changes: .keychain, steps: [firstSchema],
        uniques: ["item": 2], rows: "SELECT id, uuid, kind, revision FROM item",
        roles: [.complete, .firstUnlock]
    )

    static let rowVersion: UInt8 = 1

    private static let firstSchema = [
        """
        CREATE TABLE item (
            id INTEGER PRIMARY KEY,
            uuid BLOB NOT NULL UNIQUE,
            version INTEGER NOT NULL,
            revision INTEGER NOT NULL,
            kind INTEGER NOT NULL,
            class INTEGER NOT NULL,
            identity BLOB NOT NULL UNIQUE,
            pair BLOB, first BLOB, second BLOB, label BLOB,
            attributes BLOB NOT NULL,
            class_key INTEGER, wrapped BLOB, layers INTEGER NOT NULL,
            access_key INTEGER, password_salt BLOB, password_cost BLOB,
            secret BLOB, past BLOB
        ) STRICT
        """,
        "CREATE INDEX item_pair ON item (pair) WHERE pair IS NOT NULL",
        "CREATE INDEX item_first ON item (first) WHERE first IS NOT NULL",
        "CREATE INDEX item_second ON item (second) WHERE second IS NOT NULL",
        "CREATE INDEX item_label ON item (label) WHERE label IS NOT NULL",
    ]
}

/// One index of the table `item`: its column and the attributes of its tags.
struct ItemIndex: Sendable {
    enum Column: String, Sendable, CaseIterable {
        case pair, first, second, label

        var number: UInt8 {
            switch self {
            case .pair: 1
            case .first: 2
            case .second: 3
            case .label: 4
            }
        }
    }

    let column: Column
    let attributes: [AttributeName]

    /// The indexes of a class, the most selective one first.
    static func of(_ itemClass: ItemClass) -> [ItemIndex] {
        switch itemClass {
        case .genericPassword: genericPassword
        case .internetPassword: internetPassword
        case .certificate: certificate
        case .key: key
        case .identity, .syncRecord: []
        }
    }

    private static let genericPassword = indexes(.service, .account)
    private static let internetPassword = indexes(.server, .account)
    /// `pkhh` finds the certificates of a private key.
    private static let certificate = indexes(.issuer, .serialNumber, second: .publicKeyHash)
    private static let key = indexes(.applicationLabel, .applicationTag)

    private static func indexes(
        _ first: AttributeName, _ last: AttributeName, second: AttributeName? = nil
    ) -> [ItemIndex] {
        [
            ItemIndex(column: .pair, attributes: [first, last]),
            ItemIndex(column: .second, attributes: [second ?? last]),
            ItemIndex(column: .label, attributes: [.label]),
            ItemIndex(column: .first, attributes: [first]),
        ]
    }
}

package enum WallClock {
    /// Seconds since 2001-01-01 00:00 UTC.
    package static let now: @Sendable () -> Double = { Date.now.timeIntervalSinceReferenceDate }
}
