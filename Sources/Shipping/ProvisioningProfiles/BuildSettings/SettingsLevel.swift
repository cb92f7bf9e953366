// SPDX-License-Identifier: Apache-2.0

/// One level of build settings, as a file has it: values by name and condition, `$(inherited)` and variables unreplaced.
struct SettingsLevel: Sendable, Equatable {
    /// A name with its conditions, `CODE_SIGN_IDENTITY[sdk=iphoneos*]` for example.
    struct Setting: Sendable, Equatable {
        let name: String
        let conditions: [String: String]
        let value: String

        /// - Parameter key: the name with conditions behind it, in one pair of brackets or several.
        init(key: String, value: String) {
            let parts = key.split(whereSeparator: { "[],".contains($0) })
            name = parts.first.map(String.init) ?? ""
            var conditions: [String: String] = [:]
            for part in parts.dropFirst() {
                let pair = part.split(separator: "=", maxSplits: 1)
                if pair.count == 2 { conditions[String(pair[0])] = String(pair[1]) }
            }
            self.conditions = conditions
            self.value = value
        }
    }

    var settings: [Setting] = []

    /// Settings that hold for device builds of `configuration`, the conditional ones last.
    func applicable(to configuration: String) -> [Setting] {
        let matching = settings.filter { $0.holds(configuration) }
        return matching.filter(\.conditions.isEmpty) + matching.filter { !$0.conditions.isEmpty }
    }
}

extension SettingsLevel.Setting {
    private static let deviceSDKs = ["iphoneos", "macosx", "appletvos", "watchos", "xros"]

    /// Conditions on SDKs count when they name a device's, since simulators need no profile; on configurations when
    /// they name this one. Other conditions (architecture) do not matter to signing.
    fileprivate func holds(_ configuration: String) -> Bool {
        if let sdk = conditions["sdk"], !Self.deviceSDKs.contains(where: { Self.matches($0, sdk) }) { return false }
        if let named = conditions["config"], !configuration.isEmpty, !Self.matches(configuration, named) {
            return false
        }
        return true
    }

    /// Patterns end in `*` or name the thing itself; versions behind an SDK's name do not matter.
    private static func matches(_ name: String, _ pattern: String) -> Bool {
        let stem = pattern.hasSuffix("*") ? String(pattern.dropLast()) : pattern
        return name == pattern || name.hasPrefix(stem) && pattern.hasSuffix("*")
            || stem.hasPrefix(name) && stem != name
                && stem.dropFirst(name.count).allSatisfy { $0.isNumber || $0 == "." }
    }
}

/// Levels from the lowest (project) to the highest (target), and what they come to.
struct SettingsLevels {
    let levels: [SettingsLevel]
    let configuration: String
    /// Known without being set: `TARGET_NAME`, `CONFIGURATION`, and the like.
    let given: [String: String]

    /// Every setting, with `$(inherited)` and variables replaced. What refers to itself stays as it is.
    func resolved() -> [String: String] {
        var raw = given
        for level in levels {
            for setting in level.applicable(to: configuration) {
                let inherited = raw[setting.name] ?? ""
                raw[setting.name] = SettingsExpander.replacing(setting.value) { $0 == "inherited" ? inherited : nil }
            }
        }
        var expander = SettingsExpander(raw)
        var resolved: [String: String] = [:]
        for name in raw.keys { resolved[name] = expander.value(name) }
        return resolved
    }
}

/// Replaces variables, each once, so that values that refer to each other many times cost no more than their number.
struct SettingsExpander {
    private let raw: [String: String]
    private var done: [String: String] = [:]
    private var open: Set<String> = []

    /// Longer values are cut: no setting of signing is nearly as long.
    private static let maximumLength = 4096
    private static let maximumDepth = 64

    init(_ raw: [String: String]) { self.raw = raw }

    mutating func value(_ name: String) -> String? {
        // A modifier such as :rfc1034identifier changes letters only; what it is applied to is kept.
        let plain = name.split(separator: ":").first.map(String.init) ?? name
        if let value = done[plain] { return value }
        guard let text = raw[plain], open.count < Self.maximumDepth, open.insert(plain).inserted else { return nil }
        let result = Self.replacing(text) { value($0) }
        open.remove(plain)
        done[plain] = result
        return result
    }

    /// Replaces `$(NAME)` and `${NAME}` where `value` knows the name.
    static func replacing(_ text: String, _ value: (String) -> String?) -> String {
        var result = ""
        var rest = text[...]
        while let dollar = rest.firstIndex(of: "$") {
            result += rest[..<dollar]
            rest = rest[rest.index(after: dollar)...]
            guard let open = rest.first, open == "(" || open == "{",
                let end = rest.firstIndex(of: open == "(" ? ")" : "}")
            else {
                result += "$"
                continue
            }
            let name = String(rest[rest.index(after: rest.startIndex)..<end])
            result += value(name) ?? "$" + rest[...end]
            rest = rest[rest.index(after: end)...]
            guard result.utf8.count <= maximumLength else { return String(result.prefix(maximumLength)) }
        }
        return result + rest
    }
}
