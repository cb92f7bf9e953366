// SPDX-License-Identifier: Apache-2.0

import Credentials
import Files
import Foundation
import Readers
import Sealing
import SecretMemory

/// Findings that are known and accepted: their fingerprints under a random salt of the baseline.
///
/// A fingerprint is the first 8 bytes of HMAC-SHA-256 of the rule, the path and the secret, with the salt as its key.
/// It doesn't give away a token. The salt is in the same file: a weak password can be found by trying.
package struct SweepBaseline: Sendable {
    /// The largest file that is read.
    package static let largest = 16 << 20

    private let salt: [UInt8]
    private var known: Set<String>

    /// A new one, with a salt of its own. Throws ``SecretMemoryError`` if the system has no random bytes.
    package init() throws {
        salt = try randomBytes(count: 32)
        known = []
    }

    /// Nil: the bytes aren't a baseline of this version.
    package init?(_ bytes: [UInt8]) {
        guard bytes.count <= Self.largest,
            let object = JSONValue(json: bytes)?.members, case .integer(1) = object["version"],
            let text = object["salt"]?.text, let findings = object["findings"]?.items,
            case let known = findings.compactMap(\.text), known.count == findings.count,
            let salt = Self.bytes(text), salt.count == 32
        else { return nil }
        (self.salt, self.known) = (salt, Set(known))
    }

    private static func bytes(_ text: String) -> [UInt8]? {
        let digits = text.utf8.map(Byte.hexValue)
        guard digits.count.isMultiple(of: 2) else { return nil }
        var bytes: [UInt8] = []
        for index in stride(from: 0, to: digits.count, by: 2) {
            guard let high = digits[index], let low = digits[index + 1] else { return nil }
            bytes.append(high << 4 | low)
        }
        return bytes
    }

    /// 16 hexadecimal digits. Throws ``SecretMemoryError`` in a child after fork.
    package func fingerprint(of finding: SweepFinding) throws -> String {
        var message = Array(finding.secret.rule.identifier.utf8) + [0] + finding.location.bytes + [0]
        message += try [UInt8](exposing: finding.secret.secret)
        defer { message.wipe() }
        let key = try SecretBytes(copying: salt)
        return String(hexadecimal: try KeyDerivation.authenticationCode(for: message, under: key, count: 8))
    }

    package func contains(_ finding: SweepFinding) throws -> Bool { known.contains(try fingerprint(of: finding)) }

    package mutating func insert(_ finding: SweepFinding) throws { known.insert(try fingerprint(of: finding)) }

    /// The file's content: a JSON object on several lines, in the same order for the same findings.
    package var text: String {
        let findings = known.sorted().map { "    \"\($0)\"" }.joined(separator: ",\n")
        return
            "{\n  \"version\": 1,\n  \"salt\": \"\(String(hexadecimal: salt))\",\n  \"findings\": [\n\(findings)\n  ]\n}\n"
    }
}

extension SweepReport {
    /// Without the findings of a baseline.
    package func without(_ baseline: SweepBaseline) throws -> SweepReport {
        var report = self
        report.findings = try findings.filter { try !baseline.contains($0) }
        return report
    }
}
