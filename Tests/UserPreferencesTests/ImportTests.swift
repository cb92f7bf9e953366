// SPDX-License-Identifier: Apache-2.0

import DataProtection
import Foundation
import TestSupport
import Testing

@testable import UserPreferences

@Suite("Import and export of preferences")
struct ImportTests {
    let place = TemporaryHome()
    let preferences: Preferences
    let folder: URL

    init() throws {
        preferences = try Preferences(home: try place.open())
        folder = URL(fileURLWithPath: place.path + "-files")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    }

    private func file(_ bytes: some Sequence<UInt8>, _ name: String = "user1.plist") throws -> String {
        let url = folder.appending(path: name)
        try Data(bytes).write(to: url)
        return url.path
    }

    private func importing(_ bytes: some Sequence<UInt8>, replacing: Bool = true) async throws -> PreferencesImport {
        try await preferences.importing(from: .file(path: try file(bytes)), replacing: replacing)
    }

    // Without 0 and 1: an archive made on Linux does not tell them from Booleans.
    private static var values: [String: Any] {
        [
            "name": "Анна", "size": 12, "on": true, "ratio": 0.5, "when": Date(timeIntervalSinceReferenceDate: 9.5),
            "raw": Data([0, 255]), "nested": ["list": [3, ["deep": "er"]] as [Any]],
        ]
    }
    private static let expected: [String: PropertyValue] = [
        "name": .string("Анна"), "size": .integer(12), "on": .boolean(true), "ratio": .real(0.5),
        "raw": .data([0, 255]),
        "nested": .dictionary(["list": .array([.integer(3), .dictionary(["deep": .string("er")])])]),
    ]

    private func expectValues() throws {
        for (key, value) in Self.expected { #expect(try preferences.object(forKey: key) == value, "\(key)") }
        #expect(try preferences.date(forKey: "when")?.timeIntervalSinceReferenceDate.rounded(.down) == 9)
        #expect(try preferences.dictionaryRepresentation().count == Self.values.count)
    }

    @Test(arguments: [PropertyListSerialization.PropertyListFormat.xml, .binary])
    func `property lists are imported whole`(format: PropertyListSerialization.PropertyListFormat) async throws {
        let list = try PropertyListSerialization.data(fromPropertyList: Self.values, format: format, options: 0)
        let done = try await importing(list)
        #expect(done.imported == Self.values.keys.sorted() && done.rejected.isEmpty)
        try expectValues()
    }

    @Test(arguments: [true, false])
    func `the recipe's archives are imported, requiring secure coding or not`(secure: Bool) async throws {
        let archive = try NSKeyedArchiver.archivedData(withRootObject: Self.values, requiringSecureCoding: secure)
        let done = try await importing(archive)
        #expect(done.imported == Self.values.keys.sorted() && done.rejected.isEmpty)
        try expectValues()
    }

    @Test func `of an archive with a class outside the list the rest is imported, and the class is named`() async throws
    {
        var values = Self.values
        values["link"] = NSURL(string: "https://example.com")
        let archive = try NSKeyedArchiver.archivedData(withRootObject: values, requiringSecureCoding: false)
        let done = try await importing(archive)
        #expect(done.rejected == [.init(key: "link", className: "NSURL")])
        try expectValues()
    }

    @Test func `what is cut short or garbage is refused with a message, and nothing is changed`() async throws {
        try preferences.set(1, forKey: "kept")
        let archive = try NSKeyedArchiver.archivedData(withRootObject: Self.values, requiringSecureCoding: true)
        let xml = try PropertyListSerialization.data(fromPropertyList: Self.values, format: .xml, options: 0)
        let deep = String(repeating: "<array>", count: 100) + String(repeating: "</array>", count: 100)
        let entity = "<?xml version=\"1.0\"?><!DOCTYPE plist [<!ENTITY a \"b\">]><plist><dict/></plist>"
        let cases: [[UInt8]] = [
            [], Array(archive.prefix(archive.count / 2)), Array(archive.dropLast(1)), Array(archive.prefix(8)),
            Array(xml.prefix(xml.count / 2)), [UInt8](repeating: 0x5A, count: 4_000),
            Array("bplist00".utf8) + [UInt8](repeating: 0xFF, count: 64),
            Array("<plist><dict><key>a</key>\(deep)</dict></plist>".utf8), Array(entity.utf8),
            Array("<plist><array/></plist>".utf8),
        ]
        for (number, bytes) in cases.enumerated() {
            do {
                _ = try await importing(bytes)
                Issue.record("case \(number) was imported")
            } catch let error as PreferencesError {
                #expect(error.code == (number == 7 ? .tooLarge : .unknownFormat), "case \(number)")
                #expect(error.message.hasPrefix("the file can't be imported"), "case \(number): \(error.message)")
            }
        }
        #expect(try preferences.dictionaryRepresentation() == ["kept": .integer(1)])
    }

    @Test func `a file that is not there is told as such`() async throws {
        await #expect(throws: PreferencesError(.io, "")) {
            try await preferences.importing(from: .file(path: folder.path + "/absent"))
        }
    }

