// SPDX-License-Identifier: Apache-2.0

/// A result of a check.
public struct Finding: Sendable, Equatable {
    /// The severity.
    public enum Severity: String, Sendable, Comparable, CaseIterable {
        /// Worth knowing; does not count as a finding for the exit status.
        case note
        /// Works today and is likely to fail soon or elsewhere.
        case warning
        /// Apple, the device or the system refuses it, or data is less protected than wanted.
        case error

        /// Order by severity.
        public static func < (left: Severity, right: Severity) -> Bool { left.rank < right.rank }

        private var rank: Int { Self.allCases.firstIndex(of: self) ?? 0 }
    }

    /// Where it was found.
    public struct Location: Sendable, Hashable {
        /// A file or bundle.
        public let path: String
        /// The part of it: an entitlement, an architecture, a target with its configuration; nil for the whole.
        public let detail: String?

        /// A place in a file or bundle.
        public init(_ path: String, _ detail: String? = nil) {
            self.path = path
            self.detail = detail
        }
    }

    /// The rule that it breaks.
    public let rule: Rule
    /// The place.
    public let place: Location
    /// What is wrong here.
    public let reason: String

    init(_ rule: Rule, _ place: Location, _ reason: String) {
        self.rule = rule
        self.place = place
        self.reason = reason
    }

    /// The severity.
    public var severity: Severity { rule.severity }
    /// What to do about it.
    public var remedy: String { rule.remedy }
}

/// Collects findings in order, without duplicates.
struct FindingCollector {
    private(set) var findings: [Finding] = []
    private var known: Set<Key> = []

    private struct Key: Hashable {
        let rule: Rule
        let place: Finding.Location
        let reason: String
    }

    mutating func add(_ rule: Rule, _ place: Finding.Location, _ reason: String) {
        add([Finding(rule, place, reason)])
    }

    mutating func add(_ more: [Finding]) {
        for finding in more
        where known.insert(Key(rule: finding.rule, place: finding.place, reason: finding.reason)).inserted {
            findings.append(finding)
        }
    }
}
