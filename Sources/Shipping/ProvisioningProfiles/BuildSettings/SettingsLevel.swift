// SPDX-License-Identifier: Apache-2.0

/// One level of build settings, as in its file: values by name and condition, in order of precedence, with
/// references unreplaced.
struct SettingsLevel: Sendable, Equatable {
    /// A name with its conditions, for example `CODE_SIGN_IDENTITY[sdk=iphoneos*]`.
    struct Setting: Sendable, Equatable {
        let name: String
        let conditions: [SettingsCondition]
        let value: String

        /// - Parameter key: the name followed by conditions, each in brackets of its own. Nil if it has another form.
        init?(key: String, value: String) {
            let bytes = Array(key.utf8)
            guard let first = bytes.first, first.beginsName else { return nil }
            let end = bytes.firstIndex { !$0.continuesName } ?? bytes.count
            name = String(decoding: bytes[..<end], as: UTF8.self)
            var conditions: [SettingsCondition] = []
            var rest = bytes[end...].drop(while: \.isSpace)
            while rest.first == UInt8(ascii: "[") {
                guard let close = rest.firstIndex(of: UInt8(ascii: "]")),
                    let equals = rest[..<close].firstIndex(of: UInt8(ascii: "="))
                else { return nil }
                conditions.append(
                    SettingsCondition(
                        parameter: String(decoding: rest[(rest.startIndex + 1)..<equals], as: UTF8.self),
                        pattern: String(decoding: rest[(equals + 1)..<close], as: UTF8.self)))
                rest = rest[(close + 1)...].drop(while: \.isSpace)
            }
            guard rest.isEmpty else { return nil }
            self.conditions = conditions
            self.value = value
        }
    }

    /// Of several settings for one name whose conditions hold, the last one counts.
    var settings: [Setting] = []

    init() {}

    /// The steps needed to find the settings whose conditions hold.
    func weight(_ context: SettingsContext) -> Int {
        settings.reduce(0) { sum, setting in
            setting.conditions.reduce(sum + 1) { $0 + 1 + context.weight($1) }
        }
    }

    /// From a dictionary of a project. A name with conditions takes precedence over the same name without.
    init(_ values: [String: String]) {
        settings = values.sorted { $0.key < $1.key }.compactMap { Setting(key: $0.key, value: $0.value) }
    }
}

/// A condition in brackets: a pattern with `*` and `?`.
struct SettingsCondition: Sendable, Equatable {
    let parameter: String
    let pattern: String
}

/// The target's context, by which conditions are evaluated.
struct SettingsContext: Sendable {
    var target = ""
    var configuration = ""
    /// Without a version, for example `iphoneos`; empty if unknown.
    var sdk = ""

    func holds(_ condition: SettingsCondition) -> Bool {
        let pattern = condition.pattern
        return switch condition.parameter {
        case "config": Self.matches(configuration, pattern)
        case "target": Self.matches(target, pattern)
        case "sdk": Self.matches(sdk, pattern) || Self.isVersion(pattern, of: sdk)
        // Signing is the same for each architecture and variant. A condition on one of them concerns other settings.
        default: pattern == "*"
        }
    }

    /// The SDK version that a build will use is unknown, so a version in the pattern is ignored.
    private static func isVersion(_ pattern: String, of sdk: String) -> Bool {
        guard !sdk.isEmpty, pattern.hasPrefix(sdk) else { return false }
        return pattern.dropFirst(sdk.count).allSatisfy { $0.isNumber || $0 == "." || $0 == "*" }
    }

    /// Xcode ignores longer names and patterns, too.
    private static let longest = 1024

    /// The maximum steps to evaluate a condition, in blocks of 64 comparisons.
    func weight(_ condition: SettingsCondition) -> Int {
        let text = [configuration, target, sdk].map(\.utf8.count).max() ?? 0
        return min(text, Self.longest) * min(condition.pattern.utf8.count, Self.longest) / 64
    }

    private static func matches(_ text: String, _ pattern: String) -> Bool {
        guard text.utf8.count <= longest, pattern.utf8.count <= longest else { return false }
        let (text, pattern) = (Array(text.utf8), Array(pattern.utf8))
        var (at, next) = (0, 0)
        var retry: (at: Int, next: Int)?
        while at < text.count {
            if next < pattern.count, pattern[next] == UInt8(ascii: "*") {
                retry = (at, next)
                next += 1
            } else if next < pattern.count, pattern[next] == text[at] || pattern[next] == UInt8(ascii: "?") {
                (at, next) = (at + 1, next + 1)
            } else if let last = retry {
                retry = (last.at + 1, last.next)
                (at, next) = (last.at + 1, last.next + 1)
            } else {
                return false
            }
        }
        return pattern[next...].allSatisfy { $0 == UInt8(ascii: "*") }
    }
}

extension UInt8 {
    /// A space, a tab and the like, but no line end.
    var isSpace: Bool { self == 0x20 || self == 0x09 || self == 0x0B || self == 0x0C }
}
