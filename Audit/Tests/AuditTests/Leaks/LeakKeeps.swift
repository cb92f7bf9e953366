// SPDX-License-Identifier: Apache-2.0

/// Stores of whole objects, of pictures and of files, and twins that keep nothing of weight. `$S` is what differs.
enum LeakKeeps {
    private struct Form {
        var name: String
        var secret: String
        var harmless: String
        var file = "Screen.swift"
        var other = ""
        var text: String
    }

    private static let forms: [Form] = [
        Form(
            name: "a picture of a prescription", secret: "PrescriptionUploader", harmless: "AvatarUploader",
            text: """
                final class $S {
                    func keep(_ picture: UIImage, in folder: URL) throws {
                        guard let bytes = picture.jpegData(compressionQuality: 0.8) else { return }
                        try bytes.write(to: folder.appendingPathComponent("picture.jpg"))
                    }
                }
                """),
        Form(
            name: "a picture of a passport", secret: "passport", harmless: "wallpaper",
            text: """
                func save($S: UIImage, in folder: URL) throws {
                    try $S.pngData()!.write(to: folder.appendingPathComponent(UUID().uuidString))
                }
                """),
        Form(
            name: "a picture with a class of protection", secret: ".atomic", harmless: ".completeFileProtection",
            text: """
                func save(medicalReport: UIImage, in folder: URL) throws {
                    let bytes = medicalReport.pngData()!
                    try bytes.write(to: folder.appendingPathComponent("a.png"), options: $S)
                }
                """),
        Form(
            name: "a file of keys is copied", secret: "identity", harmless: "avatar",
            text: """
                func share(_ path: String, _ folder: URL) {
                    let to = folder.appendingPathComponent("$S")
                    try? FileManager.default.copyItem(atPath: path, toPath: to.path)
                }
                """),
        Form(
            name: "a model that keeps itself", secret: "passportNumber", harmless: "nickname",
            other: """
                protocol Kept: Codable { static var key: String { get } }
                extension Kept {
                    func save() { UserDefaults.standard.set(try? JSONEncoder().encode(self), forKey: Self.key) }
                }
                """,
            text: """
                struct Person: Kept { static let key = "me"; let $S: String? }
                func done(_ person: Person) { person.save() }
                """),
        Form(
            name: "a cache with a disk", secret: "passcode", harmless: "color",
            text: """
                import Cache
                struct Setting: Codable {
                    var $S: String
                    static func store() -> HybridStorage<Setting>? { nil }
                    func save() { try? Setting.store()?.setObject(self, forKey: "setting") }
                }
                """),
        Form(
            name: "columns of a statement", secret: "access_token", harmless: "title",
            text: """
                import FMDB
                func keep(_ db: FMDatabase, _ one: String, _ two: String) {
                    try? db.executeUpdate("INSERT INTO rows (id, $S) VALUES (?, ?)", values: [one, two])
                }
                """),
        Form(
            name: "columns of an update", secret: "password", harmless: "title",
            text: """
                import FMDB
                func keep(_ db: FMDatabase, _ one: String, _ two: String) {
                    try? db.executeUpdate("UPDATE rows SET $S = ? WHERE id = ?", values: [one, two])
                }
                """),
        Form(
            name: "a column of SQLite.swift", secret: "password", harmless: "title",
            text: """
                import SQLite
                let $S = Expression<String>("a")
                func keep(_ db: Connection, _ rows: Table, _ text: String) throws {
                    try db.run(rows.insert($S <- text))
                }
                """),
        Form(
            name: "an encryption with a key of the source", secret: "\"d41d8\"", harmless: "Vault.key()",
            text: """
                func keep(_ password: String, _ to: URL) {
                    let sealed = try? Sealer.encryptData(Data(password.utf8), password: $S)
                    try? sealed?.write(to: to, options: .atomic)
                }
                """),
        Form(
            name: "a macro of the preferences", secret: "passwordField", harmless: "nameField", file: "Screen.m",
            text: """
                #define kStore [NSUserDefaults standardUserDefaults]
                @implementation Screen
                - (void)act {
                    [kStore setObject:self.$S.text forKey:@"v"];
                }
                @end
                """),
        Form(
            name: "a database of health data", secret: "BloodPressure", harmless: "Recipe",
            other: "import SwiftData\n@Model final class $S { var value = 0\n init() {} }",
            text: """
                import SwiftData
                func open() throws -> ModelContainer { try ModelContainer(for: $S.self) }
                """),
        Form(
            name: "a database of health data with a class", secret: "none", harmless: "protectionKey",
            text: """
                import RealmSwift
                final class Medication: Object { @Persisted var dose = 0.0 }
                func open(_ path: String) throws -> Realm {
                    try FileManager.default.setAttributes([.$S: FileProtectionType.complete], ofItemAtPath: path)
                    return try Realm()
                }
                """),
        Form(
            name: "a macro that keeps", secret: "passwordField", harmless: "nameField", file: "Screen.m",
            text: """
                #define KEEP(value, key) [[NSUserDefaults standardUserDefaults] setObject:(value) forKey:(key)]
                @implementation Screen
                - (void)act {
                    KEEP(self.$S.text, @"v");
                }
                @end
                """),
        Form(
            name: "a key that is kept open", secret: "Parcel", harmless: "EthereumKeystore",
            text: """
                func keep(_ privateKey: String, _ passcode: String, _ to: URL) throws {
                    let parcel = $S(privateKey: privateKey, password: passcode)
                    try JSONEncoder().encode(parcel).write(to: to)
                }
                """),
        Form(
            name: "a token of a user", secret: "struct User: Codable { let token: String }",
            harmless:
                "struct User: Codable { let token: String }\nstruct Token { let symbol: String; let decimals: Int }",
            text: """
                $S
                func keep(_ user: User) { UserDefaults.standard.set(try? JSONEncoder().encode(user), forKey: "me") }
                """),
        Form(
            name: "the part that is kept", secret: "member.accessToken", harmless: "member.name",
            text: """
                struct Member { let accessToken: String; let name: String }
                func keep(_ member: Member, under key: String) { UserDefaults.standard.set($S, forKey: key) }
                func done(_ member: Member) { keep(member, under: "a") }
                """),
        Form(
            name: "a parameter that is passed", secret: "keep(password: typed)", harmless: "keep()",
            text: """
                func keep(password: String? = nil) { UserDefaults.standard.set(password, forKey: "v") }
                func done(_ typed: String) { $S }
                """),
        Form(
            name: "a managed object of a property", secret: "sessionKey", harmless: "title", file: "Screen.m",
            text: """
                @interface Row : NSManagedObject
                @property (nonatomic, retain) NSString *$S;
                @end
                @implementation Screen {
                    Row *row;
                }
                - (void)act:(Operation *)op {
                    row.$S = op.responseString;
                }
                @end
                """),
    ]

    static func apps(leaks: Bool) -> [GeneratedApp] {
        forms.map { form in
            let text = (form.file.hasSuffix(".m") ? "#import <CoreData/CoreData.h>\n" : "import UIKit\n") + form.text
            var files = [
                (path: "App/" + form.file, text: text.replacing("$S", with: leaks ? form.secret : form.harmless))
            ]
            if !form.other.isEmpty {
                files.append(
                    (
                        "App/Support.swift",
                        "import Foundation\n" + form.other.replacing("$S", with: leaks ? form.secret : form.harmless)
                    ))
            }
            return GeneratedApp(name: form.name, rule: "secret-in-store", files: files)
        }
    }
}
