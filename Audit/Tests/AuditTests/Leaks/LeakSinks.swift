// SPDX-License-Identifier: Apache-2.0

extension LeakWriter {
    /// Plain sinks without members, so that any class can have them.
    static let sinks: [LeakSink] = [
        LeakSink(name: "print", rule: "secret-in-log", body: "print(\"got\", $V)"),
        LeakSink(name: "UserDefaults", rule: "secret-in-store", body: "UserDefaults.standard.set($V, forKey: \"v\")"),
        LeakSink(name: "NSLog", rule: "secret-in-log", body: "NSLog(\"got %@\", $V)"),
        LeakSink(name: "the pasteboard", rule: "secret-on-pasteboard", body: "UIPasteboard.general.string = $V"),
        LeakSink(
            name: "a file", rule: "secret-in-store",
            body: "try? $V.write(toFile: NSHomeDirectory() + \"/v\", atomically: true, encoding: .utf8)"),
        LeakSink(
            name: "Logger", rule: "secret-in-log", imports: "import OSLog",
            body: "Logger(subsystem: \"a\", category: \"b\").info(\"got \\($V, privacy: .public)\")"),
    ]

    private static func preferences(
        _ name: String, file: String = "", other: String = "", members: String = "", _ body: String
    ) -> LeakSink {
        LeakSink(name: name, rule: "secret-in-store", file: file, other: other, members: members, body: body)
    }

    /// One store under many names.
    static let stores: [LeakSink] =
        [
            preferences("a local", "let u = UserDefaults.standard\n        u.set($V, forKey: \"v\")"),
            preferences(
                "a shared suite", "let u = UserDefaults(suiteName: \"group.a\")!\n        u.setValue($V, forKey: \"v\")"
            ),
            preferences("a suite in place", "UserDefaults(suiteName: \"group.a\")?.set($V, forKey: \"v\")"),
            preferences("a property", members: "let u = UserDefaults.standard", "u.set($V, forKey: \"v\")"),
            preferences(
                "a typed property", members: "var u: UserDefaults = .standard", "self.u.set($V, forKey: \"v\")"),
            preferences("a static", members: "static let x = UserDefaults.standard", "Self.x.set($V, forKey: \"v\")"),
            preferences(
                "a static by its type", members: "static let x = UserDefaults(suiteName: \"g\")!",
                "Screen.x.set($V, forKey: \"v\")"),
            preferences(
                "a static of another type", other: "enum Places {\n    static let x = UserDefaults.standard\n}",
                "Places.x.set($V, forKey: \"v\")"),
            preferences("a global", other: "let place = UserDefaults.standard", "place.set($V, forKey: \"v\")"),
            preferences(
                "a computed store", members: "var place: UserDefaults { .standard }", "place.set($V, forKey: \"v\")"),
            preferences(
                "a lazy store", members: "lazy var place = UserDefaults.standard", "place.set($V, forKey: \"v\")"),
            preferences(
                "a made store",
                members:
                    "let place: UserDefaults = {\n        let u = UserDefaults.standard\n        return u\n    }()",
                "place.set($V, forKey: \"v\")"),
            preferences(
                "an untyped made store",
                members: "lazy var place = {\n        let u = UserDefaults.standard\n        return u\n    }()",
                "place.set($V, forKey: \"v\")"),
            preferences(
                "a returned store", members: "func place() -> UserDefaults { .standard }",
                "place().set($V, forKey: \"v\")"),
            preferences(
                "a store of another file",
                other: "struct Env {\n    static let live = Env()\n    let box = UserDefaults.standard\n}",
                "Env.live.box.set($V, forKey: \"v\")"),
            preferences(
                "a given store",
                members: "func put(_ v: String, in place: UserDefaults) { place.set(v, forKey: \"v\") }",
                "put($V, in: .standard)"),
            preferences(
                "an extension's method",
                other: "extension UserDefaults {\n    func put(_ v: String) { set(v, forKey: \"v\") }\n}",
                "UserDefaults.standard.put($V)"),
            preferences(
                "an extension's property",
                other:
                    "extension UserDefaults {\n    var held: String? {\n        get { string(forKey: \"v\") }\n        set { set(newValue, forKey: \"v\") }\n    }\n}",
                "UserDefaults.standard.held = $V"),
            preferences(
                "an extension's subscript",
                other:
                    "extension UserDefaults {\n    subscript(key: String) -> String? {\n        get { string(forKey: key) }\n        set { set(newValue, forKey: key) }\n    }\n}",
                "UserDefaults.standard[\"v\"] = $V"),
            preferences(
                "a wrapper",
                other:
                    "enum Prefs {\n    static func put(_ v: Any, _ key: String) { UserDefaults.standard.set(v, forKey: key) }\n}",
                "Prefs.put($V, \"v\")"),
            preferences(
                "a wrapper of a wrapper",
                other:
                    "enum Prefs {\n    static func put(_ v: Any, _ key: String) { keep(v, key) }\n    private static func keep(_ v: Any, _ key: String) { UserDefaults.standard.set(v, forKey: key) }\n}",
                "Prefs.put($V, \"v\")"),
            preferences(
                "an object that wraps",
                other:
                    "final class Prefs {\n    static let shared = Prefs()\n    private let base: UserDefaults\n    init(base: UserDefaults = .standard) { self.base = base }\n    func keep(_ v: String?, as key: String) { base.set(v, forKey: key) }\n}",
                "Prefs.shared.keep($V, as: \"v\")"),
            preferences(
                "a protocol",
                other:
                    "protocol Keeping { func keep(_ v: String, as key: String) }\nextension UserDefaults: Keeping {\n    func keep(_ v: String, as key: String) { set(v, forKey: key) }\n}",
                members: "var keeping: any Keeping = UserDefaults.standard", "keeping.keep($V, as: \"v\")"),
            preferences(
                "a property wrapper",
                other:
                    "@propertyWrapper struct Kept<T> {\n    let key: String\n    init(_ key: String) { self.key = key }\n    var wrappedValue: T? {\n        get { UserDefaults.standard.object(forKey: key) as? T }\n        set { UserDefaults.standard.set(newValue, forKey: key) }\n    }\n}",
                members: "@Kept(\"v\") var held: String?", "held = $V"),
            preferences(
                "a static property of settings",
                other:
                    "enum Settings {\n    static var held: String? {\n        get { UserDefaults.standard.string(forKey: \"v\") }\n        set { UserDefaults.standard.set(newValue, forKey: \"v\") }\n    }\n}",
                "Settings.held = $V"),
            preferences(
                "an observed property",
                other:
                    "final class Settings {\n    static let shared = Settings()\n    var held = \"\" {\n        didSet { UserDefaults.standard.set(held, forKey: \"v\") }\n    }\n}",
                "Settings.shared.held = $V"),
            preferences("AppStorage", members: "@AppStorage(\"v\") var held = \"\"", "held = $V"),
            preferences(
                "AppStorage with a store",
                members: "@AppStorage(\"v\", store: UserDefaults(suiteName: \"g\")) var held: String = \"\"",
                "held = $V"),
            preferences("the cloud's store", "NSUbiquitousKeyValueStore.default.set($V, forKey: \"v\")"),
            preferences("registered values", "UserDefaults.standard.setPersistentDomain([\"v\": $V], forName: \"a\")"),
            preferences("a dictionary", "UserDefaults.standard.set([\"v\": $V], forKey: \"v\")"),
        ] + fileStores + databases

