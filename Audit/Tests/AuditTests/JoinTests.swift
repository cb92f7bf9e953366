// SPDX-License-Identifier: Apache-2.0

import AuditModel
import AuditRules
import Findings
import Foundation
import Testing

/// Each rule that joins files or functions, on a vector from which the join is taken away: the answer must turn.
@Suite("Joins of the rules")
struct JoinTests {
    private func lines(_ rule: any Rule, in vector: String, changing: [(String, String)] = []) throws -> [String] {
        var unused = Set(changing.map(\.0))
        let sources = try VectorTests.sources("\(type(of: rule).description.id)/\(vector)").map { path, text in
            var text = text
            for (old, new) in changing where text.contains(old) {
                text = text.replacing(old, with: new)
                unused.remove(old)
            }
            return (path: path, text: text)
        }
        #expect(unused.isEmpty, "the vector has changed")
        return rule.examine(ProjectModel.read(sources: sources)).filter { $0.certainty >= .likely }.map {
            "\($0.place.file):\($0.place.line)"
        }.sorted()
    }

    // Rule: an outlet joins a field with the class that makes it secure | superclasses not asked | a field is found that one of them makes secure
    @Test func `without the superclass or the outlet a secure field is found`() throws {
        #expect(try lines(SecureEntry(), in: "fine-outlet") == [])
        #expect(
            try lines(
                SecureEntry(), in: "fine-outlet",
                changing: [
                    ("LoginController: BaseController", "LoginController: UIViewController")
                ]
            ).count == 1)
        let without = try lines(
            SecureEntry(), in: "fires-storyboard",
            changing: [("<outlet property=\"passwordField\" destination=\"two\" id=\"o2\"/>", "")])
        #expect(without == ["Login.storyboard:10", "Login.storyboard:12"])
    }

    // Rule: a field is as secure as its class | the join taken out of the vector, by the test itself
    @Test func `without the superclass that makes it secure a field is found`() throws {
        #expect(
            try lines(SecureEntry(), in: "fine-class", changing: [("isSecureTextEntry = true", "isEnabled = true")])
                .count == 2)
    }

    // Rule: a request is followed to the function that sends it | no hop followed | nothing is found
    @Test func `without the hop a request in plain HTTP isn't one`() throws {
        let hop = try lines(TransportSecurity(), in: "fires", changing: [("send(to: url)\n    }", "open(url)\n    }")])
        #expect(!hop.contains("Send.swift:7"))
        #expect(try lines(TransportSecurity(), in: "fires").contains("Send.swift:7"))
    }

    // Rule: a certificate is judged by what the delegate calls | the join taken out of the vector, by the test itself
    @Test func `without the evaluation every certificate is accepted`() throws {
        #expect(try lines(TransportSecurity(), in: "fine-pinned") == [])
        let open = [
            (
                "guard let trust = challenge.protectionSpace.serverTrust, isPinned(trust) else",
                "guard let trust = challenge.protectionSpace.serverTrust else"
            )
        ]
        #expect(try lines(TransportSecurity(), in: "fine-pinned", changing: open).count == 1)
    }

    // Rule: an item that was looked for is no duplicate | the join taken out of the vector, by the test itself
    @Test func `without the look-up one call away a duplicate is unanswered`() throws {
        #expect(
            try lines(
                KeychainUse(), in: "fine-lookup",
                changing: [
                    ("if exists(item) {", "if known {"),
                    ("SecItemUpdate(item as CFDictionary, change as CFDictionary)", "errSecSuccess"),
                ]
            ).count == 1)
    }

    // Rule: a view reads what its own storyboard wrote | superclasses not asked | the vector fine-view fires
    @Test func `without the superclass a view's decoding is an archive's`() throws {
        let read = ("unarchivedObject(ofClass: NSString.self, from: data)", "unarchiveTopLevelObjectWithData(data)")
        let base = ("class BaseBadge: UIView", "class BaseBadge: NSObject")
        #expect(try lines(Archives(), in: "fine-view", changing: [read]).count == 1)
        #expect(try lines(Archives(), in: "fine-view", changing: [read, base]).count == 2)
    }

    // Rule: what is decoded inside of an archive is as safe as its reader | readers not asked | the vector fine-nested fires
    @Test func `what is decoded inside of an archive that is read safely is safe`() throws {
        #expect(try lines(Archives(), in: "fine-nested") == [])
        let read = ("unarchivedObject(ofClass: Token.self, from: data)", "unarchiveTopLevelObjectWithData(data)")
        #expect(try lines(Archives(), in: "fine-nested", changing: [read]).count == 2)
    }

    // Rule: autocorrection is off where code switches it off through an outlet | outlets not asked | the vector fine-code fires
    @Test func `without the outlet autocorrection that code switches off is on`() throws {
        #expect(
            try lines(
                KeyboardCache(), in: "fine-code",
                changing: [("<outlet property=\"answerField\" destination=\"a\" id=\"o\"/>", "")]
            ).count == 1)
    }

    // Rule: what a person typed is followed over locals, and a check of it counts | the join taken out of the vector, by the test itself
    @Test func `without the escaping what was typed goes out as it is`() throws {
        #expect(try lines(Validation(), in: "fine-escaped") == [])
        let plain = [(".addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? \"\"", "")]
        #expect(try lines(Validation(), in: "fine-escaped", changing: plain).count == 1)
        let local = try lines(
            Validation(), in: "fires", changing: [("let wanted = nameField.text", "let wanted = title")])
        #expect(!local.contains("Pages.swift:17"))
    }

    // Rule: a group that the code names is looked up in the entitlements | not looked up | one that is there is found
    @Test func `without its entitlement an app group is missing`() throws {
        #expect(try lines(Signing(), in: "fine-groups") == [])
        let other = [("<string>group.org.example.app</string>", "<string>group.org.example.other</string>")]
        #expect(try lines(Signing(), in: "fine-groups", changing: other).count == 1)
        let none = [("<string>group.org.example.app</string>", "")]
        #expect(try lines(Signing(), in: "fires-groups", changing: none) == [])
    }

    // Rule: a literal is a secret by the name under which it is kept | the join taken out of the vector, by the test itself
    @Test func `without its name a literal is no secret`() throws {
        let named = try lines(HardcodedSecrets(), in: "fires")
        let renamed = try lines(HardcodedSecrets(), in: "fires", changing: [("let passwd =", "let heading =")])
        #expect(renamed.count == named.count - 1)
        let compared = [("passwordField.text ==", "titleField.text =="), ("var passwordField", "var titleField")]
        #expect(try lines(HardcodedSecrets(), in: "fires", changing: compared).count == named.count - 1)
    }

    // Rule: an outlet of a header is a property of the class whose methods stand in another file | the join taken out of the vector, by the test itself
    @Test func `without the header or the hop an Objective-C flow isn't one`() throws {
        let all = try lines(SecretsInStores(), in: "fires-objc")
        #expect(all.contains("LoginController.m:15"))
        let hop = [("[self remember:_passwordField.text]", "[self remember:_nameField.text]")]
        #expect(try !lines(SecretsInStores(), in: "fires-objc", changing: hop).contains("LoginController.m:15"))
        let outlet = [("IBOutlet UITextField *passwordField;", "UILabel *titleLabel;")]
        #expect(try lines(Clearing(), in: "fires-objc", changing: outlet) == [])
        let wipe = [("[self wipe];", "[self close];")]
        #expect(try lines(Clearing(), in: "fine-objc", changing: wipe).count == 1)
    }

    // Rule: a cover counts if the handler leads to it | every handler taken for a cover | fine-objc without its cover is silent
    @Test func `without the selector, the call or the moment there is no cover`() throws {
        #expect(try lines(Cover(), in: "fine-objc", changing: [("[self cover];", "[self close];")]).count == 1)
        #expect(try lines(Cover(), in: "fine-objc", changing: [("@selector(hide:)", "@selector(note:)")]).count == 1)
        let late = [("applicationDidEnterBackground", "applicationWillEnterForeground")]
        #expect(try lines(Cover(), in: "fine-late", changing: late).count == 1)
        let window = [("UIApplication.shared.keyWindow", "self.window")]
        #expect(try lines(Cover(), in: "fires-key-window", changing: window) == [])
    }

    // Rule: a store of the app is judged by what it keeps its values in | extensions of preferences not known | their write isn't found
    @Test func `without the extension a protocol isn't the preferences`() throws {
        let all = try lines(SecretsInStores(), in: "fires-preferences")
        let other = [("extension UserDefaults: KeyValueStore {}", "extension Vault: KeyValueStore {}")]
        #expect(try lines(SecretsInStores(), in: "fires-preferences", changing: other).count == all.count - 1)
        let vault = [("extension UserDefaults {", "extension Vault {")]
        #expect(try lines(SecretsInStores(), in: "fires-preferences", changing: vault).count == all.count - 1)
    }

    // Rule: a value is printed as its description has it | descriptions not asked | one that leaves the secret out is found
    @Test func `without the description of its own a value tells all it holds`() throws {
        #expect(try lines(SecretsInLogs(), in: "fine-described") == [])
        let plain = [("    var description: String { name }\n", "")]
        #expect(try lines(SecretsInLogs(), in: "fine-described", changing: plain).count == 1)
    }

    // Rule: a key of a text stands for the text | texts dropped | no field is found by one
    @Test func `without the table of texts a key asks for nothing`() throws {
        let table = [("\"signin.second\" = \"Your password\";", "")]
        #expect(try lines(SecureEntry(), in: "fires-texts", changing: table) == ["Views.swift:11"])
    }

    // Rule: types of one name in several targets are several types | made one type | the other target's type empties the field
    @Test func `without the folders the second target's type empties the first one's field`() throws {
        #expect(try lines(Clearing(), in: "fires-targets") == ["One/Login.swift:4"])
        let one = [("passwordField.text = nil", "nameField.text = nil")]
        #expect(try lines(Clearing(), in: "fires-targets", changing: one).count == 2)
    }

    // Rule: an element's member that says nothing isn't the element | the member not looked at | a secret member isn't found
    @Test func `without the member the list itself is kept`() throws {
        #expect(try lines(SecretsInStores(), in: "fine-identifiers") == [])
        let secret = [("$0.identifier", "$0.secretKey")]
        #expect(try lines(SecretsInStores(), in: "fine-identifiers", changing: secret).count == 1)
    }

    // Rule: a class that only a Core Data model has is one of managed objects | entities of models not asked | the write isn't found
    @Test func `without the model an object of its class is any object`() throws {
        #expect(try lines(SecretsInStores(), in: "fires-generated") == ["Accounts.swift:7"])
        let other = [("representedClassName=\"Account\"", "representedClassName=\"Note\"")]
        #expect(try lines(SecretsInStores(), in: "fires-generated", changing: other) == [])
    }

    // Rule: of a model the version counts that apps are built with | every version taken | an older one is found
    @Test func `without the list of versions an older one counts too`() throws {
        #expect(try lines(SecretsInStores(), in: "fine-old-version") == [])
        let all = [("_XCCurrentVersionName", "_XCOther")]
        #expect(try lines(SecretsInStores(), in: "fine-old-version", changing: all).count == 1)
    }

    // Rule: what the code encrypts isn't told of the model | encryption not asked for | the attribute is found
    @Test func `without the seal the model tells of a password`() throws {
        #expect(try lines(SecretsInStores(), in: "fine-sealed") == [])
        let open = [
            ("let box = try AES.GCM.seal(Data(password.utf8), using: key)", "let box = password"),
            ("account.password = box.combined", "send(box)"),
        ]
        #expect(try lines(SecretsInStores(), in: "fine-sealed", changing: open).count == 1)
    }

    // Rule: a cover that is gone before the picture is none | no removal looked for | nothing is found
    @Test func `without its removal a cover is there for the picture`() throws {
        #expect(try lines(Cover(), in: "fires-removed") == ["AppDelegate.swift:10"])
        let kept = [("curtain.removeFromSuperview()", "banner.removeFromSuperview()")]
        #expect(try lines(Cover(), in: "fires-removed", changing: kept) == [])
        #expect(
            try lines(Cover(), in: "fires-delayed", changing: [("self.curtain.remove", "self.banner.remove")]) == [])
    }

    @Test func `a state that the background keeps is a cover`() throws {
        #expect(try lines(Cover(), in: "fires-phase") == ["App.swift:4"])
        #expect(try lines(Cover(), in: "fires-phase", changing: [("default:", "case .active:")]) == [])
        #expect(try lines(Cover(), in: "fires-inactive") == ["App.swift:4"])
        #expect(try lines(Cover(), in: "fires-inactive", changing: [("== .inactive", "!= .active")]) == [])
    }

    // Rule: a manifest is compared group by group | any group taken for the one that is used | nothing is found
    @Test func `without the group in the manifest its use is found`() throws {
        #expect(try lines(PrivacyManifests(), in: "fine-named") == [])
        let other = [("CategoryFileTimestamp", "CategoryActiveKeyboards")]
        #expect(try lines(PrivacyManifests(), in: "fine-named", changing: other) == ["App/Log.swift:6"])
        #expect(try lines(PrivacyManifests(), in: "fires-shared", changing: [("CA92.1", "1C8F.1")]) == [])
    }

    // Rule: a profile in the tree goes before its name | not joined | its name is judged, and no entitlement
    @Test func `without the profile a configuration is judged by its name`() throws {
        func found(_ vector: String, _ change: (old: String, new: String)? = nil) throws -> [String] {
            let project = try Project()
            for (path, text) in try VectorTests.sources("signing/\(vector)") {
                try project.write(change.map { text.replacing($0.old, with: $0.new) } ?? text, path)
            }
            return Signing().examine(ProjectModel.read(project.folder)).filter { $0.certainty >= .likely }.map(
                \.place.file)
        }
        let settings = "App.xcodeproj/project.pbxproj"
        #expect(try found("fires-profile") == [settings])
        // For devices that are registered, and not for a debugger.
        #expect(try found("fires-profile", ("<true/>", "<false/>")) == [])
        #expect(try found("fine-profile") == [])
        #expect(try found("fine-profile", ("<string>App dev</string>", "<string>Other</string>")) == [settings])
        #expect(try found("fires-refused") == ["App.entitlements"])
        #expect(
            try found(
                "fine-allowed", ("group.com.example.app</string>\n\t\t</array>", "group.x</string>\n\t\t</array>")) == [
                    "App.entitlements"
                ])
    }

    // Rule: one finding has each host with an exception | each host is one | two findings and no step
    @Test func `each host with an exception is told at its own place`() {
        let exception = "<dict>\n<key>NSExceptionAllowsInsecureHTTPLoads</key><true/></dict>"
        let text = """
            <?xml version="1.0" encoding="UTF-8"?>
            <plist version="1.0"><dict><key>NSAppTransportSecurity</key><dict><key>NSExceptionDomains</key><dict>
            <key>files.shop.com</key>\(exception)
            <key>10.1.2.3</key>\(exception)
            <key>2001:db8::7</key>\(exception)
            </dict></dict></dict></plist>
            """
        let found = TransportSecurity().examine(ProjectModel.read(sources: [("App/Info.plist", text)]))
        #expect(found.map(\.place.line) == [4])
        #expect(found.flatMap(\.chain).map(\.place.line) == [8])
    }
}
