// SPDX-License-Identifier: Apache-2.0

/// One level of build settings, as a file has it: values by name and condition, in the order in which they count, references unreplaced.
struct SettingsLevel: Sendable, Equatable {
    /// A name with its conditions, `CODE_SIGN_IDENTITY[sdk=iphoneos*]` for example.
    struct Setting: Sendable, Equatable {
        let name: String
        let conditions: [SettingsCondition]
        let value: String

        /// - Parameter key: the name with conditions behind it, each in brackets of its own. Nil where it is of another form.
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

    /// Of several for one name whose conditions hold, the last one counts.
    var settings: [Setting] = []

    init() {}

    /// The steps that it takes to find the settings whose conditions hold.
    func weight(_ context: SettingsContext) -> Int {
        settings.reduce(0) { sum, setting in
            setting.conditions.reduce(sum + 1) { $0 + 1 + context.weight($1) }
        }
    }

    /// A dictionary of a project: a name without conditions counts less than the same with them.
    init(_ values: [String: String]) {
        settings = values.sorted { $0.key < $1.key }.compactMap { Setting(key: $0.key, value: $0.value) }
    }
}

/// A condition in brackets: a pattern with `*` and `?`.
struct SettingsCondition: Sendable, Equatable {
    let parameter: String
    let pattern: String
}

/// What a target is built for, by which conditions are judged.
struct SettingsContext: Sendable {
    var target = ""
    var configuration = ""
    /// `iphoneos` for example, without a version; empty where it is not known.
    var sdk = ""

    func holds(_ condition: SettingsCondition) -> Bool {
        let pattern = condition.pattern
        return switch condition.parameter {
        case "config": Self.matches(configuration, pattern)
        case "target": Self.matches(target, pattern)
        case "sdk": Self.matches(sdk, pattern) || Self.isVersion(pattern, of: sdk)
        // Signing is the same for each architecture and variant; a condition on one of them is about other settings.
        default: pattern == "*"
        }
    }

    /// Which version of an SDK a build will find is not known, so that one named does not matter.
    private static func isVersion(_ pattern: String, of sdk: String) -> Bool {
        guard !sdk.isEmpty, pattern.hasPrefix(sdk) else { return false }
        return pattern.dropFirst(sdk.count).allSatisfy { $0.isNumber || $0 == "." || $0 == "*" }
    }

    /// A name or a pattern that is longer means nothing to Xcode either.
    private static let longest = 1024

    /// The steps that judging a condition takes at most, in blocks of 64 comparisons.
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
    /// A space, a tab and the like, but no end of a line.
    var isSpace: Bool { self == 0x20 || self == 0x09 || self == 0x0B || self == 0x0C }
}
