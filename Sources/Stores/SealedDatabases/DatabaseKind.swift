// SPDX-License-Identifier: Apache-2.0

package import DataProtection

/// What makes one sealed database another than the next: file, SQLite's application id, schema, change counter.
package struct DatabaseKind: Sendable {
    /// In the home's folder.
    package let fileName: String
    /// In SQLite's header, and in every context and associated data, so that nothing fits another kind of database.
    package let applicationID: UInt32
    /// Counts committed writes for other processes.
    package let changes: ChangeCounter
    /// Step n holds the statements that lead from format version n to n + 1; step 0 is the first schema.
    package let steps: [[String]]

    /// Number, UUID, kind and revision of all rows that are counted; nil: none are.
    let rows: String?

    /// Whose keys this database seals under, and remembers.
    let roles: [KeyMark.Role]

    /// What the steps and SQLite itself make, all of it (Keychain.md, "File").
    let expectedSchema: [SchemaObject]

    /// Of a new file, in bytes; nil: what SQLite takes by itself. A write puts whole pages into the log.
    package let pageSize: Int?

    /// The format version that this program writes; a higher one is refused.
    package var version: Int { steps.count }

    /// `uniques`: how many UNIQUE a table has, each of which is an index of SQLite's own.
    package init(
        fileName: String, applicationID: UInt32, changes: ChangeCounter, steps: [[String]],
        uniques: [String: Int] = [:], rows: String? = nil, roles: [KeyMark.Role] = [], pageSize: Int? = nil
    ) {
        self.rows = rows
        self.roles = roles
        self.fileName = fileName
        self.applicationID = applicationID
        self.changes = changes
        self.steps = steps
        self.pageSize = pageSize
        let made = (SealedDatabase.ownSchema + steps.joined()).map { SchemaObject($0) }
        let implied = uniques.flatMap { table, count in (1...count).map { SchemaObject(uniqueOf: table, $0) } }
        expectedSchema = made + implied
    }
}