    private static let fileStores: [LeakSink] = [
        preferences("bytes", "try? Data($V.utf8).write(to: URL(fileURLWithPath: \"/v\"))"),
        preferences(
            "Codable as a whole", file: "struct Parcel: Codable { var content: String }",
            "let bytes = try? JSONEncoder().encode(Parcel(content: $V))\n        UserDefaults.standard.set(bytes, forKey: \"v\")"
        ),
        preferences(
            "Codable in a file", file: "struct Parcel: Codable { var content: String }",
            "guard let bytes = try? JSONEncoder().encode(Parcel(content: $V)) else { return }\n        try? bytes.write(to: URL(fileURLWithPath: \"/v\"))"
        ),
        preferences(
            "a property list",
            "let bytes = try? PropertyListEncoder().encode([\"v\": $V])\n        try? bytes?.write(to: URL(fileURLWithPath: \"/v\"))"
        ),
        preferences("an NSDictionary", "([\"v\": $V] as NSDictionary).write(toFile: \"/v\", atomically: true)"),
        preferences(
            "a file handle",
            "let handle = FileHandle(forWritingAtPath: \"/v\")\n        handle?.write($V.data(using: .utf8)!)"),
        preferences(
            "a file handle's contents",
            "let out = try? FileHandle(forWritingTo: URL(fileURLWithPath: \"/v\"))\n        try? out?.write(contentsOf: Data($V.utf8))"
        ),
        preferences(
            "a file manager", "FileManager.default.createFile(atPath: \"/v\", contents: $V.data(using: .utf8))"),
        preferences(
            "a helper of files",
            other:
                "enum Disk {\n    static func save(_ bytes: Data, named name: String) throws {\n        try bytes.write(to: URL.documentsDirectory.appending(path: name))\n    }\n}",
            "try? Disk.save(Data($V.utf8), named: \"v\")"),
        preferences(
            "a method of Data",
            other:
                "extension Data {\n    func keep(_ name: String) throws {\n        try write(to: URL.documentsDirectory.appending(path: name), options: .atomic)\n    }\n}",
            "try? Data($V.utf8).keep(\"v\")"),
        preferences(
            "an archive",
            "let bytes = try? NSKeyedArchiver.archivedData(withRootObject: $V, requiringSecureCoding: true)\n        try? bytes?.write(to: URL(fileURLWithPath: \"/v\"))"
        ),
        preferences(
            "an output stream",
            "let out = OutputStream(toFileAtPath: \"/v\", append: false)\n        out?.write($V, maxLength: 9)"),
    ]

