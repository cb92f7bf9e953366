// SPDX-License-Identifier: Apache-2.0

import DataProtection
import Foundation
import ProtectedFiles
import Security
import Testing

/// What README.md and the page on its use show is what happens.
@Suite struct ReadmeTests {
    static let tests = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    static let readme = tests.deletingLastPathComponent().deletingLastPathComponent().appending(path: "README.md")

    static let use = readme.deletingLastPathComponent().appending(path: "Documentation/Use.md")

    static let tour = readme.deletingLastPathComponent().appending(path: "Documentation/Tour.md")

    /// The fenced blocks of a language.
    static func blocks(_ language: String, of pages: URL...) throws -> [String] {
        try pages.flatMap { page in
            try String(contentsOf: page, encoding: .utf8).components(separatedBy: "```\(language)\n").dropFirst()
                .compactMap { $0.components(separatedBy: "\n```").first }
        }
    }

    /// Random bytes, their places and times are not compared.
    static func settled(_ text: String) -> [String] {
        text.split(separator: "\n").map { line in
            let settled = line.replacing(/[0-9a-f]{4,5} {2}[0-9a-f]{2,16} .{1,16}$/, with: "BYTES")
                .replacing(/users\/[0-9a-f]{8}/, with: "users/ID")
            return String(settled.replacing(/in [0-9.]+ s,/, with: "in N s,"))
        }
    }

    @Test func `the tour succeeds, and its page shows its output`() throws {
        let stage = try Stage()
        let started = ContinuousClock.now
        let ended = try stage.run("umask 022; tour")
        #expect(ended.status == 0)
        #expect(ContinuousClock.now - started < .seconds(60))
        let shown = try #require(try Self.blocks("text", of: Self.tour).first)
        #expect(Self.settled(ended.text) == Self.settled(shown))
        #expect(ended.text.split(separator: "\n").allSatisfy { $0.count <= 80 })
    }

    @Test func `the tour leaves nothing behind and does not touch the home`() throws {
        let stage = try Stage()
        stage.environment["TMPDIR"] = stage.folder + "/tmp"
        #expect(try stage.run("mkdir tmp; tour > /dev/null; find . | sort").text == ".\n./tmp\n")
        #expect(try stage.run("tour | true; tour 2> /dev/null > /dev/full; find . | sort").text == ".\n./tmp\n")
    }

    @Test func `the tour has colours at a terminal only, and not where they are unwanted`() throws {
        let stage = try Stage()
        #expect(!(try stage.run("tour").text.contains("\u{1B}")))
        #expect(try stage.run("tour", replies: []).text.contains("\u{1B}[32m= errSecSuccess"))
        #expect(!(try stage.run("NO_COLOR=1 tour", replies: []).text.contains("\u{1B}")))
    }

    @Test func `every piece of Swift in README is compiled here`() throws {
        let code = try String(contentsOf: Self.tests.appending(path: "ReadmeSnippets.swift"), encoding: .utf8)
        let compiled = Self.lines(code)
        let blocks = try Self.blocks("swift", of: Self.readme, Self.use).filter { !$0.hasPrefix(".") }
        #expect(blocks.count == 6)
        for block in blocks {
            let lines = Self.lines(block).filter { !$0.hasPrefix("import ") }
            #expect(compiled.contains(lines), "\(block)")
        }
    }

