// SPDX-License-Identifier: Apache-2.0

import DataProtection
import Foundation
import TestSupport
import Testing

@testable import ProtectedFiles

/// One file of Tests/Vectors/ProtectedFile: a base file, one fault, and the answer that it must have.
struct Vector: CustomTestStringConvertible {
    let name: String
    let fields: [String: String]
    let edits: [String]
    var testDescription: String { name }

    static let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .appendingPathComponent("Vectors/ProtectedFile")

    static let all: [Vector] = ((try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? [])
        .filter { $0.hasSuffix(".txt") }.sorted().compactMap { try? Vector($0) }

    private init(_ file: String) throws {
        name = String(file.dropLast(4))
        var fields: [String: String] = [:]
        var edits: [String] = []
        let text = try String(contentsOf: Self.folder.appendingPathComponent(file), encoding: .utf8)
        for line in text.split(separator: "\n") {
            let parts = line.split(separator: ":", maxSplits: 1).map { $0.trimmingCharacters(in: .whitespaces) }
            if parts[0] == "edit" { edits.append(parts[1]) } else { fields[parts[0]] = parts[1] }
        }
        self.fields = fields
        self.edits = edits
    }

    static func base(_ name: String) throws -> [UInt8] {
        Array(try Data(contentsOf: folder.appendingPathComponent(name + ".bin")))
    }

    /// The base after the edits.
    func bytes() throws -> [UInt8] {
        try edits.reduce(into: Self.base(fields["base"] ?? "")) { bytes, edit in
            let words = edit.split(separator: " ").map(String.init)
            let numbers = words.dropFirst().map { Int($0) ?? 0 }
            func hex(_ text: String) throws -> [UInt8] { try #require([UInt8](hexadecimal: text)) }
            switch words[0] {
            case "put": bytes.replaceSubrange(numbers[0]..<numbers[0] + words[2].count / 2, with: try hex(words[2]))
            case "flip": bytes[numbers[0]] ^= UInt8(numbers[1])
            case "swap":
                let first = Array(bytes[numbers[0]..<numbers[0] + numbers[2]])
                bytes.replaceSubrange(
                    numbers[0]..<numbers[0] + numbers[2], with: Array(bytes[numbers[1]..<numbers[1] + numbers[2]])
                )
                bytes.replaceSubrange(numbers[1]..<numbers[1] + numbers[2], with: first)
            case "copy":
                let source = try words.count > 4 ? Self.base(words[4]) : bytes
                bytes.replaceSubrange(
                    numbers[1]..<numbers[1] + numbers[2], with: source[numbers[0]..<numbers[0] + numbers[2]]
                )
            case "cut": bytes.removeLast(bytes.count - numbers[0])
            case "append": bytes += try hex(words[1])
            default: throw CancellationError()
            }
        }
    }
}

@Suite struct VectorTests {
    // Rule: the header is bound to the file key | `isAuthentic` is always true | `code-changed`, `flag-unsettled`,
    //   `length-shorter` open, wrong bytes come out, `slot-b-torn` is taken for a contradiction
    // Rule: completeUnlessOpen needs the authenticity key besides the agreed one | the key that wraps made of the
    //   shared secret alone | `forged-unless-open` opens, `good-unless-open` doesn't
    // Rule: nothing lies behind the end of a settled file | the file's size not looked at | `trailing-byte` is read
    // Rule: a node is the one that its parent names | its digest not compared | `node-put-back` and
    //   `header-of-older-state` hand out content before they are refused
    // Rule: a header is followed by zeros | not looked at | `padding-changed` opens
    // Rule: spare bytes of a header are zero | not looked at | spare bytes, 3
    @Test("a vector has the answer that it expects, and no wrong byte is handed out", arguments: Vector.all)
    func vector(_ vector: Vector) throws {
        let place = try VectorPlace()
        let path = place.folder.path("file")
        try Data(try vector.bytes()).write(to: URL(fileURLWithPath: path))
        if let index = vector.fields["index"] {
            let record = place.folder.url.appendingPathComponent(".zamok-folder")
            try Data(try Vector.base(index)).write(to: record)
            try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: record.path)
        }
        var handedOut: [UInt8] = []
        let failure = failure(ProtectedFileError.self) {
            try place.store.read(from: FileLocation(path)) { handedOut.append(copying: $0) }
        }
        #expect((failure.map { "\($0.code)" } ?? "opens") == vector.fields["expect"], "\(failure?.message ?? "")")
        let content = Vector.content(vector.fields["content"] ?? "three")
        #expect(content.starts(with: handedOut))
        if failure == nil { #expect(handedOut == content) }
        if vector.fields["hands-out"] == "nothing" { #expect(handedOut.isEmpty) }
    }

    @Test("there is a vector for each attack") func complete() {
        #expect(Vector.all.count >= 40)
        #expect(Vector.all.allSatisfy { $0.fields["why"] != nil && $0.fields["expect"] != nil })
    }
}

/// The vectors' home, in a place where it may be opened.
struct VectorPlace {
    let folder: TemporaryFolder
    let store: ProtectedFileStore

    init() throws {
        folder = try TemporaryFolder()
        let home = folder.url.appendingPathComponent("home")
        try FileManager.default.createDirectory(
            at: home, withIntermediateDirectories: false, attributes: [.posixPermissions: 0o700]
        )
        let source = Vector.folder.appendingPathComponent("home")
        for name in try FileManager.default.contentsOfDirectory(atPath: source.path) {
            let target = home.appendingPathComponent(name)
            try FileManager.default.copyItem(at: source.appendingPathComponent(name), to: target)
            try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: target.path)
        }
        store = ProtectedFileStore(
            home: try Home(TemporaryHome.configuration(of: home.path)), configuration: .sealed
        )
    }
}

extension Vector {
    /// What the base files hold.
    static func content(_ name: String) -> [UInt8] {
        switch name {
        case "empty": []
        case "one": pattern(1000, seed: 11)
        case "three-older": pattern(2 * chunk + 5000, seed: 12)
        case "three": changed
        case "other": pattern(2 * chunk + 5000, seed: 15)
        default: []
        }
    }

    private static var changed: [UInt8] {
        var bytes = pattern(2 * chunk + 5000, seed: 12)
        bytes.replaceSubrange(chunk + 100..<chunk + 200, with: pattern(100, seed: 13))
        return bytes
    }
}
