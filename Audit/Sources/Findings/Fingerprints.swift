// SPDX-License-Identifier: Apache-2.0

import Crypto

/// Tells findings from each other without their line numbers, so that a baseline survives lines put in above.
package enum Fingerprints {
    /// One for each finding, in order: of the rule, the file and the text of the line without its blanks, and which of its like it is.
    package static func of(_ findings: [Finding], _ sources: inout SourceLines) -> [String] {
        var seen: [String: Int] = [:]
        // A file may be one line, with a thousand findings.
        var lines: [String: String] = [:]
        return findings.map { finding in
            let place = "\(finding.rule) \(finding.place.file):\(finding.place.line)"
            let text = lines[place] ?? digest([finding.rule, finding.place.file, sources.plain(finding.place)])
            lines[place] = text
            seen[text, default: 0] += 1
            return "\(text)-\(seen[text] ?? 1)"
        }
    }

    /// The same without the file, for one that was renamed.
    package static func withoutFile(_ finding: Finding, _ sources: inout SourceLines) -> String {
        digest([finding.rule, sources.plain(finding.place)])
    }

    /// 16 digits of a SHA-256: a baseline tells nothing of what stood in the line.
    static func digest(_ parts: [String]) -> String {
        var hash = SHA256()
        for part in parts {
            hash.update(data: Array(part.utf8))
            hash.update(data: [0])
        }
        return hash.finalize().prefix(8).map { byte in
            (byte < 16 ? "0" : "") + String(byte, radix: 16)
        }.joined()
    }
}
