// SPDX-License-Identifier: Apache-2.0

/// Values that are told by what is read out of them, by what they become and by whose they are: records of health,
/// answers, and what is encrypted with a key of the source; each with a harmless twin. `$S` is what differs.
enum LeakReads {
    private struct Form {
        var name: String
        var rule: String
        var secret: String
        var harmless: String
        var file = "Screen.swift"
        var other = ""
        var text: String
    }

    private static let log = "secret-in-log"
    private static let store = "secret-in-store"

    private static let answers: [Form] = [
        Form(
            name: "an answer that another function reads", rule: log, secret: "lock_code", harmless: "full_name",
            other:
                "enum Reader { static func person(json: JSON) -> Person { let user = json[\"data\"]; return Person(user[\"$S\"].stringValue) } }",
            text: "func done(answer: JSON) {\n    print(answer)\n    _ = Reader.person(json: answer)\n}"),
        Form(
            name: "a message that is handed on twice", rule: log, secret: "access_token", harmless: "title",
            other:
                "func second(_ command: NSDictionary) { send(command[\"$S\"]) }\nfunc first(_ info: [AnyHashable: Any]) { if let command = info[\"c\"] as? NSDictionary { second(command) } }",
            text: "func received(_ info: [AnyHashable: Any]) {\n    print(\"got \\(info)\")\n    first(info)\n}"),
        Form(
            name: "an answer whose part becomes a secret", rule: log, secret: "lockCode", harmless: "nickname",
            text:
                "func done(_ answer: JSON, person: Person) {\n    print(answer)\n    person.$S = answer[\"c\"].string!\n}"
        ),
        Form(
            name: "Objective-C's answer that a setter reads", rule: log, secret: "password", harmless: "title",
            file: "Screen.m",
            text: """
                @implementation Screen
                - (void)setDetails:(NSDictionary *)details { self.member.code = details[@"$S"]; }
                - (void)act:(NSData *)raw {
                    NSDictionary *answer = [NSJSONSerialization JSONObjectWithData:raw options:0 error:nil];
                    NSLog(@"%@", answer);
                    [self setDetails:answer];
                }
                @end
                """),
        Form(
            name: "a text that becomes a secret later", rule: log, secret: "syncKey", harmless: "title",
            file: "Screen.m",
            text: """
                @implementation Screen
                - (void)act:(Operation *)operation {
                    NSLog(@"%@", operation.responseString);
                    NSString *text = operation.responseString;
                    user.$S = text;
                }
                @end
                """),
        Form(
            name: "a parsed answer called data", rule: log, secret: "access_token", harmless: "title",
            text:
                "func act() {\n    request(\"x\").responseJSON { response in\n        if case .success(let data) = response.result {\n            print(data)\n            let json = data as! [String: AnyObject]\n            use(json[\"$S\"])\n        }\n    }\n}"
        ),
        Form(
            name: "a response that shows its request", rule: log,
            secret: "[.authorization(bearerToken: Session.key)]", harmless: "[.accept(\"text/plain\")]",
            text:
                "func act() {\n    AF.upload(form, to: path, headers: $S).responseDecodable(of: Item.self) { answer in debugPrint(answer) }\n}"
        ),
        Form(
            name: "a header of the keychain", rule: log, secret: "keychain.get(\"sid\")!", harmless: "Locale.tag()",
            text:
                "func act() {\n    let headers = [\"X-SID\": $S, \"Accept\": \"text/plain\"]\n    print(headers)\n}"),
        Form(
            name: "the answer of a log-in under an address that is joined", rule: store, secret: "api/mobileLogin",
            harmless: "api/news", file: "Screen.m",
            text: """
                @implementation Screen
                - (void)act {
                    [Net postJSONWithUrl:[base stringByAppendingString:@"$S"] parameters:nil success:^(id answer) {
                        [[NSUserDefaults standardUserDefaults] setObject:answer forKey:@"info"];
                    }];
                }
                @end
                """),
        Form(
            name: "two tokens of one answer", rule: store, secret: "refresh", harmless: "title",
            other: "struct Pair: Decodable { let access: String; let refresh: String; let title: String }",
            text:
                "func keep(_ one: String) { UserDefaults.standard.set(one, forKey: \"member\") }\nfunc done(_ pair: Pair) { keep(pair.$S) }"
        ),
        Form(
            name: "a key of a service", rule: log, secret: "access_token_github", harmless: "access_token_date",
            text: "func act() { print(\"x\", UserDefaults.standard.value(forKey: \"$S\")!) }"),
        Form(
            name: "a code that is verified", rule: log, secret: "VerifyScreen", harmless: "CountryScreen",
            text: "final class $S { func act(code: String) { print(code) } }"),
        Form(
            name: "a misspelt word", rule: log, secret: "mnemoinc", harmless: "mnemoTechnic",
            text: "func act($S: String) { print($S) }"),
        Form(
            name: "the answer of a function of C", rule: log, secret: "seedPhrase",
            harmless: "Transfer(seedPhrase, sum)",
            file: "Screen.m",
            text:
                "@implementation Screen\n- (void)act:(NSString *)seedPhrase sum:(NSString *)sum {\n    NSString *answer = $S;\n    NSLog(@\"%@\", answer);\n}\n@end"
        ),
    ]

