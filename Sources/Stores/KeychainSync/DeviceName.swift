// SPDX-License-Identifier: Apache-2.0

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The register with a member's name, and with its credential for the engine.
enum DeviceName {
    static let kind: UInt8 = 0xFE
    /// The most bytes of a name, and of the credential.
    static let longest = 200

    static func key(_ number: UInt32) -> [UInt8] {
        [kind] + (0..<4).map { UInt8(truncatingIfNeeded: number >> (24 - 8 * $0)) }
    }

    static func value(_ name: String, signsInWith credential: String?) -> [UInt8] {
        let name = name.utf8.filter { $0 != 0 }.prefix(longest)
        return Array(name) + (credential.map { [0] + $0.utf8.prefix(longest) } ?? [])
    }

    static func read(_ value: [UInt8]) -> (name: String, credential: String?) {
        let parts = value.split(separator: 0, maxSplits: 1, omittingEmptySubsequences: false)
        let text = parts.map { String(decoding: $0.prefix(longest), as: UTF8.self) }
        return (text.first ?? "", text.count > 1 ? text[1] : nil)
    }
}

/// What an engine's URL says about the credential, without its secret parts.
enum EngineCredential {
    static func named(in url: String) -> String? {
        // Only the part after the `?`, since URLComponents doesn't accept a list of hosts.
        let query = url.drop { $0 != "?" }
        let items = URLComponents(string: "engine:\(query)")?.queryItems ?? []
        let words = Dictionary(items.map { ($0.name, $0.value ?? "") }) { first, _ in first }
        let parts = [
            words["user"].map { "user \($0)" }, words["cert"].map { "certificate \($0)" },
            words["credentials"].map { "credentials \($0)" },
        ].compactMap { $0 }
        return parts.isEmpty ? nil : parts.joined(separator: ", ")
    }
}
