// SPDX-License-Identifier: Apache-2.0

#if !canImport(Darwin)
import DataProtection
import Foundation
import GuardChannels
import Security
import Testing

/// What this platform calls the program's groups. The first one is where items go by default.
enum Groups {
    static let own = "conformance.own"
    static let shared = "conformance.shared"
    static let foreign = "conformance.foreign"
}

/// Nothing chooses a keychain here: there is only one kind.
let platformKeys: [String: Bool] = [:]

/// Gives every test a keychain of its own: a home in a temporary folder. Inside a guard, which has one for all tests,
/// empties it before and after a test; tests run one after the other there: `--no-parallel`.
struct FreshKeychain: SuiteTrait, TestTrait, TestScoping {
    let flavour: SecItemFlavour
    var isRecursive: Bool { true }

    func provideScope(
        for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void
    ) async throws {
        guard !GuardedProcess.isGuest else {
            empty()
            defer { empty() }
            return try await CurrentItems.$guestFlavour.withValue(flavour) { try await function() }
        }
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("conformance-\(UUID().uuidString)")
        try FileManager.default.createDirectory(
            at: folder, withIntermediateDirectories: false, attributes: [.posixPermissions: 0o700])
        defer { try? FileManager.default.removeItem(at: folder) }
        var configuration = Home.Configuration()
        configuration.folder = folder.path
        configuration.identity = ApplicationIdentity(
            applicationIdentifier: Groups.own, accessGroups: [Groups.own, Groups.shared])
        configuration.flavour = flavour
        configuration.holder = .process
        try await Home.withCurrent(try Home(configuration)) { try await function() }
    }

    private func empty() {
        for itemClass in [kSecClassGenericPassword, kSecClassInternetPassword, kSecClassCertificate, kSecClassKey] {
            SecItemDelete(
                [kSecClass: itemClass, kSecAttrSynchronizable: kSecAttrSynchronizableAny] as [CFString: Any]
                    as CFDictionary)
        }
    }
}

extension Trait where Self == FreshKeychain {
    /// An empty keychain, as macOS reads dictionaries.
    static var keychain: Self { FreshKeychain(flavour: .macOS) }

    /// An empty keychain, as iOS reads dictionaries.
    static var keychainOfIOS: Self { FreshKeychain(flavour: .iOS) }
}
#endif