    private static let stored: [Form] = [
        Form(
            name: "a store that a setter is", rule: store, secret: "password", harmless: "title", file: "Screen.m",
            text: """
                @implementation Kept
                + (void)setPriority:(NSString *)priority {
                    [[NSUserDefaults standardUserDefaults] setObject:priority forKey:@"p"];
                }
                @end
                @implementation Screen
                - (void)act:(NSString *)password title:(NSString *)title { [Kept setPriority:$S]; }
                @end
                """),
        Form(
            name: "an encryption with a key of the source", rule: store, secret: "cipherKey",
            harmless: "self.deviceKey",
            file: "Screen.m",
            text: """
                static NSString *const cipherKey = @"q8Zk2LmT";
                @implementation NSString (Cipher)
                - (NSString *)encryptDES { return [Engine run:self with:[$S UTF8String]]; }
                @end
                @implementation Screen
                - (void)act:(NSString *)password {
                    NSString *sealed = [password encryptDES];
                    [[NSUserDefaults standardUserDefaults] setObject:sealed forKey:@"p"];
                }
                @end
                """),
        Form(
            name: "an object that keeps what it is made of", rule: store, secret: "self.text = password",
            harmless: "self.text = Scrypt.derive(salt)",
            other:
                "struct Parcel: Codable { var text: String; init(password: String, salt: String) { $S } }",
            text:
                "func act(password: String) { try? JSONEncoder().encode(Parcel(password: password, salt: \"s\")).write(to: place) }"
        ),
        Form(
            name: "a list of objects in an archive", rule: store, secret: "privateKey", harmless: "title",
            file: "Screen.m",
            text: """
                @interface Entry : NSObject
                @property (nonatomic, copy) NSString *$S;
                @end
                @implementation Screen
                - (void)act:(NSString *)one {
                    NSMutableArray *all = [NSMutableArray array];
                    Entry *entry = [[Entry alloc] init];
                    entry.$S = one;
                    [all addObject:entry];
                    NSData *data = [NSKeyedArchiver archivedDataWithRootObject:all];
                    [[NSUserDefaults standardUserDefaults] setObject:data forKey:@"list"];
                }
                @end
                """),
        Form(
            name: "the state of a switch", rule: store, secret: "field.text", harmless: "copySwitch.isOn",
            text: "func act() { UserDefaults.standard.set($S, forKey: \"smsCode\") }"),
    ]