    @Test func `a domain of UserDefaults is imported`() async throws {
        let suite = "zamok-test-\(UUID().uuidString)"
        let defaults = try #require(UserDefaults(suiteName: suite))
        defer {
            defaults.removePersistentDomain(forName: suite)
            defaults.synchronize()
        }
        defaults.set("dark", forKey: "theme")
        defaults.set(14, forKey: "size")
        defaults.synchronize()
        let done = try await preferences.importing(from: .userDefaults(suiteName: suite))
        #expect(done.imported == ["size", "theme"])
        #expect(try preferences.string(forKey: "theme") == "dark")
        await #expect(throws: PreferencesError(.invalidArgument, "")) {
            try await preferences.importing(from: .userDefaults(suiteName: suite + "-none"))
        }
    }

    @Test func `values that are there stay if that is wanted`() async throws {
        try preferences.set("mine", forKey: "a")
        let list = try PropertyListSerialization.data(fromPropertyList: ["a": "x", "b": "y"], format: .xml, options: 0)
        let done = try await importing(list, replacing: false)
        #expect(done.imported == ["b"] && done.kept == ["a"])
        #expect(try preferences.dictionaryRepresentation() == ["a": .string("mine"), "b": .string("y")])
    }

    @Test func `an import that is cancelled changes nothing`() async throws {
        let list = try PropertyListSerialization.data(fromPropertyList: Self.values, format: .binary, options: 0)
        let path = try file(list)
        let task = Task { [preferences] in
            unsafe withUnsafeCurrentTask { unsafe $0?.cancel() }
            return try await preferences.importing(from: .file(path: path))
        }
        await #expect(throws: PreferencesError(.cancelled, "")) { try await task.value }
        #expect(try preferences.dictionaryRepresentation().isEmpty)
    }

    @Test func `files of the recipe are found, and nothing else`() throws {
        let list = try PropertyListSerialization.data(fromPropertyList: ["a": 1], format: .binary, options: 0)
        let found = try file(list)
        _ = try file(list, "notes.txt")
        _ = try file("no list".utf8, "other.plist")
        #expect(Preferences.importableFiles(in: folder.path).filter { $0.hasPrefix(folder.path) } == [found])
    }

    @Test func `an export is a property list of mode 0600, never over a file that exists`() async throws {
        _ = try await importing(
            try PropertyListSerialization.data(fromPropertyList: Self.values, format: .binary, options: 0))
        let path = folder.path + "/export.plist"
        try preferences.exportPropertyList(to: path)
        #expect(try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int == 0o600)
        let elsewhere = TemporaryHome()
        let other = try Preferences(home: try elsewhere.open())
        _ = try await other.importing(from: .file(path: path))
        #expect(try other.dictionaryRepresentation().count == Self.values.count)
        let before = try Data(contentsOf: URL(fileURLWithPath: path))
        #expect(throws: PreferencesError(.fileExists, "")) { try preferences.exportPropertyList(to: path) }
        // XML has no form for it, and what can't be read again is not written.
        try preferences.set("a\u{1}b", forKey: "control")
        let binary = path + ".binary"
        #expect(throws: PreferencesError(.invalidArgument, "")) { try preferences.exportPropertyList(to: binary) }
        #expect(!FileManager.default.fileExists(atPath: binary))
        try preferences.exportPropertyList(to: binary, format: .binary)
        _ = try PropertyListReader.read(Array(try Data(contentsOf: URL(fileURLWithPath: binary))))
        #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == before)
    }
}
