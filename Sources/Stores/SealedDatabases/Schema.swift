// SPDX-License-Identifier: Apache-2.0

package import DataProtection
import SecretMemory

/// One row of `sqlite_schema`.
struct SchemaObject: Equatable, Sendable {
    let type: [UInt8]
    let name: [UInt8]
    let table: [UInt8]
    /// Nil for an index that SQLite makes by itself.
    let sql: [UInt8]?

    private init(_ type: String, name: String, table: String, sql: String?) {
        self.type = Array(type.utf8)
        self.name = Array(name.utf8)
        self.table = Array(table.utf8)
        self.sql = sql.map { Array($0.utf8) }
    }

    /// The row that `CREATE TABLE name ...` or `CREATE INDEX name ON table ...` leaves there, word for word.
    init(_ statement: String) {
        let words = statement.split(maxSplits: 5) { $0 == " " || $0 == "\n" }.map(String.init)
        let isIndex = words[1] == "INDEX"
        self.init(isIndex ? "index" : "table", name: words[2], table: isIndex ? words[4] : words[2], sql: statement)
    }

    /// The index that implements the `number`th UNIQUE of a table.
    init(uniqueOf table: String, _ number: Int) {
        self.init("index", name: "sqlite_autoindex_\(table)_\(number)", table: table, sql: nil)
    }

    init(_ row: SQLRow) throws {
        type = try row.bytes(0) ?? []
        name = try row.bytes(1) ?? []
        table = try row.bytes(2) ?? []
        sql = try row.bytes(4)
    }

    static let query = "SELECT type, name, tbl_name, rootpage, sql FROM sqlite_schema"
}

/// The schema state that each connection has seen. A connection uses the tables as it first read them.
/// They are compared with ours when the connection is opened, and again when the file was written to and its schema
/// version has changed.
final class KnownSchemas: Sendable {
    struct Seen: Sendable {
        var dataVersion: UInt32?
        var cookie: Int64
    }
    /// One entry for each of the few connections. A dictionary's first key would cost more than all lookups here.
    private let seen = Locked<[(connection: UInt, seen: Seen)]>([])

    subscript(_ connection: UInt) -> Seen? {
        get { seen.withLock { $0.first { $0.connection == connection }?.seen } }
        set {
            seen.withLock { seen in
                seen.removeAll { $0.connection == connection }
                if let newValue { seen.append((connection, newValue)) }
            }
        }
    }
}

extension DatabaseKind {
    /// Refuses foreign or changed tables, indexes, views and triggers, and two objects with the same root page.
    func checkSchema(_ connection: Connection) throws {
        var missing = expectedSchema
        var places: [Int64] = []
        try connection.rows(SchemaObject.query) { row in
            let (object, place) = (try SchemaObject(row), row.integer(3))
            guard let index = missing.firstIndex(of: object), place > 1, !places.contains(place) else {
                throw foreignSchema
            }
            missing.remove(at: index)
            places.append(place)
            return true
        }
        guard missing.isEmpty else { throw foreignSchema }
    }

    private var foreignSchema: DataProtectionError {
        DataProtectionError(
            .damaged,
            "\(shown) holds tables, views or triggers that Zamok did not make, or lacks some: it was tampered with; put it back from a backup"
        )
    }
}

extension SealedDatabase {
    /// Checks what was written since this connection last looked. Called inside a transaction or after the first step
    /// of a statement.
    func checkWhatChanged(_ connection: Connection, _ floor: Int64?) throws {
        let known = schemas[connection.identity]
        let version = connection.dataVersion
        if let known, version != nil, known.dataVersion == version { return }
        var cookie: Int64?
        try connection.statement("PRAGMA schema_version").rows([]) { row in
            cookie = row.optionalInteger(0)
            return false
        }
        if known == nil || known?.cookie != cookie {
            schemas[connection.identity] = nil
            try kind.checkSchema(connection)
        }
        if let floor {
            let state = try readState(ReadAccess(connection: connection) { _ in }, inside: true)
            guard state.revision >= floor else { throw lost(state.revision) }
            seen.raise(to: state.revision)
        }
        schemas[connection.identity] = KnownSchemas.Seen(dataVersion: version, cookie: cookie ?? 0)
    }
}

/// What distinguishes one kind of sealed database from another: file, SQLite's application id, schema, and
/// change counter.
package struct DatabaseKind: Sendable {
    /// The name of the file in the home's folder.
    package let fileName: String
    /// The folder of the home that contains the file.
    private var folder: String?
    /// The command that accepts that home's state as it is.
    package private(set) var acceptCommand = "zamok doctor --accept-restored"
    /// The name in messages: the file's path. Several homes have files of the same name, and a remedy must not point to
    /// another home's file.
    package var shown: String { folder.map { "\($0)/\(fileName)" } ?? fileName }

    /// The same kind, with the path in a home's folder.
    func located(in home: Home) -> Self {
        var kind = self
        kind.folder = home.folder
        kind.acceptCommand = home.keybag.acceptCommand
        return kind
    }

    /// The id in SQLite's header, and in every context and associated data, so that nothing fits another kind
    /// of database.
    package let applicationID: UInt32
    /// Counts committed writes for other processes.
    package let changes: ChangeCounter
    /// Step n holds the statements that lead from format version n to n + 1. Step 0 is the first schema.
    package let steps: [[String]]

    /// The query for number, UUID, kind and revision of all counted rows; nil if no rows are counted.
    let rows: String?

    /// The roles whose keys this database seals under, and remembers.
    let roles: [KeyMark.Role]

    /// Everything that the steps and SQLite itself make (Keychain.md, "File").
    let expectedSchema: [SchemaObject]

    /// The page size of a new file, in bytes; nil: SQLite's default. A write puts whole pages into the log.
    package let pageSize: Int?

    /// The format version that this program writes; a higher one is refused.
    package var version: Int { steps.count }

    /// `uniques`: how many UNIQUE a table has, each of which is an index of SQLite's own.
    package init(
        fileName: String, applicationID: UInt32, changes: ChangeCounter, steps: [[String]],
        uniques: KeyValuePairs<String, Int> = [:], rows: String? = nil, roles: [KeyMark.Role] = [], pageSize: Int? = nil
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
