// SPDX-License-Identifier: Apache-2.0

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The register in which a member says what it is called, and what it signs in to the engine with.
enum DeviceName {
    static let kind: UInt8 = 0xFE
    /// Bytes of a name, and of what is behind it.
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

/// What an engine's URL says of who signs in, without what is secret of it.
enum EngineCredential {
    static func named(in url: String) -> String? {
        // Only what is behind the ?, since a list of hosts is no host to URLComponents.
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
