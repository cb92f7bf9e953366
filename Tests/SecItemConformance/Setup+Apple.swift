// SPDX-License-Identifier: Apache-2.0

#if canImport(Darwin)
import Foundation
import Security
import Testing

/// The groups of the host app's entitlements, whose team replaces the prefix.
enum Groups {
    static let team = ProcessInfo.processInfo.environment["CONFORMANCE_TEAM"] ?? ""
    static let own = "\(team).conformance.own"
    static let shared = "\(team).conformance.shared"
    static let foreign = "\(team).conformance.foreign"
}

/// Chooses the data-protection keychain; the file keychain of macOS follows other rules.
let platformKeys = [kSecUseDataProtectionKeychain as String: true]

/// Empties the program's keychain before and after a test. Tests run one after the other: `--no-parallel`.
struct FreshKeychain: SuiteTrait, TestTrait, TestScoping {
    let runsHere: Bool
    var isRecursive: Bool { true }

    func prepare(for test: Test) async throws {
        try #require(runsHere, "these facts hold on the other of Apple's platforms")
    }

    func provideScope(
        for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void
    ) async throws {
        empty()
        defer { empty() }
        try await function()
    }

    private func empty() {
        for itemClass in [kSecClassGenericPassword, kSecClassInternetPassword] {
            var query: [String: Any] = platformKeys
            query[kSecClass as String] = itemClass
            query[kSecAttrSynchronizable as String] = kSecAttrSynchronizableAny
            SecItemDelete(query as CFDictionary)
        }
    }
}

extension Trait where Self == FreshKeychain {
    #if os(macOS)
    static var keychain: Self { FreshKeychain(runsHere: true) }
    static var keychainOfIOS: Self { FreshKeychain(runsHere: false) }
    #else
    static var keychain: Self { FreshKeychain(runsHere: false) }
    static var keychainOfIOS: Self { FreshKeychain(runsHere: true) }
    #endif
}
#endif
