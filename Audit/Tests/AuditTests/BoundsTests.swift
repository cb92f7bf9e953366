// SPDX-License-Identifier: Apache-2.0

import AuditModel
import AuditRules
import Findings
import Foundation
import Synchronization
import Testing

@testable import AuditCommand
@testable import AuditModel

/// Sources made to take an audit's time, memory or stack, or to make it answer otherwise each time.
@Suite("Audits that end, each time in the same way", .timeLimit(.minutes(15)))
struct BoundsTests {
    private static let leak = "func log(_ password: String) { print(password) }\n"

    private func found(_ text: String, _ path: String = "Deep.swift") -> (lines: [Int], skipped: [Skipped]) {
        let project = ProjectModel.read(sources: [(path, text)])
        // Rules run where there is a stack for them.
        let lines = Workers.map([0], workers: 1) { _ in SecretsInLogs().examine(project).map(\.place.line) }
        return (lines.flatMap(\.self), project.skipped)
    }

    // MARK: Questions that come back to themselves

    // Rule: a question about a flow that comes back to itself ends | the expressions that are being looked at not kept
    //   | the stack overflows
    @Test(arguments: [
        // A closure's name is also that of a function whose result the closure maps.
        """
        extension Client {
            func connect<Output>(start: @escaping (Channel) -> F<Output>) -> Output {
                let start = { channel in channel.flatMap { start(channel) }.plain() }
                let e = channel.eventLoop.flatMap { start(channel) }
            }
        }
        struct Loop { func plain() -> any EventLoop { } }
        func go() { let channel = Client(group: g).connect() { channel in print("\\(data)") } }

        """,
        "func f(_ a: String) { func one() -> String { wrap(two()) }\\nfunc two() -> String { wrap(one()) }\\nprint(one()) }\\nfunc wrap(_ t: String) -> String { t }\\n",
        "struct A { let b: B; let password: String; var description: String { \"\\(b.description)\" } }\\nstruct B { let a: A; let token: String; var description: String { \"\\(a.description)\" } }\\nfunc f(a: A) { print(a.description) }\\n",
        "func f() { let a = { b() }\\nlet b = { a() }\\nprint(a()) }\\n",
    ]) func `what asks for itself ends`(_ text: String) {
        let text = text.replacing("\\n", with: "\n")
        let found = found(text + Self.leak)
        #expect(found.lines.contains(text.split(separator: "\n", omittingEmptySubsequences: false).count))
        #expect(found.skipped.isEmpty)
    }

    // Rule: a question goes so deep and no deeper, over all flows that it asks | no count over flows | the stack overflows
    @Test func `a chain of functions without end is cut`() {
        let chain = (0..<20_000).map { "func f\($0)() -> String { wrap(f\($0 + 1)()) }\n" }.joined()
        let text = "func f() {\n\(chain)print(f0())\n}\nfunc wrap(_ t: String) -> String { t }\n"
        #expect(found(Self.leak + text).lines.contains(1))
    }

    // Rule: descriptions that tell each other's are looked at once | each time anew | 2 to the 40th
    @Test func `objects that describe their parts twice are soon done`() {
        let types = (0..<40).map { number in
            "struct T\(number) { let t\(number + 1): T\(number + 1); let password: String\n"
                + "var description: String { \"\\(t\(number + 1).description) \\(t\(number + 1).description)\" } }\n"
        }.joined()
        #expect(found(Self.leak + types + "func f(t0: T0) { print(t0.description) }\n").lines.contains(1))
    }

    // Rule: flows take a number of steps that grows with the sources, and it is told where they would take more | no
    //   count | the cube: minutes for 14 KB
    @Test func `functions that call each other many times are soon done, and it is told`() throws {
        func calls(_ name: String, _ inner: String) -> String {
            "func \(name)(_ t: String) -> String {\n"
                + (0..<150).map { "let a\($0) = \(inner)(t)\n" }.joined() + "return t }\n"
        }
        let text =
            calls("h", "k") + calls("g", "h") + "func k(_ t: String) -> String { t }\n"
            + "func f(password: String) {\n\((0..<150).map { "let a\($0) = g(password)\n" }.joined())print(password) }\n"
        let report = try Project(["A.swift": text]).report { $0.rulebook = Rulebook([SecretsInLogs()]) }
        #expect(report.exitStatus == 2 && report.unread.map(\.path) == ["."])
    }

