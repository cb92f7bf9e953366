// SPDX-License-Identifier: Apache-2.0

extension LeakWriter {
    /// Inside of one function.
    static let plainCarries: [LeakCarry] = [
        LeakCarry(name: "nothing", body: "", value: "$E"),
        LeakCarry(name: "an alias", body: "let value = $E\n        let other = value", value: "other"),
        LeakCarry(name: "an optional", body: "guard let value = Optional($E) else { return }", value: "value"),
        LeakCarry(name: "an unknown member", body: "let value = $E.hexadecimalString", value: "value"),
        LeakCarry(name: "an unknown method", body: "let value = $E.paddedWithZeros(to: 16)", value: "value"),
        LeakCarry(name: "a chain", body: "let value = $E.trimmed.folded(0).asText()", value: "value"),
        LeakCarry(name: "a labelled tuple", body: "let pair = (number: 1, content: $E)", value: "pair.content"),
        LeakCarry(name: "a numbered tuple", body: "let pair = (1, $E)", value: "pair.1"),
        LeakCarry(name: "a taken tuple", body: "let (content, number) = ($E, 1)\n        _ = number", value: "content"),
        LeakCarry(
            name: "a switch",
            body: """
                let value: String
                        switch Optional($E) {
                        case .some(let inner): value = inner
                        case .none: value = ""
                        }
                """, value: "value"),
        LeakCarry(name: "a format", body: "let value = String(format: \"<%@>\", $E)", value: "value"),
        LeakCarry(name: "an interpolation", body: "let value = \"v=\\($E)\"", value: "value"),
        LeakCarry(name: "a sum", body: "let value = \"v=\" + $E", value: "value"),
        LeakCarry(name: "an array", body: "let list = [\"a\", $E]", value: "list.joined(separator: \",\")"),
        LeakCarry(name: "an element", body: "let list = [$E, \"a\"]", value: "list[0]"),
        LeakCarry(name: "a dictionary", body: "let list = [\"v\": $E]", value: "\"\\(list)\""),
        LeakCarry(
            name: "a key", body: "var list: [String: String] = [:]\n        list[\"v\"] = $E",
            value: "(list[\"v\"] ?? \"\")"),
        LeakCarry(name: "a closure", body: "let make = { () -> String in $E }", value: "make()"),
        LeakCarry(name: "a choice", body: "let value = bag.isEmpty ? $E : \"\"", value: "value"),
        LeakCarry(
            name: "an if", body: "let value = if bag.isEmpty { $E } else { \"\" }", value: "value"),
        LeakCarry(name: "a map", body: "let value = Optional($E).map { $0 + \"!\" } ?? \"\"", value: "value"),
        LeakCarry(name: "a growing text", body: "var value = \"a\"\n        value += $E", value: "value"),
        LeakCarry(name: "an append", body: "var value = \"a\"\n        value.append($E)", value: "value"),
        LeakCarry(name: "a loop", body: "for value in [$E] {\n            $SINK\n        }", value: "value"),
        LeakCarry(
            name: "bytes",
            body: "let bytes = Data($E.utf8)\n        let value = String(decoding: bytes, as: UTF8.self)",
            value: "value"),
        LeakCarry(name: "Base64", body: "let value = Data($E.utf8).base64EncodedString()", value: "value"),
        LeakCarry(name: "a cast", body: "let value = $E as NSString as String", value: "value"),
        LeakCarry(name: "a reduction", body: "let value = [$E].reduce(\"\") { $0 + $1 }", value: "value"),
        LeakCarry(
            name: "a task", body: "Task {\n            let value = $E\n            $SINK\n        }", value: "value"),
        LeakCarry(
            name: "a queue",
            body: "let value = $E\n        DispatchQueue.main.async { [self] in\n            $SINK\n        }",
            value: "value"),
        LeakCarry(
            name: "a publisher",
            body: "Just($E).map { $0 }.sink { value in\n            $SINK\n        }.store(in: &bag)",
            value: "value"),
        LeakCarry(
            name: "a result",
            body: """
                let result: Result<String, any Error> = .success($E)
                        if case .success(let value) = result {
                            $SINK
                        }
                """, value: "value"),
        LeakCarry(name: "a description", body: "let value = String(describing: $E)", value: "value"),
        LeakCarry(
            name: "a replacement", body: "let value = $E.replacingOccurrences(of: \"+\", with: \"-\")", value: "value"),
    ]

