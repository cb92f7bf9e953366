// SPDX-License-Identifier: Apache-2.0

/// Gathers findings in order; the same one is kept once.
struct FindingCollector {
    private(set) var findings: [Finding] = []

    mutating func add(_ rule: Rule, _ place: Finding.Place, _ reason: String) {
        let finding = Finding(rule, place, reason)
        if !findings.contains(finding) { findings.append(finding) }
    }

    mutating func add(_ more: [Finding]) {
        for finding in more where !findings.contains(finding) { findings.append(finding) }
    }
}
