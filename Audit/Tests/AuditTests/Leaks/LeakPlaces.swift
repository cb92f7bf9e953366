// SPDX-License-Identifier: Apache-2.0

/// URLs and requests with a secret in them, objects that hold one, and twins that hold none.
enum LeakPlaces {
    private static func app(_ name: String, _ rule: String, _ body: String, file: String = "") -> GeneratedApp {
        let text = """
            import UIKit
            import OSLog

            \(file)

            final class Screen: UIViewController {
                let logger = Logger(subsystem: "a", category: "b")
                var accessToken = ""
                var page = 1

                func act() {
                    \(body)
                }
            }
            """
        return GeneratedApp(name: name, rule: rule, files: [("App/Screen.swift", text)])
    }

    // MARK: URLs and requests

    private static let urls: [(name: String, secret: String, harmless: String)] = [
        (
            "an interpolation", "let url = URL(string: \"https://a.example/x?token=\\(accessToken)\")!",
            "let url = URL(string: \"https://a.example/x?page=\\(page)\")!"
        ),
        (
            "a sum", "let url = URL(string: \"https://a.example/x?access_token=\" + accessToken)!",
            "let url = URL(string: \"https://a.example/x?page=\" + String(page))!"
        ),
        (
            "a telling parameter", "let url = URL(string: \"https://a.example/x?token=\\(Vault.next())\")!",
            "let url = URL(string: \"https://a.example/x?colour=\\(Vault.next())\")!"
        ),
        (
            "query items",
            "var parts = URLComponents(string: \"https://a.example\")!\n        parts.queryItems = [URLQueryItem(name: \"api_key\", value: accessToken)]\n        let url = parts.url!",
            "var parts = URLComponents(string: \"https://a.example\")!\n        parts.queryItems = [URLQueryItem(name: \"page\", value: String(page))]\n        let url = parts.url!"
        ),
        (
            "an appended item",
            "let url = URL(string: \"https://a.example\")!.appending(queryItems: [URLQueryItem(name: \"session_token\", value: Vault.next())])",
            "let url = URL(string: \"https://a.example\")!.appending(queryItems: [URLQueryItem(name: \"page\", value: Vault.next())])"
        ),
    ]

    private static let urlSinks: [(name: String, rule: String, body: String)] = [
        ("print", "secret-in-log", "print(url)"),
        ("its text", "secret-in-log", "print(\"opening \\(url.absoluteString)\")"),
        ("NSLog", "secret-in-log", "NSLog(\"opening %@\", url.absoluteString)"),
        ("Logger", "secret-in-log", "logger.debug(\"\\(url, privacy: .public)\")"),
        ("a request that is printed", "secret-in-log", "let request = URLRequest(url: url)\n        print(request)"),
        ("preferences", "secret-in-store", "UserDefaults.standard.set(url, forKey: \"last\")"),
        ("preferences as text", "secret-in-store", "UserDefaults.standard.set(url.absoluteString, forKey: \"last\")"),
        ("the browser", "secret-in-store", "UIApplication.shared.open(url)"),
        ("a query", "secret-in-log", "print(url.query ?? \"\")"),
    ]

    private static let requests: [(name: String, secret: String, harmless: String)] = [
        (
            "a header",
            "var request = URLRequest(url: home)\n        request.setValue(\"Bearer \\(accessToken)\", forHTTPHeaderField: \"Authorization\")\n        print(request.allHTTPHeaderFields ?? [:])",
            "var request = URLRequest(url: home)\n        request.setValue(\"\\(page)\", forHTTPHeaderField: \"Page\")\n        print(request.allHTTPHeaderFields ?? [:])"
        ),
        (
            "a telling header",
            "var request = URLRequest(url: home)\n        request.addValue(Vault.next(), forHTTPHeaderField: \"Authorization\")\n        print(request.allHTTPHeaderFields!)",
            "var request = URLRequest(url: home)\n        request.addValue(Vault.next(), forHTTPHeaderField: \"Accept\")\n        print(request.allHTTPHeaderFields!)"
        ),
        (
            "a dictionary of headers",
            "let headers = [\"Authorization\": \"Bearer \\(Vault.next())\"]\n        print(headers)",
            "let headers = [\"Accept\": \"text/\\(Vault.next())\"]\n        print(headers)"
        ),
        (
            "a body",
            "let fields = [\"user\": \"a\", \"password\": Vault.next()]\n        let body = try! JSONSerialization.data(withJSONObject: fields)\n        print(String(data: body, encoding: .utf8)!)",
            "let fields = [\"user\": \"a\", \"colour\": Vault.next()]\n        let body = try! JSONSerialization.data(withJSONObject: fields)\n        print(String(data: body, encoding: .utf8)!)"
        ),
        (
            "a request's body",
            "var request = URLRequest(url: home)\n        request.httpBody = try? JSONEncoder().encode([\"password\": Vault.next()])\n        print(String(data: request.httpBody!, encoding: .utf8)!)",
            "var request = URLRequest(url: home)\n        request.httpBody = try? JSONEncoder().encode([\"colour\": Vault.next()])\n        print(String(data: request.httpBody!, encoding: .utf8)!)"
        ),
        (
            "parameters",
            "let parameters: [String: Any] = [\"grant_type\": \"password\", \"refresh_token\": Vault.next()]\n        NSLog(\"%@\", parameters)",
            "let parameters: [String: Any] = [\"grant_type\": \"password\", \"scope\": Vault.next()]\n        NSLog(\"%@\", parameters)"
        ),
        (
            "a form", "let form = \"user=a&password=\\(Vault.next())\"\n        print(form)",
            "let form = \"user=a&colour=\\(Vault.next())\"\n        print(form)"
        ),
        (
            "a decoded response",
            "let answer = try! JSONDecoder().decode(Answer.self, from: Vault.bytes())\n        print(answer)",
            "let answer = try! JSONDecoder().decode(Other.self, from: Vault.bytes())\n        print(answer)"
        ),
    ]

