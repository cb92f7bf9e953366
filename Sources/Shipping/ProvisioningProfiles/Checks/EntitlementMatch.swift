// SPDX-License-Identifier: Apache-2.0

/// Whether a profile's entitlement allows a signed one: the same value, which may be a pattern itself (pass types are
/// signed so); a pattern ending in `*` for any text with that beginning; `*` for anything; an array for any choice of what
/// its members allow; true for true or false.
enum EntitlementMatch {
    static func isAllowed(_ signed: PropertyList, by allowed: PropertyList) -> Bool {
        switch (signed, allowed) {
        case (_, .string("*")): true
        case (.string(let text), .string(let pattern)): text == pattern || matches(text, pattern)
        case (.array(let values), _): values.allSatisfy { isAllowed($0, by: allowed) }
        case (_, .array(let choices)): choices.contains { isAllowed(signed, by: $0) }
        case (.boolean(let value), .boolean(let limit)): limit || !value
        case (.dictionary(let values), .dictionary(let limits)):
            values.allSatisfy { key, value in limits[key].map { isAllowed(value, by: $0) } ?? false }
        default: signed == allowed
        }
    }

    /// A pattern's `*` stands at the end and for at least one character. For identifiers: a text that is itself a
    /// pattern names nothing.
    static func matches(_ text: String, _ pattern: String) -> Bool {
        guard pattern.hasSuffix("*") else { return text == pattern }
        let stem = pattern.dropLast()
        return text.hasPrefix(stem) && text.utf8.count > stem.utf8.count && !text.hasSuffix("*")
    }

    /// Entitlements of the Mac that need no profile: the sandbox and the hardened runtime.
    static func needsNoProfile(_ key: String, on platforms: [Platform]) -> Bool {
        platforms.contains(.macOS) && key.hasPrefix("com.apple.security.")
            && key != "com.apple.security.application-groups"
    }
}
