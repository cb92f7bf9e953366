// SPDX-License-Identifier: Apache-2.0

import AuditModel

/// SQLite.swift, GRDB, FMDB and SQLite's own functions. Fine if the project gives the database a key (SQLCipher).
struct SQLStores: Store {
    private static let modules: [String: String] = [
        "SQLite": "SQLite", "GRDB": "GRDB", "FMDB": "FMDB", "SQLite3": "SQLite", "Blackbird": "SQLite",
    ]

    func writes(in project: ProjectModel, flows: Flows) -> [Write] {
        let store = project.swift.lazy.flatMap(\.imports).compactMap { Self.modules[$0] }.first
        guard let store else { return [] }
        let keys = Self.keys(project)
        var result: [Write] = []
        for name in [
            "executeUpdate", "execute", "run", "insert", "update", "save", "upsert", "executeStatements", "bind",
            "sqlite3_bind_text",
        ] {
            for call in project.calls(to: name) {
                let isBind = name == "sqlite3_bind_text"
                let named =
                    call.receiver(
                        flows,
                        isOneOf: [
                            "Connection", "Database", "FMDatabase", "FMDatabaseQueue", "DatabaseQueue", "DatabasePool",
                        ],
                        orNamed: ["database", "sqlite", "connection"])
                    || call.receiver?.lastName.map { SecretWords.words(of: $0).contains("db") } == true
                let takesDatabase = call.plainArguments.contains {
                    $0.value.lastName == "db" || $0.value.lastName == "database"
                }
                guard isBind || named || takesDatabase, !keys.protects(call.caller.file) else { continue }
                var values = call.plainArguments.map(\.value)
                if takesDatabase, let receiver = call.receiver { values.append(receiver) }
                result.append(Write(store, call, values: values, key: nil))
            }
        }
        return result
    }

    private static func keys(_ project: ProjectModel) -> Keys {
        let opening = [
            "Connection", "FMDatabase", "FMDatabaseQueue", "DatabaseQueue", "DatabasePool", "sqlite3_open",
            "sqlite3_open_v2",
        ]
        let named = (project.calls(to: "key") + project.calls(to: "setKey")).filter {
            $0.receiver?.lastName?.lowercased().contains("db") == true
        }
        return Keys(
            opened: opening.flatMap { project.calls(to: $0).map(\.caller.file) },
            keyed: named.map(\.caller.file)
                + project.files(
                    naming: ["SQLCipher", "sqlite3_key", "sqlite3_key_v2", "usePassphrase", "GRDBCipher"]))
    }
}