    private static let types =
        "struct Answer: Decodable { let accessToken: String; let expires: Int }\nstruct Other: Decodable { let title: String; let expires: Int }\nlet home = URL(string: \"https://a.example\")!"

    static func requests(leaks: Bool) -> [GeneratedApp] {
        urls.flatMap { url in
            urlSinks.map {
                app(
                    "\(url.name) into \($0.name)", $0.rule, (leaks ? url.secret : url.harmless) + "\n        " + $0.body
                )
            }
        } + requests.map { app($0.name, "secret-in-log", leaks ? $0.secret : $0.harmless, file: types) }
    }

    // MARK: What holds one, and what is taken of it

    private static let holders = """
        struct Login { let id: UUID; let name: String; let password: String; var changed = Date() }
        final class Machine { var name = ""; var accessToken = ""; var id = UUID() }
        struct Note { let id: Int; let title: String }
        """

    /// What is printed, of `logins: [Login]`, `login: Login`, `notes: [Note]` and `password: String`.
    private static let told: [(secret: String, harmless: String)] = [
        ("logins", "notes"), ("login", "login.id"), ("login.password", "login.name"),
        ("logins.first!", "logins.first!.id"),
        ("logins.map { $0.password }", "logins.map { $0.id.uuidString }"),
        ("logins.map(\\.password)", "logins.map(\\.id)"),
        ("logins.map { \"\\($0.name) \\($0.password)\" }", "logins.map { \"\\($0.name) \\($0.id)\" }"),
        ("logins.compactMap { $0.password }.joined()", "logins.compactMap { $0.name }.joined()"),
        ("logins.filter { $0.name.isEmpty }", "logins.filter { $0.password.isEmpty }.count"),
        ("logins.sorted { $0.name < $1.name }", "logins.sorted { $0.name < $1.name }.map(\\.name)"),
        ("logins.first { $0.name == \"a\" }!.password", "logins.first { $0.name == \"a\" }!.name"),
        ("logins.last!.password.uppercased()", "logins.last!.name.uppercased()"),
        ("Dictionary(grouping: logins, by: \\.name)", "Dictionary(grouping: notes, by: \\.title)"),
        ("logins.reduce(\"\") { $0 + $1.password }", "logins.reduce(\"\") { $0 + $1.name }"),
        ("logins.flatMap { [$0.name, $0.password] }", "logins.flatMap { [$0.name, $0.id.uuidString] }"),
        ("zip(logins, notes).map { $0.0.password }", "zip(logins, notes).map { $0.0.name }"),
        ("machine.accessToken", "machine"), ("machine.accessToken.description", "machine.name.description"),
        ("[login]", "[login.id]"), ("[\"a\": login]", "[\"a\": login.id]"), ("(1, login)", "(1, login.name)"),
        ("login.password + \"!\"", "login.name + \"!\""),
        ("password.reversed().map(String.init)", "password.reversed().count"),
        ("password.map { String($0) }", "password.map { _ in \"*\" }"), ("Array(password)", "Array(password).isEmpty"),
        ("password.utf8.map { $0 }", "password.utf8.count"), ("password as Any", "password == login.password"),
        ("\"\\(password)\"", "\"\\(password.count)\""), ("password.lowercased()", "password.hasPrefix(\"a\")"),
        ("[password: 1]", "[login.name: 1]"), ("password.dropFirst(1)", "password.contains(\"a\")"),
        ("password.split(separator: \" \")", "password.split(separator: \" \").count"),
        ("Optional(password) as Any", "Optional(password) == nil"),
        ("password.applyingTransform(.toLatin, reverse: false)!", "password.hashValue"),
        ("password.data(using: .utf8)!.base64EncodedString()", "password.data(using: .utf8)!.count"),
        ("password.padding(toLength: 9, withPad: \" \", startingAt: 0)", "password.range(of: \"a\") as Any"),
        ("type.password", "type(of: password)"), ("String(password)", "String(password.count)"),
        ("notes.isEmpty ? \"\" : password", "Mirror(reflecting: login).children.count"),
        ("password.trimmingCharacters(in: .whitespaces)", "masked(password)"),
        ("password.appending(\"a\")", "sha256(password)"), ("login.password.folded()", "login.changed"),
        ("password.unicodeScalars", "password.isEmpty ? \"none\" : \"given\""),
        ("[1: password]", "[1: password.isEmpty]"),
        ("password.isEmpty ? \"none\" : password", "password.compare(\"a\") == .orderedSame"),
        ("String(format: \"%@\", password)", "String(format: \"%d\", password.count)"),
        ("password.withCString { String(cString: $0) }", "String(repeating: \"*\", count: password.count)"),
        ("(password as NSString)", "(password as NSString).length"),
        ("login.password ?? \"\"", "login.name ?? \"\""),
        ("password.localizedCapitalized", "password.firstIndex(of: \"a\") as Any"),
        ("Substring(password).description", "strength(of: password)"),
    ]

    static func tellings(leaks: Bool) -> [GeneratedApp] {
        told.map { pair in
            let value = leaks ? pair.secret : pair.harmless
            let text = """
                import UIKit

                \(holders)

                final class Screen: UIViewController {
                    var machine = Machine()

                    func masked(_ text: String) -> String { "***" }
                    func strength(of text: String) -> Int { text.count }
                    func act(logins: [Login], login: Login, notes: [Note], password: String, type: Login) {
                        print(\(value))
                    }
                }
                """
            return GeneratedApp(name: value, rule: "secret-in-log", files: [("App/Screen.swift", text)])
        }
    }
}