    // MARK: Chance

    /// An app in which much is taken from types of which each has the same.
    private func app() throws -> Project {
        let project = try Project([
            "App/P.swift": "protocol Store { func keep(_ text: String) }\n",
            "App/U.swift":
                "func signIn(store: any Store, password: String) {\n    store.keep(password)\n    unknown.put(password)\n}\n",
            "App/Z.swift":
                "struct Zulu: Store { func keep(_ text: String) { UserDefaults.standard.set(text, forKey: \"x\") } }\n",
            "App/V.swift": "struct Put { func put(_ text: String) { print(text) } }\n",
        ])
        for number in 0..<30 {
            try project.write(
                "struct S\(number): Store { var password\(number) = \"\"\nfunc keep(_ text: String) { count(text) }\n"
                    + "func put(_ text: String, to place: Int) { }\n"
                    + "func put(number: Int) { }\nfunc tell() { print(self, password\(number)); NSLog(token\(number)) }\n"
                    + "lazy var field\(number) = UITextField()\n@AppStorage(\"token\") var token\(number) = \"\"\n"
                    + "@AppStorage(\"kind\") var secret\(number): String = \"https://api\(number % 7).example.com/v1\" }\n"
                    + "class A\(number % 4) { let apiKey = \"q8fJ2kL0vX7mZp3R\(number)tYw\"\nlet base = \"http://a.example\(number % 3).com/login\" }\n",
                "App/M\(number % 5)/S\(number).swift")
        }
        return project
    }

    // Rule: an audit says the same each time | types iterated in the order of a dictionary | other bytes in 18 of 30 runs
    @Test func `the same sources have the same report in every process`() throws {
        let project = try app()
        let reports = try (0..<12).map { _ in
            try run(program, [project.folder, "--no-cache", "--format", "json", "--min-certainty", "possible"])
        }
        #expect(Set(reports.map(\.bytes)).count == 1)
        #expect(Set(reports.map(\.status)) == [1])
    }

    // Rule: a protocol's leak is found whichever of its types leaks | the first eight types looked at | 0 in 14 of 30 runs
    @Test func `the one of many types that leaks is found`() throws {
        let app = try app()
        let project = ProjectModel(FileTree.walk(app.folder, options: .init()), options: .init())
        #expect(SecretsInStores().examine(project).map(\.place.file).contains("App/Z.swift"))
        // Of the functions that the name of a call could mean, those count that take what it gives.
        #expect(SecretsInLogs().examine(project).map(\.place.file).contains("App/V.swift"))
    }

    // MARK: What costs the parser most

    // Rule: what costs the parser time out of proportion is blanked and told | no bound for attributes, backslashes and
    //   macros | `(@(@` takes three times as long for each
    @Test(arguments: [
        "(@", "(@(", "@(a:", "(a:@", "(@a.b(", "\\(", "\\(a.", "\\(.", "#available(", "#unavailable(", "#a(#b(",
        "macro a(", "precedencegroup a { ", "async ", "sending ", "borrowing ", "isolated ", "indirect ", "final ",
        "package ", "unowned(unsafe) ", "@escaping (", "#sourceLocation(", "while let a = b {", "subscript(", "[@",
    ])
    func `what is open or in a row without end is read in part, told and soon done`(_ open: String) {
        let found = found("\(Self.leak)let x = \(String(repeating: open, count: 1_000))1\n")
        #expect(found.skipped.map(\.path) == ["Deep.swift"])
        #expect(found.lines == [1])
    }