    private static let databases: [LeakSink] = [
        LeakSink(
            name: "Core Data", rule: "secret-in-store", imports: "import CoreData",
            file: "final class Row: NSManagedObject {\n    @NSManaged var content: String?\n}",
            body: "let row = Row(context: NSManagedObjectContext(.main))\n        row.content = $V"),
        LeakSink(
            name: "Core Data by key", rule: "secret-in-store", imports: "import CoreData",
            body:
                "let row = NSEntityDescription.insertNewObject(forEntityName: \"R\", into: NSManagedObjectContext(.main))\n        row.setValue($V, forKey: \"content\")"
        ),
        LeakSink(
            name: "Core Data in another type", rule: "secret-in-store", imports: "import CoreData",
            file: "final class Row: NSManagedObject {\n    @NSManaged var content: String?\n}",
            other: "import CoreData\nextension Row {\n    func fill(_ text: String) { self.content = text }\n}",
            body: "Row(context: NSManagedObjectContext(.main)).fill($V)"),
        LeakSink(
            name: "Realm", rule: "secret-in-store", imports: "import RealmSwift",
            file: "final class Record: Object {\n    @Persisted var content: String\n}",
            body:
                "let row = Record()\n        row.content = $V\n        let place = try! Realm()\n        try? place.write { place.add(row) }"
        ),
        LeakSink(
            name: "SwiftData", rule: "secret-in-store", imports: "import SwiftData",
            file:
                "@Model final class Row {\n    var content: String\n    init(content: String) { self.content = content }\n}",
            members: "var context: ModelContext!", body: "context.insert(Row(content: $V))"),
        LeakSink(
            name: "SQL", rule: "secret-in-store", imports: "import SQLite3",
            body: "var statement: OpaquePointer?\n        sqlite3_bind_text(statement, 1, $V, -1, nil)"),
        LeakSink(
            name: "GRDB", rule: "secret-in-store", imports: "import GRDB",
            members: "let queue = try! DatabaseQueue(path: \"/v\")",
            body:
                "try? queue.write { db in\n            try db.execute(sql: \"INSERT INTO t VALUES (?)\", arguments: [$V])\n        }"
        ),
        LeakSink(
            name: "a cookie", rule: "secret-in-store",
            body:
                "let cookie = HTTPCookie(properties: [.name: \"v\", .value: $V, .domain: \"a\", .path: \"/\", .expires: Date.distantFuture])!\n        HTTPCookieStorage.shared.setCookie(cookie)"
        ),
        LeakSink(
            name: "a user activity", rule: "secret-in-store",
            body: "let activity = NSUserActivity(activityType: \"a\")\n        activity.userInfo = [\"v\": $V]"),
    ]

    /// Stores that keep it under a key, and uses that are none.
    static let safeSinks: [LeakSink] = [
        preferences("a keychain wrapper", members: "let u = KeychainSwift()", "_ = u.set($V, forKey: \"v\")"),
        preferences("the keychain", "_ = SecItemAdd([kSecValueData: Data($V.utf8)] as CFDictionary, nil)"),
        preferences("a private log", "Logger(subsystem: \"a\", category: \"b\").info(\"\\($V)\")"),
        preferences("a view", members: "let label = UILabel()", "label.text = $V"),
        preferences("a dictionary of the class", members: "var all: [String: String] = [:]", "all[\"v\"] = $V"),
        preferences(
            "a request",
            "var request = URLRequest(url: URL(string: \"https://a.example\")!)\n        request.setValue($V, forHTTPHeaderField: \"Authorization\")"
        ),
        preferences(
            "a sealed file",
            "let box = try! AES.GCM.seal(Data($V.utf8), using: SymmetricKey(size: .bits256))\n        try? box.combined?.write(to: URL(fileURLWithPath: \"/v\"))"
        ),
        preferences("a hash", "UserDefaults.standard.set(SHA256.hash(data: Data($V.utf8)).description, forKey: \"v\")"),
        preferences("a count", "UserDefaults.standard.set($V.count, forKey: \"v\")"),
        preferences("a flag", "UserDefaults.standard.set(!$V.isEmpty, forKey: \"v\")"),
        preferences(
            "an encrypting helper", members: "func encrypted(_ v: String) -> String { Sealer.shared.seal(v) }",
            "UserDefaults.standard.set(encrypted($V), forKey: \"v\")"),
    ]
}
