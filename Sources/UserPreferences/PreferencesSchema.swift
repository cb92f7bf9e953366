// SPDX-License-Identifier: Apache-2.0

import DataProtection
import SealedDatabase

/// The database of preferences (Documentation/Formats/Preferences.md).
enum PreferencesSchema {
    static let applicationID: UInt32 = 0x5A6D_7072
    static let formatVersion: UInt8 = 1
    static let keyClass = KeyClass(.completeUntilFirstUserAuthentication)
    /// Changes that are kept for watchers.
    static let changeLimit: Int64 = 4_096
    static let nameLimit = 4_096

    static let database = DatabaseKind(
        fileName: "preferences.db", applicationID: applicationID, changes: .preferences, steps: [firstSchema]
    )

    private static let firstSchema = [
        "CREATE TABLE store (id INTEGER PRIMARY KEY CHECK (id = 0), class_key INTEGER NOT NULL, wrapped BLOB NOT NULL) STRICT",
        """
        CREATE TABLE preference (
            tag BLOB PRIMARY KEY, sequence INTEGER NOT NULL, removed INTEGER NOT NULL, sealed BLOB NOT NULL
        ) STRICT, WITHOUT ROWID
        """,
        "CREATE TABLE change (sequence INTEGER PRIMARY KEY, tag BLOB NOT NULL, origin BLOB NOT NULL) STRICT",
    ]
}
