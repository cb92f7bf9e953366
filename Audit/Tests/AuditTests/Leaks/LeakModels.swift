// SPDX-License-Identifier: Apache-2.0

/// Objects, requests and responses that are logged as a whole, by the app's own log functions, and twins that tell
/// nothing.
enum LeakModels {
    private typealias Files = [(path: String, text: String)]

    private static let types = """
        struct Member: Codable { let id: Int; let nickname: String; let accessToken: String }
        struct Topic: Codable { let id: Int; let title: String; let count: Int }
        struct Reply<T: Codable>: Codable { let status: Bool; let data: T }
        struct SendCodeResponse: Codable { let token: String?; let code: Int }
        struct PageResponse: Codable { let nextPageToken: String?; let titles: [String] }
        struct Wallet: Codable { let owner: Member; let name: String }
        struct Library: Codable { let topics: [Topic]; let name: String }
        enum Wire {
            static func members(_ done: @escaping (Result<[Member], any Error>) -> Void) { Session.start { done($0) } }
            static func topics(_ done: @escaping (Result<[Topic], any Error>) -> Void) { Session.start { done($0) } }
            static func member(_ done: @escaping (Member?, (any Error)?) -> Void) { Session.start { done($0, nil) } }
            static func topic(_ done: @escaping (Topic?, (any Error)?) -> Void) { Session.start { done($0, nil) } }
            static func wallet() async throws -> Wallet { try await load() }
            static func library() async throws -> Library { try await load() }
            static func load<T: Codable>() async throws -> T { throw CancellationError() }
            static func get<T: Codable>(_ path: String, as type: T.Type, done: @escaping (T?) -> Void) { Session.start { done($0) } }
            static func publisher<T: Codable>(_ path: String, as type: T.Type) -> AnyPublisher<T, any Error> { fatalError() }
        }
        """

    /// What is logged, of which one has a secret in a type of another file. `$L` is the log function.
    private static let told: [(name: String, secret: String, harmless: String)] = [
        (
            "a result of a closure",
            "Wire.members { result in\n            if case .success(let found) = result { $L(\"\\(found)\") }\n        }",
            "Wire.topics { result in\n            if case .success(let found) = result { $L(\"\\(found)\") }\n        }"
        ),
        (
            "a value of a closure", "Wire.member { found, failure in $L(\"\\(found!)\") }",
            "Wire.topic { found, failure in $L(\"\\(found!)\") }"
        ),
        (
            "what is awaited", "Task { let found = try await Wire.wallet(); $L(\"got \\(found)\") }",
            "Task { let found = try await Wire.library(); $L(\"got \\(found)\") }"
        ),
        (
            "what is decoded by its type", "Wire.get(\"/a\", as: [Member].self) { found in $L(\"\\(found!.first!)\") }",
            "Wire.get(\"/a\", as: [Topic].self) { found in $L(\"\\(found!.first!)\") }"
        ),
        (
            "a generic reply",
            "Wire.get(\"/a\", as: Reply<SendCodeResponse?>.self) { found in $L(\"\\(found!)\") }",
            "Wire.get(\"/a\", as: Reply<PageResponse?>.self) { found in $L(\"\\(found!)\") }"
        ),
        (
            "a publisher's value",
            "Wire.publisher(\"/a\", as: Member.self).sink(receiveCompletion: { _ in }, receiveValue: { found in $L(\"\\(found)\") }).store(in: &bag)",
            "Wire.publisher(\"/a\", as: Member.self).sink(receiveCompletion: { end in $L(\"\\(end)\") }, receiveValue: { _ in }).store(in: &bag)"
        ),
        (
            "a request object", "let form = SignUpForm(name: name, password: text)\n        $L(\"\\(form)\")",
            "let form = SearchForm(name: name, query: text)\n        $L(\"\\(form)\")"
        ),
        (
            "a dictionary of parameters",
            "let form: [String: Any] = [\"user\": name, \"password\": text]\n        $L(\"\\(form)\")",
            "let form: [String: Any] = [\"user\": name, \"query\": text]\n        $L(\"\\(form)\")"
        ),
        (
            "what becomes a secret",
            "let answer = Vault.next()\n        $L(\"got \\(answer)\")\n        session.accessToken = answer",
            "let answer = Vault.next()\n        $L(\"got \\(answer)\")\n        session.title = answer"
        ),
        (
            "a phrase that is made",
            "let words = HDWallet.generateWordsMnemonic(strength: 128)\n        $L(\"got \\(words)\")",
            "let words = HDWallet.isValidMnemonic(text)\n        $L(\"got \\(words)\")"
        ),
        (
            "the text of a log-in's response",
            "let request = URLRequest(url: URL(string: \"https://a.example/login\")!)\n        URLSession.shared.dataTask(with: request) { data, _, _ in $L(String(data: data!, encoding: .utf8)!) }.resume()",
            "let request = URLRequest(url: URL(string: \"https://a.example/news\")!)\n        URLSession.shared.dataTask(with: request) { data, _, _ in $L(String(data: data!, encoding: .utf8)!) }.resume()"
        ),
    ]