    @Test func `what sources have of all that is read whole`() {
        let text = """
            @available(iOS 15, *) public final class A: B, @unchecked Sendable {
                private nonisolated(unsafe) static weak var a: (@Sendable @escaping (Int) -> Void)?
                nonisolated public private(set) lazy var b = items.map(\\.name).sorted(by: \\(A).c)
                func f() async throws { if #available(iOS 16, *) { #expect(try #require(g(#file)) == 1) } }
                @Wrap(a: (1, [2])) @Other(.b(c: [1: (2, 3)])) var d: [String: [Int: (Int, Set<Int>)]]
                indirect enum E { case a, b }
            }

            """
        let found = found(String(repeating: text, count: 200) + Self.leak)
        #expect(found.skipped.isEmpty && found.lines == [1_401])
    }

    // Rule: a file of a million signs takes no gigabyte, and it is told | no bound for words and signs | 1.2 GB
    @Test func `what is behind half a million words and signs isn't read, and that is told`() {
        let sum = "let x = 1" + String(repeating: " + 1", count: 260_000) + "\n"
        let found = found(Self.leak + sum + Self.leak)
        #expect(found.lines == [1])
        #expect(
            found.skipped.map(\.reason) == ["it has more than 500000 words and signs; those behind aren't read"])
    }

    // Rule: what doesn't end is left, and the others are done | waited for | no end
    @Test func `an input that takes too long has no result, and the others have theirs`() {
        let isOver = Mutex(false)
        let results = Workers.map(Array(0..<20), workers: 3, within: 0.5) { number in
            while number == 4 || number == 7, !isOver.withLock({ $0 }) {}
            return number
        }
        #expect(results == (0..<20).map { [4, 7].contains($0) ? nil : $0 })
        // As many as there are threads: nothing more is begun.
        let none = Workers.map(Array(0..<20), workers: 1, within: 0.5) { number in
            while number == 1, !isOver.withLock({ $0 }) {}
            return number
        }
        #expect(none == [0] + Array(repeating: nil, count: 19))
        isOver.withLock { $0 = true }
    }

    // MARK: Time in the number of files and findings

    // Rule: a tree takes time as it is large | types of one name compared with each other, and each file with each type
    //   | the square
    @Test(arguments: ["struct S { }\n", "struct S# { let a: Int }\n", "@main struct A#: App { }\n"])
    func `many files are soon done`(_ text: String) {
        let sources = (0..<4_000).map { number in
            (path: "M\(number % 40)/F\(number)/F.swift", text: text.replacing("#", with: "\(number)"))
        }
        var options = ProjectModel.Options()
        options.workers = 2
        let project = ProjectModel.read(sources: sources + [("L.swift", Self.leak)], options: options)
        #expect(allRules.flatMap { $0.examine(project) }.map(\.rule).contains("secret-in-log"))
    }

    // Rule: comments that allow findings cost as many looks as there are | each compared with every finding | the square
    @Test func `many findings with a comment each are soon done`() throws {
        let line = "print(password) // zamok:allow(secret-in-log) because\n"
        let above = String(repeating: "// zamok:allow(XLOG) because\n", count: 4_000)
        let file = String(repeating: "// zamok:allow-file(R1) because\n", count: 4_000)
        let project = try Project([
            "A.swift":
                "func f(password: String) {\n\(String(repeating: line, count: 4_000))\(above)print(password)\n}\n\(file)"
        ])
        let report = try project.report { $0.rulebook = Rulebook([SecretsInLogs()]) }
        #expect(report.findings.count == 4_001 && report.open.isEmpty)
        #expect(report.remarks.count == 4_000)
    }

    // MARK: Settings

    // Rule: every text of a JSON file is looked at under its key | the first pair of each line | nothing found
    @Test(arguments: [
        #"{"name":"x","stripeSecretKey":"KEY"}"#, #"{"a":{"stripeSecretKey":"KEY"}}"#,
        #"{"a":[{"b":1,"stripeSecretKey":"KEY"}]}"#, "{\"stripeSecretKey\":\n \"KEY\"}",
        #"{"stripeSecretKeys":["KEY"]}"#, #"// keys\n{"a": "b", /* it */ "stripeSecretKey" : "KEY"}"#,
        #"{"url":"http:\/\/a\"b","stripeSecretKey":"KEY"}"#,
    ])
    func `a secret anywhere in JSON is found`(_ text: String) throws {
        let key = "sk_live_" + "4eC39HqLyjWDarjtT1zdp7dc"
        let text = text.replacing("KEY", with: key).replacing(#"keys\n"#, with: "keys\n")
        for name in ["secrets.json", "Secrets.JSON"] {
            let project = try Project([name: text + "\n"])
            let report = try project.report { $0.rulebook = Rulebook([HardcodedSecrets()]) }
            let line = (text.split(separator: "\n").firstIndex { $0.contains(key) } ?? 0) + 1
            #expect(report.open.map(\.finding.place.line) == [line], "\(text)")
            #expect(report.exitStatus == 1)
        }
        let cut = try Project(["secrets.json": String(text.dropLast(3))])
        #expect(try cut.report().exitStatus == 2)
    }

    // Rule: settings are read to their end | 4,096 lines of at most 8 KB | nothing found, nothing told
    @Test func `a secret far down in a file of settings, or in a long line of it, is found`() throws {
        let key = "sk_live_" + "4eC39HqLyjWDarjtT1zdp7dc"
        let many = (0..<6_000).map { "NAME_\($0)=1\n" }.joined() + "STRIPE_SECRET_KEY=\(key)\n"
        let long = "STRIPE_SECRET_KEY=\(key) # \(String(repeating: "x", count: 20_000))\n"
        for (name, text, line) in [(".env", many, 6_001), (".ENV", long, 1), ("A.xcconfig", many, 6_001)] {
            let report = try Project([name: text]).report { $0.rulebook = Rulebook([HardcodedSecrets()]) }
            #expect(report.open.map(\.finding.place.line) == [line], "\(name)")
        }
    }

    // Rule: of a key that a property list has twice the last counts, and entities are told | the first; passed over | 0
    @Test func `property lists are read as systems read them`() throws {
        let list = { (head: String, body: String) in
            "<?xml version=\"1.0\"?>\n\(head)<plist version=\"1.0\"><dict>\n\(body)</dict></plist>\n"
        }
        let twice = PropertyListFile(
            path: "A.plist",
            bytes: Array(list("", "<key>a</key><false/>\n<key>b</key><true/>\n<key>a</key><true/>\n").utf8))
        #expect(twice.entries.map(\.key) == ["b", "a"] && twice.entries.allSatisfy(\.isTrue))
        #expect(twice.entry("a")?.place.line == 5 && !twice.isDamaged)
        for head in ["<!DOCTYPE plist [<!ENTITY k \"a\">]>", "<!DOCTYPE plist [<!ELEMENT a (b)> <!ENTITY k \"a\">]>"] {
            #expect(PropertyListFile(path: "A.plist", bytes: Array(list(head, "<key>&k;</key><true/>").utf8)).isDamaged)
        }
        let apple =
            "<!DOCTYPE plist PUBLIC \"-//Apple//DTD PLIST 1.0//EN\" \"http://www.apple.com/DTDs/PropertyList-1.0.dtd\">\n"
        #expect(!PropertyListFile(path: "A.plist", bytes: Array(list(apple, "").utf8)).isDamaged)
    }

    // MARK: What others brought

    // Rule: a reason is one that people can read | any character | silenced
    @Test(arguments: ["\u{200B}", "-", "\u{2060}\u{FE0F}", "..."])
    func `a reason that shows nothing silences nothing`(_ reason: String) throws {
        let project = try Project(["A.swift": "func f() { shout(a) } // zamok:allow(shouting) \(reason)\n"])
        #expect(try project.report().exitStatus == 1)
    }

    // Rule: a folder in which nothing is examined isn't clean | it is | 0
    @Test func `a folder without anything to examine has status 2`() throws {
        #expect(try Project().report().exitStatus == 2)
        #expect(try Project(["README.md": "x"]).report().exitStatus == 2)
        #expect(try Project(["A.swift": "\n"]).report().exitStatus == 0)
    }

    // Rule: the configuration and its baseline are the folder's own | links out of it followed | rules off, 0
    @Test func `a configuration or a baseline by a link out of the folder is refused`() throws {
        let outside = try Project([
            "c.json": "{\"rules\": {\"secret-in-log\": \"off\"}}", "b.json": "{\"format\": 1, \"findings\": []}",
        ])
        let project = try Project(["A.swift": Self.leak, "in.json": "{\"format\": 1, \"findings\": []}"])
        func audit() throws -> Int32 { try run(program, [project.folder, "--no-cache"]).status }
        func link(_ name: String, to target: String) throws {
            try FileManager.default.createSymbolicLink(
                atPath: "\(project.folder)/\(name)", withDestinationPath: target)
        }
        try link(".zamok-audit.json", to: outside.folder + "/c.json")
        #expect(try audit() == 64)
        try project.remove(".zamok-audit.json")
        try project.write("{\"baseline\": \"b.json\"}", ".zamok-audit.json")
        try link("b.json", to: outside.folder + "/b.json")
        #expect(try audit() == 64)
        try project.remove("b.json")
        try link("b.json", to: "in.json")
        #expect(try audit() == 1)
    }

    // Rule: a cache that others could have written isn't believed | any file read | 0
    @Test(arguments: ["file", "folder"]) func `what others may write to the cache isn't believed`(_ what: String) throws
    {
        let project = try Project(["A.swift": "func f() { shout(a) }\n"])
        let cache = try Project()
        let folder = cache.folder + "/c"
        func audit() throws -> Int32 {
            try project.report {
                $0.usesCache = true
                $0.cacheFolder = folder
            }.exitStatus
        }
        #expect(try audit() == 1)
        let name = try #require(try FileManager.default.contentsOfDirectory(atPath: folder).first)
        let stored = try JSONSerialization.jsonObject(with: Data(try cache.text("c/\(name)").utf8))
        var entry = try #require(stored as? [String: Any])
        entry["result"] = ["findings": [Any](), "skipped": [Any]()]
        try cache.write(JSONSerialization.data(withJSONObject: entry), "c/\(name)")
        try #require(try audit() == 0, "the answer comes from the cache")
        let path = what == "file" ? "\(folder)/\(name)" : folder
        try FileManager.default.setAttributes([.posixPermissions: 0o777], ofItemAtPath: path)
        #expect(try audit() == 1)
    }

    // Rule: a revision's files take so much room and no more | no bound | 5 GB in a minute
    @Test func `a revision that names one object many times is refused`() throws {
        let project = try Project(["A.swift": "func f() {}\n"])
        try project.git("init", "-q")
        try project.write(String(repeating: "// x\n", count: 1 << 20), "B.swift")
        let object = try project.git("hash-object", "-w", "B.swift").trimmingCharacters(in: .newlines)
        let tree = try run(
            "git", ["-C", project.folder, "mktree"],
            input: Array((0..<200).map { "100644 blob \(object)\tB\($0).swift\n" }.joined().utf8)
        ).output.trimmingCharacters(in: .newlines)
        let commit = try project.git("commit-tree", tree, "-m", "x").trimmingCharacters(in: .newlines)
        let ended = try run(program, [project.folder, "--no-cache", "--changed-since", commit])
        #expect(ended.status == 64 && ended.errors.contains("holds more than an audit reads"), "\(ended)")
    }

    // Rule: what git would wait for is refused before it starts | not asked | HEAD, config, commondir and alternates let
    //   it wait for ever
    @Test(arguments: ["HEAD", "config", "commondir", "objects/info/alternates", "objects/ab"])
    func `a pipe among the files of a repository is refused`(_ name: String) throws {
        let project = try Project(["A.swift": "func f() {}\n"])
        try project.git("init", "-q")
        try project.git("add", "A.swift")
        try project.git("commit", "-q", "-m", "x")
        let path = project.folder + "/.git/" + name
        try? FileManager.default.removeItem(atPath: path)
        #expect(try run("mkfifo", [path]).status == 0)
        let ended = try run("timeout", ["10", program, project.folder, "--no-cache", "--changed-since", "HEAD"])
        #expect(ended.status == 64 && ended.errors.contains("is a pipe or a device"), "\(ended)")
    }
}
