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
            "sqlite3_bind_text", "sqlite3_exec", "sqlite3_prepare_v2", "sqlite3_prepare",
        ] {
            for call in project.calls(to: name) {
                let isBind =
                    name.hasPrefix("sqlite3_") || store == "GRDB" && name == "execute" && call.argument("sql") != nil
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
                // A record with a function of this name says there what it binds.
                if takesDatabase, !named, !project.targets(of: call).isEmpty { continue }
                guard isBind || named || takesDatabase,
                    !keys.protects(call.caller.file) || Self.isBesideKeyed(call, project)
                else { continue }
                var values = call.plainArguments.map(\.value)
                // `run(users.insert(password <- text))`
                for value in values {
                    if case .call(let callee, let given) = value.kind,
                        ["insert", "update", "upsert"].contains(callee.lastName)
                    {
                        values += given.map(\.value)
                    }
                }
                if takesDatabase, let receiver = call.receiver { values.append(receiver) }
                result.append(Write(store, call, values: values, key: nil))
                result += Self.columns(call, store, flows)
            }
        }
        return result
    }

    /// The values of a statement that go into columns with a secret's name: `INSERT INTO t (a, token) VALUES (?, ?)`.
    private static func columns(_ call: CallSite, _ store: String, _ flows: Flows) -> [Write] {
        let scope = flows.project.scope(of: call.caller)
        let arguments = call.plainArguments
        guard let place = arguments.firstIndex(where: { scope.literal($0.value)?.contains("?") == true }),
            let statement = scope.literal(arguments[place].value)
        else { return [] }
        var given = arguments[(place + 1)...].map(\.value)
        if given.count == 1, case .array(let values) = scope.resolved(given[0]).kind { given = values }
        return zip(names(of: statement), given).compactMap { name, value in
            guard let words = SecretWords(name: name), !words.isWeak || words.kind == .token else { return nil }
            return Write(store, call, values: [value], key: name)
        }
    }

    /// The column of each `?`, as far as the statement tells.
    private static func names(of statement: String) -> [String] {
        let upper = statement.uppercased()
        let clean = statement.filter { !"`\"[]".contains($0) }
        if upper.contains("VALUES"), let open = clean.firstIndex(of: "("), let close = clean.firstIndex(of: ")"),
            open < close
        {
            return clean[clean.index(after: open)..<close].split(separator: ",").map { word in
                String(word.filter { !$0.isWhitespace })
            }
        }
        guard upper.hasPrefix("UPDATE") else { return [] }
        return clean.split(separator: "?").dropLast(clean.hasSuffix("?") ? 0 : 1).map { part in
            String(
                part.reversed().drop { " =".contains($0) }.prefix { $0.isLetter || $0.isNumber || $0 == "_" }.reversed()
            )
        }
    }

    /// Whether the file gives keys to databases by name, and the call's is another one of them.
    private static func isBesideKeyed(_ call: CallSite, _ project: ProjectModel) -> Bool {
        guard call.name == "sqlite3_exec", case .name(let name)? = call.arguments.first?.value.kind else {
            return false
        }
        let keyed = ["sqlite3_key", "sqlite3_key_v2"].flatMap { project.calls(to: $0) }.filter {
            $0.caller.file == call.caller.file
        }
        return !keyed.isEmpty
            && keyed.allSatisfy {
                if case .name(let other)? = $0.arguments.first?.value.kind { other != name } else { false }
            }
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