    /// What README says to type at a shell, but what is about profiles: ProvisioningProfilesTests has profiles.
    private static func commands() throws -> [(line: String, status: Int32)] {
        try blocks("sh", of: readme, use).flatMap { lines($0) }.filter { !$0.hasPrefix("zamok profiles ") }.map {
            line in
            let status = line.firstMatch(of: /# status (\d+)/).flatMap { Int32($0.1) }
            return (line, status ?? 0)
        }
    }

    @Test func `each command of README runs, in its order`() throws {
        let stage = try Stage()
        stage.environment.merge(["TOKEN": "s3cret", "PIN": "1234", "USER": "anna"]) { $1 }
        let prepared = try stage.run(
            """
            set -e; mkdir Documents; echo 'Dear diary' > Documents/notes.txt
            openssl req -x509 -newkey rsa:2048 -nodes -keyout k.pem -out c.pem -days 9 -subj /CN=client 2> log
            openssl pkcs12 -export -inkey k.pem -in c.pem -name client -passout pass:pk12 -out client.p12
            """)
        #expect(prepared.status == 0, "\(prepared.text)")
        let commands = try Self.commands()
        #expect(commands.count >= 24)
        for (line, status) in commands {
            let ended = try stage.run(line, replies: Self.answers(to: line))
            #expect(ended.status == status, "\(line): \(ended.text)")
        }
        #expect(try stage.run("cat Documents/notes.txt anna.zamok backup.zamok").text.contains("Dear diary") == false)
    }

    /// What a person types meanwhile.
    private static func answers(to line: String) -> [Reply] {
        func hidden(_ text: String) -> Reply { Reply(prompt: ": ", text: text, isShown: false) }
        return switch line {
        case let line where line.contains("passcode set"): [hidden("a passcode"), hidden("a passcode")]
        case let line where line.contains("unlock "): [hidden("a passcode")]
        case let line where line.contains(" export "): [hidden("a long passphrase"), hidden("a long passphrase")]
        case let line where line.contains("users backup"): [hidden("a long passphrase"), hidden("a long passphrase")]
        case let line where line.contains("--p12"): [hidden("pk12")]
        default: []
        }
    }

    private static func lines(_ text: String) -> [String] {
        text.split(separator: "\n").map { $0.trimmingCharacters(in: .whitespaces) }.filter { !$0.isEmpty }
    }

    @Test func `what README promises of its snippets holds`() throws {
        let stage = try Stage()
        var configuration = Home.Configuration()
        configuration.folder = stage.folder + "/home"
        configuration.identity = ApplicationIdentity(applicationIdentifier: "readme", accessGroups: ["readme"])
        let home = try Home(configuration)
        try Home.withCurrent(home) {
            try Self.compareFiles(in: stage.folder)
            ReadmeSnippets.keychain()
            var result: CFTypeRef?
            let query: [CFString: Any] = [
                kSecClass: kSecClassGenericPassword, kSecAttrService: "api", kSecReturnData: true,
            ]
            #expect(unsafe SecItemCopyMatching(query as CFDictionary, &result) == errSecSuccess)
            #expect(result as? Data == Data("s3cret".utf8))
            let password = try ReadmeSnippets.typed()
            #expect(password == "correct horse")
        }
        let mode = try FileManager.default.attributesOfItem(atPath: stage.folder + "/home/keychain.db")[
            .posixPermissions]
        #expect(mode as? Int == 0o600)
        #expect(!(try stage.run("cat home/*").text.contains("s3cret")))
    }

    /// Before and after: the one file is in clear, the other is sealed and for its owner only. It has a path of its
    /// own, since other tests use this process's folder, too.
    private static func compareFiles(in folder: String) throws {
        let file = URL(fileURLWithPath: folder + "/diary.txt")
        try Data("Dear diary".utf8).write(to: file, options: .completeFileProtection)
        #expect(try Data(contentsOf: file) == Data("Dear diary".utf8))
        try FileManager.default.removeItem(at: file)
        let store = ProtectedFileStore(home: try Home.current)
        try store.write(Data("Dear diary".utf8), to: file, options: .completeFileProtection)
        #expect(!(try Data(contentsOf: file).firstRange(of: Data("Dear diary".utf8)) != nil))
        #expect(try FileManager.default.attributesOfItem(atPath: file.path)[.posixPermissions] as? Int == 0o600)
        #expect(try store.read(from: file) == Data("Dear diary".utf8))
    }

    @Test func `the products that the page on its use names exist`() throws {
        let manifest = try String(
            contentsOf: Self.readme.deletingLastPathComponent().appending(path: "Package.swift"), encoding: .utf8
        )
        let page = try String(contentsOf: Self.use, encoding: .utf8)
        let products = page.matches(of: /\n\| `([A-Z][A-Za-z]+)` \|/).map { String($0.1) }
        #expect(products.count >= 6)
        for product in products { #expect(manifest.contains(".library(name: \"\(product)\"")) }
    }
}