    /// Through functions of the app.
    static let functionCarries: [LeakCarry] = [
        LeakCarry(name: "a local function", body: "func inner() -> String { $E }", value: "inner()"),
        LeakCarry(
            name: "a method", members: "func shaped(_ text: String) -> String { \"<\" + text + \">\" }", body: "",
            value: "shaped($E)"),
        LeakCarry(
            name: "a computed member of String",
            other: "extension String { var tidy: String { trimmingCharacters(in: .newlines) } }",
            body: "let value = $E.tidy", value: "value"),
        LeakCarry(
            name: "a method of String",
            other:
                "extension String {\n    func cut(_ most: Int) -> String {\n        let all = self\n        return all\n    }\n}",
            body: "let value = $E.cut(99)", value: "value"),
        LeakCarry(
            name: "a generic function", other: "enum Tools {\n    static func same<T>(_ value: T) -> T { value }\n}",
            body: "",
            value: "Tools.same($E)"),
        LeakCarry(
            name: "a filled parameter", members: "func fill(_ out: inout String) { out = $E }",
            body: "var value = \"\"\n        fill(&value)", value: "value"),
        LeakCarry(
            name: "a completion", members: "func load(_ done: (String) -> Void) { done($E) }",
            body: "load { value in\n            $SINK\n        }", value: "value"),
        LeakCarry(
            name: "an asynchronous function", members: "func load() async -> String { $E }",
            body: "Task {\n            let value = await load()\n            $SINK\n        }", value: "value"),
        LeakCarry(
            name: "a function that takes it", members: "func keep(_ content: String) {\n        $SINK\n    }",
            body: "keep($E)",
            value: "content"),
        LeakCarry(
            name: "two functions that take it",
            members:
                "func pass(_ content: String) { keep(content.trimmed) }\n    func keep(_ content: String) {\n        $SINK\n    }",
            body: "pass($E)", value: "content"),
        LeakCarry(
            name: "a payload", file: "enum Happening { case typed(String), nothing }",
            body: """
                let happening = Happening.typed($E)
                        switch happening {
                        case .typed(let value):
                            $SINK
                        case .nothing: break
                        }
                """, value: "value"),
        LeakCarry(
            name: "a box", file: "struct Box { let content: String }", body: "let box = Box(content: $E)",
            value: "box.content"),
    ]

    /// Through properties of the class. None of their sources is a parameter.
    static let memberCarries: [LeakCarry] = [
        LeakCarry(name: "a computed property", members: "var current: String { $E }", body: "", value: "current"),
        LeakCarry(name: "a lazy property", members: "lazy var current: String = { $E }()", body: "", value: "current"),
        LeakCarry(
            name: "a stored property", members: "var kept = \"\"\n    func typed() { kept = $E }", body: "",
            value: "kept"),
        LeakCarry(
            name: "an observer", members: "var kept = \"\" {\n        didSet {\n            $SINK\n        }\n    }",
            body: "kept = $E", value: "kept"),
        LeakCarry(
            name: "a list of the class", members: "var kept: [String] = []\n    func typed() { kept.append($E) }",
            body: "",
            value: "kept.joined()"),
        LeakCarry(
            name: "a stored closure", members: "var done: ((String) -> Void)?",
            body: "done = { value in\n            $SINK\n        }\n        done?($E)", value: "value"),
    ]

    /// Across types and files. None of their sources is a parameter.
    static let joinedCarries: [LeakCarry] = [
        LeakCarry(
            name: "another object",
            other: "final class Hub {\n    static let shared = Hub()\n    var content = \"\"\n}",
            members: "func typed() { Hub.shared.content = $E }", body: "", value: "Hub.shared.content"),
        LeakCarry(
            name: "an initializer",
            other: """
                final class Keeper {
                    private let content: String
                    init(content: String) { self.content = content }
                    func keep() {
                        $SINK
                    }
                }
                """, body: "Keeper(content: $E).keep()", value: "content"),
        LeakCarry(
            name: "a delegate",
            file: "protocol Listener: AnyObject { func didEnter(_ content: String) }",
            other: """
                final class Other: Listener {
                    func didEnter(_ content: String) {
                        $SINK
                    }
                }
                """, members: "weak var listener: (any Listener)?", body: "listener?.didEnter($E)", value: "content"),
        LeakCarry(
            name: "a service",
            other: """
                final class Service {
                    static let shared = Service()
                    func submit(name: String, content: String) {
                        $SINK
                    }
                }
                """, body: "Service.shared.submit(name: \"a\", content: $E)", value: "content"),
    ]
}
