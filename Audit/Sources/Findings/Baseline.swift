// SPDX-License-Identifier: Apache-2.0

import Foundation

/// Findings that were there when it was written, and don't count any more.
package struct Baseline: Codable, Sendable {
    /// One finding.
    package struct Entry: Codable, Sendable {
        package var rule: String
        package var file: String
        /// For people who read the file; it isn't compared.
        package var message: String
        package var fingerprint: String
        /// Of the rule and the line alone: for a file that was renamed.
        package var moved: String
    }

    package var format = 1
    package var findings: [Entry]

    package init(_ findings: [ToldFinding], _ sources: inout SourceLines) {
        self.findings = findings.map { told in
            Entry(
                rule: told.finding.rule, file: told.finding.place.file, message: told.finding.message,
                fingerprint: told.fingerprint, moved: Fingerprints.withoutFile(told.finding, &sources))
        }
    }

    /// Why a file is no baseline.
    package struct Failure: Error { package let message: String }

    package init(text: [UInt8]) throws(Failure) {
        let decoded: Baseline
        do { decoded = try JSONDecoder().decode(Baseline.self, from: Data(text)) } catch {
            throw Failure(message: "it is not a baseline that zamok-audit wrote")
        }
        guard decoded.format == 1 else {
            throw Failure(message: "it has the form \(decoded.format); this program knows form 1")
        }
        self = decoded
    }

    package var text: String { Encoded.page(self) }

    /// Marks what is in the baseline with `standing`; returns how many of its entries are gone.
    package func mark(
        _ findings: inout [ToldFinding], as standing: Standing, _ sources: inout SourceLines,
        exists: (String) -> Bool
    ) -> Int {
        var left = Dictionary(grouping: self.findings, by: \.fingerprint)
        func take(_ index: Int, _ entry: Entry?) {
            guard let entry else { return }
            left[entry.fingerprint]?.removeLast()
            if findings[index].standing == .open { findings[index].standing = standing }
        }
        for index in findings.indices { take(index, left[findings[index].fingerprint]?.last) }
        // What is left of files that are no more can have moved to another name.
        var moved: [String: [Entry]] = [:]
        for entry in left.sorted(by: { $0.key < $1.key }).flatMap(\.value) where !exists(entry.file) {
            moved[entry.moved, default: []].append(entry)
        }
        if !moved.isEmpty {
            for index in findings.indices where findings[index].standing == .open {
                let key = Fingerprints.withoutFile(findings[index].finding, &sources)
                guard let entry = moved[key]?.popLast() else { continue }
                take(index, entry)
            }
        }
        return left.values.reduce(0) { $0 + $1.count }
    }
}

/// JSON with its keys in order, so that two files can be compared.
package enum Encoded {
    package static func page(_ value: some Encodable) -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        guard let data = try? encoder.encode(value) else { return "{}" }
        return String(decoding: data, as: UTF8.self).escapedForJSON + "\n"
    }
}