    private static let keychains: [Form] = [
        Form(
            name: "a store that another file makes", rule: "keychain-use", secret: "password", harmless: "nickname",
            file: "Screen.m",
            text: """
                @implementation Util
                + (UICKeyChainStore *)makeStore {
                    UICKeyChainStore *store = [UICKeyChainStore keyChainStore];
                    store.accessibility = UICKeyChainStoreAccessibilityAfterFirstUnlock;
                    return store;
                }
                @end
                @implementation Screen
                - (void)act:(NSString *)text {
                    UICKeyChainStore *store = [Util makeStore];
                    store[@"$S"] = text;
                }
                @end
                """),
        Form(
            name: "a subscript of a store", rule: "keychain-use", secret: "password", harmless: "nickname",
            text: """
                import KeychainAccess
                final class Screen {
                    let store = Keychain(service: "a").accessibility(.afterFirstUnlock)
                    func act(_ text: String) { store["$S"] = text }
                }
                """),
        Form(
            name: "the label of a phrase", rule: "secret-on-pasteboard", secret: "wordLabel", harmless: "hintLabel",
            text:
                "final class BackupCell: UITableViewCell {\n    let wordLabel = UILabel()\n    let hintLabel = UILabel()\n    func copy() { UIPasteboard.general.string = $S.text }\n}"
        ),
        Form(
            name: "a record that binds its own", rule: store,
            secret: "db.execute(sql: \"x\", arguments: [row.password])",
            harmless: "row.save(in: db)",
            other:
                "struct Row { var id: Int; var password: String; func save(in db: Database) throws { try db.execute(sql: \"x\", arguments: [id]) } }",
            text: "import GRDB\nfunc act(_ row: Row, _ db: Database) throws { try $S }"),
    ]

    private static let health: [Form] = [
        Form(
            name: "a measure of a record", rule: log, secret: "GlucoseSample", harmless: "TrafficSample",
            text: "struct $S { let value: Double }\nfunc warn(_ sample: $S) { print(\"high: \\(sample.value)\") }"),
        Form(
            name: "a whole record", rule: log, secret: "BloodPressureReading", harmless: "MeterReading",
            text: "struct $S { let amount: Double }\nfunc warn(_ sample: $S) { print(sample) }"),
        Form(
            name: "a number by its name", rule: log, secret: "latestHeartRate", harmless: "heartRateUnit",
            text: "func warn($S: Double) { print(\"now \\($S)\") }"),
        Form(
            name: "a sample of HealthKit", rule: log, secret: "sample.quantity", harmless: "sample.startDate",
            text: "func warn(_ sample: HKQuantitySample) { print($S) }"),
        Form(
            name: "a whole diary in a file", rule: store, secret: "Symptom", harmless: "Chapter",
            other: "struct $SDay: Codable { var marks: [Bool] }\nstruct Diary: Codable { var days: [$SDay] }",
            text:
                "import Disk\nfinal class Store {\n    func whole() -> Diary { Diary(days: []) }\n    func save() { try? Disk.save(self.whole(), to: .documents, as: \"d.json\") }\n}"
        ),
        Form(
            name: "a Realm beside another store's key", rule: store, secret: "Medication", harmless: "Recipe",
            other:
                "import SQLCipher\nfunc openSafe() {\n    var safe: OpaquePointer?\n    sqlite3_key(safe, \"k\", 1)\n    var chat = Chat()\n    chat.encryptionKey = Data()\n}",
            text:
                "import RealmSwift\nfinal class $S: Object { @Persisted var name: String }\nfunc open() { let realm = try! Realm()\n    use(realm) }"
        ),
        Form(
            name: "a Realm beside a keyed default configuration", rule: store, secret: "schemaVersion: 2",
            harmless: "encryptionKey: key",
            text:
                "import RealmSwift\nfinal class Medication: Object { @Persisted var name: String }\nfunc open(key: Data) {\n    Realm.Configuration.defaultConfiguration = Realm.Configuration($S)\n}\nfunc use() throws { _ = try Realm() }"
        ),
    ]

    static func apps(leaks: Bool) -> [GeneratedApp] {
        (answers + stored + keychains + health).map { form in
            let differing = leaks ? form.secret : form.harmless
            let head = form.file.hasSuffix(".m") ? "#import <UIKit/UIKit.h>\n" : "import UIKit\n"
            var files = [(path: "App/" + form.file, text: head + form.text.replacing("$S", with: differing))]
            if !form.other.isEmpty {
                files.append(("App/Other.swift", "import Foundation\n" + form.other.replacing("$S", with: differing)))
            }
            return GeneratedApp(name: form.name, rule: form.rule, files: files)
        }
    }
}