    private static let more: [(name: String, secret: String, harmless: String)] = [
        (
            "the answer to a log-in by its path",
            "Network.shared.post(\"/auth/login\", body: [:]) { answer in $L(\"\\(answer)\") }",
            "Network.shared.post(\"/news/list\", body: [:]) { answer in $L(\"\\(answer)\") }"
        ),
        (
            "the URL with which a log-in comes back",
            "ASWebAuthenticationSession(url: page, callbackURLScheme: \"a\") { back, _ in $L(\"\\(back!)\") }.start()",
            "Downloads(url: page, scheme: \"a\") { back, _ in $L(\"\\(back!)\") }.start()"
        ),
        (
            "the answer to a log-in by its constant",
            "Network.shared.post(kLoginURL, body: [:]) { answer in $L(\"\\(answer)\") }",
            "Network.shared.post(kNewsURL, body: [:]) { answer in $L(\"\\(answer)\") }"
        ),
        (
            "a token of a service",
            "Sessions.shared.token { token, _ in $L(\"access token \\(token!)\") }",
            "Messaging.messaging().token { token, _ in $L(\"token \\(token!)\") }"
        ),
        (
            "JSON whose key is read by a parser",
            "guard let json = try? JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any] else { return }\n        $L(\"\\(json)\")\n        session.read(json)",
            "guard let json = try? JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any] else { return }\n        $L(\"\\(json)\")\n        session.show(json)"
        ),
        (
            "JSON whose inner key is read",
            "let json = JSON(Data(text.utf8))\n        $L(\"\\(json)\")\n        session.title = json[\"data\"][\"accessToken\"].stringValue",
            "let json = JSON(Data(text.utf8))\n        $L(\"\\(json)\")\n        session.title = json[\"data\"][\"title\"].stringValue"
        ),
        (
            "the answer to a log-in by its case",
            "Network.shared.request(.login(name, text)) { answer in $L(\"\\(answer)\") }",
            "Network.shared.request(.logout(name, text)) { answer in $L(\"\\(answer)\") }"
        ),
    ]

    /// The app's own log functions, each in a file of its own.
    private static let loggers: [(name: String, call: String, text: String)] = [
        ("print", "print", ""),
        (
            "a static method", "AppLog.say",
            "enum AppLog { static func say(_ text: String) { if on { print(text) } }\n static let on = true }"
        ),
        (
            "an autoclosure", "LogInfo",
            "import CocoaLumberjackSwift\npublic func LogInfo(_ text: @autoclosure () -> Any) { DDLogInfo(\"\\(text())\") }"
        ),
        (
            "default arguments", "Trace.message",
            "struct Trace { static func message(file: String = #file, line: Int = #line, _ text: String = \"\") { print(\"\\(file):\\(line) \\(text)\") } }"
        ),
        (
            "variadic items", "dlog",
            "func dlog(_ items: Any..., separator: String = \" \") {\n    let text = items.map { \"\\($0)\" }.joined(separator: separator)\n    NSLog(\"%@\", text)\n}"
        ),
        (
            "a singleton", "LogCenter.shared.debug",
            "final class LogCenter {\n    static let shared = LogCenter()\n    func debug(_ text: String) { write(text, level: 1) }\n    private func write(_ text: String, level: Int) { os_log(\"%{public}@\", text) }\n}"
        ),
        (
            "a protocol", "sharedLog.info",
            "protocol Logs { func info(_ text: String) }\nstruct ConsoleLogs: Logs { func info(_ text: String) { print(text) } }\nlet sharedLog: any Logs = ConsoleLogs()"
        ),
        ("a library", "Log.verbose", "import Willow"),
        (
            "a file", "FileLog.add",
            "enum FileLog {\n    static func add(_ text: String) {\n        #if DEBUG\n        print(text)\n        #else\n        try? text.write(toFile: \"/log.txt\", atomically: true, encoding: .utf8)\n        #endif\n    }\n}"
        ),
    ]

    static func apps(leaks: Bool) -> [GeneratedApp] {
        (told + more).enumerated().flatMap { index, value in
            (0..<5).map { time in
                let logger = loggers[(index + time * 2) % loggers.count]
                return app(value, logger, leaks: leaks)
            }
        }
    }

    private static func app(
        _ value: (name: String, secret: String, harmless: String), _ logger: (name: String, call: String, text: String),
        leaks: Bool
    ) -> GeneratedApp {
        let body = (leaks ? value.secret : value.harmless).replacing("$L", with: logger.call)
        let screen = """
            import UIKit
            import Combine

            struct SignUpForm: Codable { let name: String; let password: String }
            struct SearchForm: Codable { let name: String; let query: String }
            final class Place {
                var accessToken = ""; var title = ""
                func read(_ json: [String: Any]) { accessToken = json["accessToken"] as? String ?? "" }
                func show(_ json: [String: Any]) { title = json["title"] as? String ?? "" }
            }

            final class Screen: UIViewController {
                var bag = Set<AnyCancellable>()
                let session = Place()

                func act(name: String, text: String) {
                    \(body)
                }
            }
            """
        var files: Files = [
            ("App/Screen.swift", screen), ("App/Wire.swift", "import Foundation\nimport Combine\n\(types)"),
        ]
        if !logger.text.isEmpty {
            files.append(("App/Support.swift", "import Foundation\nimport os\n\(logger.text)\n"))
        }
        return GeneratedApp(name: "\(value.name) by \(logger.name)", rule: "secret-in-log", files: files)
    }
}
