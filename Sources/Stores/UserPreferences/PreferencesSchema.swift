// SPDX-License-Identifier: Apache-2.0

import DataProtection
import SealedDatabases

/// The databases of preferences (Documentation/Formats/Preferences.md).
enum PreferencesSchema {
    static let formatVersion: UInt8 = 1
    /// The number of changes kept for watchers.
    static let changeLimit: Int64 = 4_096
    static let nameLimit = 4_096
    /// The largest file that is imported, in bytes.
    static let importLimit = 64 << 20
    /// Setting a value writes two pages: that of its row and one of the change log. A page of this size holds about ten
    /// rows. SQLite then checks, writes and moves a quarter of the bytes of its default 4,096-byte pages (measured).
    static let pageSize = 1_024

    fileprivate static let firstSchema = [
        "CREATE TABLE store (id INTEGER PRIMARY KEY CHECK (id = 0), class_key INTEGER NOT NULL, wrapped BLOB NOT NULL) STRICT",
        """
        CREATE TABLE preference (
            tag BLOB PRIMARY KEY, sequence INTEGER NOT NULL, removed INTEGER NOT NULL, sealed BLOB NOT NULL
        ) STRICT, WITHOUT ROWID
        """,
        "CREATE TABLE change (sequence INTEGER PRIMARY KEY, tag BLOB NOT NULL, origin BLOB NOT NULL) STRICT",
    ]
}

extension Preferences.Domain {
    /// "Zmpr" and "Zmpd". The ID is part of what is authenticated, so no row of one store opens in the other.
    var applicationID: UInt32 {
        switch self {
        case .user: 0x5A6D_7072
        case .device: 0x5A6D_7064
        }
    }

    var keyClass: KeyClass {
        switch self {
        case .user: KeyClass(.completeUntilFirstUserAuthentication)
        case .device: KeyClass(.none)
        }
    }

    var counter: ChangeCounter {
        switch self {
        case .user: .preferences
        case .device: .device
        }
    }

    var fileName: String {
        switch self {
        case .user: "preferences.db"
        case .device: "device.db"
        }
    }

    var database: DatabaseKind {
        DatabaseKind(
            fileName: fileName, applicationID: applicationID, changes: counter, steps: [PreferencesSchema.firstSchema],
            rows: "SELECT 0, tag, 0, sequence FROM preference", pageSize: PreferencesSchema.pageSize)
    }
}
