// SPDX-License-Identifier: Apache-2.0

import Configuration
import ConfigurationTesting
import DataProtection
import Foundation
import Keychains
import SecretMemory
import Testing
import ZamokConfiguration

/// The provider over a real keychain in a folder of its own.
@Suite struct ZamokProviderTests {
    private let folder = FileManager.default.temporaryDirectory.appending(
        path: "zamok-configuration-\(UUID().uuidString)")

    private func keychain(_ service: String = "app") throws -> Keychain {
        var configuration = Home.Configuration()
        configuration.folder = folder.path
        configuration.holder = .process
        return Keychain(service: service, home: try Home(configuration))
    }

    private func withKeychain(_ body: (Keychain) async throws -> Void) async throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        try await body(try keychain())
    }

    private static func text(_ content: ConfigContent) -> String {
        func base64(_ bytes: [UInt8]) -> String { Data(bytes).base64EncodedString() }
        return switch content {
        case .string(let value): value
        case .int(let value): "\(value)"
        case .double(let value): "\(value)"
        case .bool(let value): "\(value)"
        case .bytes(let value): base64(value)
        case .stringArray(let values): values.joined(separator: ",")
        case .intArray(let values): values.map { "\($0)" }.joined(separator: ", ")
        case .doubleArray(let values): values.map { "\($0)" }.joined(separator: ",")
        case .boolArray(let values): values.map { "\($0)" }.joined(separator: ",")
        case .byteChunkArray(let values): values.map(base64).joined(separator: ",")
        }
    }

    @Test func `it passes the compatibility test of swift-configuration`() async throws {
        let (one, two): ([UInt8], [UInt8]) = (Array("magic".utf8), Array("magic2".utf8))
        let contents: [String: ConfigContent] = [
            "string": .string("Hello"), "other.string": .string("Other Hello"), "int": .int(42), "other.int": .int(24),
            "double": .double(3.14), "other.double": .double(2.72), "bool": .bool(true), "other.bool": .bool(false),
            "bytes": .bytes(one), "other.bytes": .bytes(two), "stringy.array": .stringArray(["Hello", "World"]),
            "other.stringy.array": .stringArray(["Hello", "Swift"]), "inty.array": .intArray([42, 24]),
            "other.inty.array": .intArray([16, 32]), "doubly.array": .doubleArray([3.14, 2.72]),
            "other.doubly.array": .doubleArray([0.9, 1.8]), "booly.array": .boolArray([true, false]),
            "other.booly.array": .boolArray([false, true, true]), "byteChunky.array": .byteChunkArray([one, two]),
            "other.byteChunky.array": .byteChunkArray([one, two, one]),
        ]
        try await withKeychain { keychain in
            for (key, content) in contents { try keychain.setPassword(Self.text(content), for: key) }
            let provider = ZamokProvider(keychain: keychain)
            try await ProviderCompatTest(provider: provider, configuration: .init(overrides: contents)).runTest()
        }
    }

    @Test func `every value is secret, and no error or description has one`() async throws {
        try await withKeychain { keychain in
            try keychain.setPassword("s3cret", for: "http.token")
            let provider = ZamokProvider(keychain: keychain)
            #expect(try provider.value(forKey: "http.token", type: .string).value?.isSecret == true)
            let error = #expect(throws: ZamokProviderError.self) {
                try provider.value(forKey: "http.token", type: .int)
            }
            #expect(!"\(error as Any)\(provider)".contains("s3cret"))
        }
    }

    @Test func `locked is an error for every way to read, and no default takes its place`() async throws {
        try await withKeychain { keychain in
            try keychain.setPassword("s3cret", for: "token")
            let home = try Home(Self.configuration(folder))
            try home.keybag.setPasscode(try SecretBytes(copying: Array("tall-grass".utf8)))
            try home.keybag.lock()
            let provider = ZamokProvider(keychain: Keychain(service: "app", home: home))
            let isLocked = { (error: any Error) in (error as? KeychainError)?.code == .locked }
            #expect(throws: KeychainError.self) { try provider.value(forKey: "token", type: .string) }
            #expect(throws: KeychainError.self) { try provider.snapshot().value(forKey: "token", type: .string) }
            do {
                _ = try await provider.fetchValue(forKey: "token", type: .string)
                Issue.record("a locked value was answered")
            } catch { #expect(isLocked(error)) }
            try await provider.watchValue(forKey: "token", type: .string) { updates in
                for await update in updates {
                    #expect(throws: KeychainError.self) { try update.get() }
                    break
                }
            }
            let reader = ConfigReader(providers: [
                provider, InMemoryProvider(values: ["token": "of the next provider"]),
            ])
            #expect(throws: KeychainError.self) { try reader.requiredString(forKey: "token") }
            try home.keybag.unlock(passcode: try SecretBytes(copying: Array("tall-grass".utf8)))
            #expect(try reader.requiredString(forKey: "token") == "s3cret")
        }
    }

    @Test(.timeLimit(.minutes(1))) func `who watches sees each change, and only changes`() async throws {
        try await withKeychain { keychain in
            try keychain.setPassword("one", for: "token")
            let provider = ZamokProvider(keychain: keychain)
            try await provider.watchValue(forKey: "token", type: .string) { updates in
                var seen: [String?] = []
                for await update in updates {
                    seen.append(try update.get().value?.content.text)
                    switch seen.count {
                    case 1:
                        try keychain.setPassword("of another", for: "other")
                        try keychain.setPassword("two", for: "token")
                    case 2: _ = try keychain.removePassword(for: "token")
                    default: break
                    }
                    if seen.count == 3 { break }
                }
                #expect(seen == ["one", "two", nil])
            }
        }
    }

    private static func configuration(_ folder: URL) -> Home.Configuration {
        var configuration = Home.Configuration()
        configuration.folder = folder.path
        configuration.holder = .process
        return configuration
    }
}

extension ConfigContent {
    fileprivate var text: String? {
        if case .string(let text) = self { text } else { nil }
    }
}
