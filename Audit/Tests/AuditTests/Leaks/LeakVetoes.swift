// SPDX-License-Identifier: Apache-2.0

/// Stores and calls that something could protect: beside something of the same words that protects another value, type
/// or configuration, and beside what protects this one.
enum LeakVetoes {
    private struct Case {
        var name: String
        var rule: String
        var imports = ""
        /// `$P` is where a protection of this very store is.
        var body: String
        /// What makes it fine.
        var protection: String
        var file = ""
        var member = ""
        var plain = ""
    }

    private static let cases: [Case] = [
        Case(
            name: "Core Data", rule: "secret-in-store", imports: "import CoreData",
            body: "let row = Row(context: context)\n        row.password = $P", protection: "seal(password)",
            file: "final class Row: NSManagedObject { @NSManaged var password: String? }", plain: "password"),
        Case(
            name: "Realm", rule: "secret-in-store", imports: "import RealmSwift",
            body:
                "let row = Record()\n        row.password = password\n        let realm = try! Realm(configuration: Realm.Configuration($P))\n        try? realm.write { realm.add(row) }",
            protection: "encryptionKey: key", file: "final class Record: Object { @Persisted var password: String }",
            plain: "schemaVersion: 2"),
        Case(
            name: "GRDB", rule: "secret-in-store", imports: "import GRDB",
            body:
                "var configuration = Configuration()\n        $P\n        let queue = try! DatabaseQueue(path: \"/v\", configuration: configuration)\n        try? queue.write { db in try db.execute(sql: \"INSERT INTO t VALUES (?)\", arguments: [password]) }",
            protection: "configuration.prepareDatabase { db in try db.usePassphrase(\"k\") }",
            plain: "configuration.label = \"a\""),
        Case(
            name: "SQLite", rule: "secret-in-store", imports: "import SQLite3",
            body:
                "var base: OpaquePointer?\n        sqlite3_open(\"/v\", &base)\n        $P\n        var statement: OpaquePointer?\n        sqlite3_bind_text(statement, 1, password, -1, nil)",
            protection: "sqlite3_key(base, \"k\", 1)", plain: "sqlite3_busy_timeout(base, 9)"),
        Case(
            name: "preferences", rule: "secret-in-store", body: "UserDefaults.standard.set($P, forKey: \"v\")",
            protection: "seal(password)",
            plain: "password"),
        Case(
            name: "values of preferences", rule: "secret-in-store",
            body: "UserDefaults.standard.set([\"hash\": Vault.hash(), \"v\": $P], forKey: \"v\")",
            protection: "encrypted(password)",
            plain: "password"),
        Case(
            name: "a file", rule: "secret-in-store",
            body: "try? $P.write(toFile: \"/v\", atomically: true, encoding: .utf8)",
            protection: "seal(password)", plain: "password"),
        Case(
            name: "a file's class", rule: "file-protection",
            body:
                "try? Data().write(to: other, options: .completeFileProtection)\n        try? Data(password.utf8).write(to: other$P)",
            protection: ", options: .completeFileProtection", plain: ""),
        Case(
            name: "a keychain wrapper", rule: "keychain-use", imports: "import SwiftKeychainWrapper",
            body: "$PKeychainWrapper.standard.set(password, forKey: \"v\")", protection: "guard ", plain: ""),
        Case(
            name: "a log", rule: "secret-in-log", body: "print(\"masked:\", $P)", protection: "masked(password)",
            plain: "password"),
        Case(
            name: "the pasteboard", rule: "secret-on-pasteboard",
            body: "UIPasteboard.general.setItems([[\"public.text\": password]]$P)",
            protection: ", options: [.localOnly: true, .expirationDate: Date()]",
            plain: ""),
    ]

    /// What has the words of a protection and protects something else.
    private static let noises: [(name: String, file: String, text: String)] = [
        ("nothing", "", ""),
        (
            "an encryption elsewhere", "App/Backup.swift",
            "enum Backup { static func encryptBackup(_ data: Data) -> Data { encrypt(data) } }\nfunc encrypt(_ data: Data) -> Data { try! AES.GCM.seal(data, using: key).combined! }"
        ),
        (
            "a property called encryptionKey", "App/Chat.swift",
            "struct Chat { var encryptionKey: Data? }\nfunc start(_ chat: inout Chat) { chat.encryptionKey = Data() }\nfunc other() -> Other { Other.Configuration(encryptionKey: Data()) }"
        ),
        (
            "an extension of a wrapper", "App/Keychain+App.swift",
            "import SwiftKeychainWrapper\nextension KeychainWrapper { static let app = KeychainWrapper(serviceName: \"a\") }\nextension KeychainSwift {}\nextension UserDefaults { static let group = UserDefaults(suiteName: \"g\")! }"
        ),
        (
            "another store with a key", "App/Safe.swift",
            "import SQLCipher\nfunc openSafe() {\n    var safe: OpaquePointer?\n    sqlite3_key(safe, \"k\", 1)\n    var settings = Configuration()\n    settings.prepareDatabase { db in try db.usePassphrase(\"k\") }\n    _ = try! DatabaseQueue(path: \"/safe\", configuration: settings)\n    _ = try! Realm(configuration: Realm.Configuration(encryptionKey: Data()))\n    try? Data().write(to: URL(fileURLWithPath: \"/a\"), options: .completeFileProtection)\n}"
        ),
    ]

    static func apps(leaks: Bool) -> [GeneratedApp] {
        cases.flatMap { item in
            noises.map { noise in
                let text = """
                    import UIKit
                    \(item.imports)

                    \(item.file)

                    final class Screen: UIViewController {
                        \(item.member)
                        var context: NSManagedObjectContext!
                        func seal(_ text: String) -> String { Sealer.shared.seal(text) }
                        func encrypted(_ text: String) -> String { Sealer.shared.seal(text) }
                        func masked(_ text: String) -> String { "***" }
                        func act(password: String, other: URL, key: Data) {
                            \(item.body.replacing("$P", with: leaks ? item.plain : item.protection))\(guarded(item, leaks))
                        }
                    }
                    """
                return GeneratedApp(
                    name: "\(item.name) beside \(noise.name)", rule: item.rule,
                    files: [("App/Screen.swift", text)] + (noise.text.isEmpty ? [] : [(noise.file, noise.text)]))
            }
        }
    }

    private static func guarded(_ item: Case, _ leaks: Bool) -> String {
        item.protection == "guard " && !leaks ? " else { return }" : ""
    }
}
