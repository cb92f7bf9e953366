// SPDX-License-Identifier: Apache-2.0

import DataProtection
import Foundation
import Testing

@testable import ProtectedFiles

@Suite struct FoundationTests {
    struct Case: Sendable {
        let options: Data.WritingOptions
        let expected: ProtectionClass

        static let all = [
            Case(options: .completeFileProtection, expected: .complete),
            Case(options: [.completeFileProtectionUnlessOpen, .atomic], expected: .completeUnlessOpen),
            Case(
                options: .completeFileProtectionUntilFirstUserAuthentication,
                expected: .completeUntilFirstUserAuthentication
            ),
            Case(options: .noFileProtection, expected: .none),
            Case(options: [], expected: .completeUntilFirstUserAuthentication),
        ]
    }

    @Test("Data.WritingOptions mean what they say", arguments: Case.all)
    func options(_ each: Case) throws {
        let (options, expected) = (each.options, each.expected)
        let files = try TemporaryStore()
        let url = URL(fileURLWithPath: files.path("a b%25ü").description)
        try files.store.write(Data("secret".utf8), to: url, options: options)
        #expect(try files.store.read(from: url) == Data("secret".utf8))
        #expect(try files.store.protection(of: FileLocation(url)) == expected)
        #expect(try files.raw(FileLocation(url)).count == 4096 + 6)
        let type = FileProtectionType(expected)
        let attributes = try files.store.attributesOfItem(atPath: files.path("a b%25ü").description)
        #expect((attributes[.protectionKey] as? FileProtectionType)?.rawValue == type?.rawValue && type != nil)
    }

    @Test("what can't be honoured is refused, never ignored") func refused() throws {
        let files = try TemporaryStore()
        let path = files.path("a").description
        let url = URL(fileURLWithPath: path)
        for bits: UInt in [0x5000_0000, 1 << 20] {
            let options = Data.WritingOptions(rawValue: bits)
            #expect(code { try files.store.write(Data(), to: url, options: options) } == .unsupported)
        }
        let remote = try #require(URL(string: "https://example.com/a"))
        #expect(code { try files.store.write(Data(), to: remote) } == .invalidArgument)
        let mode: [FileAttributeKey: Any] = [.posixPermissions: 0o644]
        #expect(code { try files.store.createFile(atPath: path, attributes: mode) } == .unsupported)
        let inactive = FileProtectionType(rawValue: "NSFileProtectionCompleteWhenUserInactive")
        #expect(
            code { try files.store.createFile(atPath: path, attributes: [.protectionKey: inactive]) } == .unsupported)
        #expect(code { try files.store.write(Data(), to: url, protection: inactive) } == .unsupported)
        #expect(code { try files.store.createFile(atPath: path, attributes: [.protectionKey: 7]) } == .unsupported)
        #expect(files.names.isEmpty)
        try files.store.write(Data(), to: url)
        #expect(code { try files.store.write(Data(), to: url, options: .withoutOverwriting) } == .exists)
    }

    @Test("attribute dictionaries protect, reclassify, and set a folder's default") func attributes() throws {
        let files = try TemporaryStore()
        let path = files.path("a").description
        try Data("in clear".utf8).write(to: URL(fileURLWithPath: path))
        #expect(try files.store.attributesOfItem(atPath: path).isEmpty)
        try files.store.setAttributes([.protectionKey: FileProtectionType.complete], ofItemAtPath: path)
        #expect(try files.store.protection(of: files.path("a")) == .complete)
        #expect(try files.raw(files.path("a")).count > 4096)
        try files.store.setAttributes([.protectionKey: FileProtectionType.none.rawValue], ofItemAtPath: path)
        #expect(try files.store.protection(of: files.path("a")) == ProtectionClass.none)
        #expect(try files.store.read(from: files.path("a")) == Array("in clear".utf8))
        let folder = files.folder.description
        try files.store.setAttributes([.protectionKey: FileProtectionType.completeUnlessOpen], ofItemAtPath: folder)
        try files.store.createFile(atPath: files.path("b").description, contents: Data([1]))
        #expect(try files.store.protection(of: files.path("b")) == .completeUnlessOpen)
    }

    @Test("the entitlement's words are classes") func words() {
        for protection in [ProtectionClass.complete, .completeUnlessOpen, .completeUntilFirstUserAuthentication, .none]
        {
            #expect(protection.fileProtectionType.flatMap(ProtectionClass.init(fileProtectionType:)) == protection)
        }
        #expect(ProtectionClass(fileProtectionType: "complete") == nil)
        #expect(ProtectionClass.whenPasscodeSet.fileProtectionType == nil)
    }
}
