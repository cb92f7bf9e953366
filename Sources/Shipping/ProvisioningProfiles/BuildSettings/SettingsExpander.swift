// SPDX-License-Identifier: Apache-2.0

/// Evaluates settings for one target, configuration and SDK.
///
/// A name has a chain of values, from the highest level to the lowest. A reference takes the first one. Inside a value
/// of the same name, at any depth, it takes the next one. So `$(inherited)` and `$(NAME)` in NAME's own value mean the
/// level below, and self-references end.
struct SettingsExpander {
    /// The value of an expression.
    struct Result: Sendable {
        var text = ""
        /// Names that the value depends on and that nothing here defines. The environment of the build may define them.
        var undefined: Set<String> = []
        /// Every name that was looked up. While one of them is open, the same reference has a different value.
        fileprivate var used: Set<String> = []
        /// Whether nothing was truncated.
        fileprivate var isWhole = true

        fileprivate mutating func add(_ other: Result) {
            text += other.text
            undefined.formUnion(other.undefined)
            note(other)
        }

        fileprivate mutating func note(_ other: Result) {
            used.formUnion(other.used)
            isWhole = isWhole && other.isWhole
        }
    }

    /// The unparsed values. They are parsed on lookup, so that only those of one chain of references are in memory.
    private let chains: [String: [String]]
    private var done: [String: Result] = [:]
    private var open: [(name: String, next: Int)] = []
    /// References followed, text read, and names kept for them.
    private var work = 0
    /// The work for all settings.
    private(set) var total = 0
    private var limit = limits.other

    /// In bytes. Longer values are cut. A signing setting that was cut is refused: no real one is nearly as long.
    private static let maximumLength = 4096
    /// The maximum bytes of an unparsed value.
    private static let maximumSource = 65_536
    /// The work for one signing setting, for one other setting, and for all others together. Real projects need
    /// a hundredth.
    private static let limits = (signing: 200_000, other: 20_000, others: 1_000_000)
    private static let maximumDepth = 64

    /// - Parameter levels: from the lowest (the built-in values) to the highest (the target's own settings).
    init(_ levels: [SettingsLevel], _ context: SettingsContext) {
        var chains: [String: [String]] = [:]
        for level in levels.reversed() {
            for setting in level.settings.reversed() where setting.conditions.allSatisfy(context.holds) {
                chains[setting.name, default: []].append(setting.value)
            }
        }
        self.chains = chains
    }

    /// The settings that checks use.
    private static let ofSigning = [
        "AD_HOC_CODE_SIGNING_ALLOWED", "CODE_SIGNING_ALLOWED", "CODE_SIGNING_REQUIRED", "CODE_SIGN_ENTITLEMENTS",
        "CODE_SIGN_IDENTITY", "CODE_SIGN_STYLE", "DEVELOPMENT_TEAM", "PRODUCT_BUNDLE_IDENTIFIER", "PRODUCT_TYPE",
        "PROVISIONING_PROFILE", "PROVISIONING_PROFILE_REQUIRED", "PROVISIONING_PROFILE_SPECIFIER", "SDKROOT",
        "SUPPORTED_PLATFORMS", "SUPPORTS_MACCATALYST",
    ]

    /// Every setting. Nil if signing settings refer to others so often, or so deeply, that a value had to be cut.
    mutating func all() -> [String: Result]? {
        var found: [String: Result] = [:]
        limit = Self.limits.signing
        for name in Self.ofSigning where chains[name] != nil {
            work = 0
            let value = value(name)
            total += work
            guard value.isWhole else { return nil }
            found[name] = value
        }
        var left = Self.limits.others
        for name in chains.keys.sorted() where found[name] == nil {
            (work, limit) = (0, min(left, Self.limits.other))
            found[name] = value(name)
            total += work
            left -= min(work, left)
        }
        return found
    }

    /// The value of a text outside the settings. The limit applies to all such texts together.
    mutating func expanding(_ text: String) -> Result {
        limit = Self.limits.signing
        let before = work
        defer { total += work - before }
        return result(written: text)
    }

    private mutating func value(_ name: String) -> Result {
        let position = open.lastIndex { $0.name == name }
        if position == nil, let known = done[name], !open.contains(where: { known.used.contains($0.name) }) {
            work += 1 + known.used.count + known.undefined.count
            return known
        }
        work += 1
        let next = position.map { open[$0].next } ?? 0
        var result = Result()
        if let chain = chains[name] {
            if open.count >= Self.maximumDepth || work >= limit {
                result.isWhole = false
            } else if next < chain.count {
                open.append((name, next + 1))
                result = self.result(written: chain[next])
                open.removeLast()
            }
        } else {
            result.undefined = [name]
        }
        result.used.insert(name)
        work += result.used.count
        // The open names above had no influence, unless they are among the names used.
        if position == nil, result.isWhole, !open.contains(where: { result.used.contains($0.name) }) {
            done[name] = result
        }
        return result
    }

    private mutating func result(written text: String) -> Result {
        let source = Self.cut(text, to: Self.maximumSource)
        work += 1 + source.utf8.count / 32
        var result = result(SettingsExpression(source).parts)
        if source.utf8.count != text.utf8.count { result.isWhole = false }
        return result
    }

    /// Cuts by bytes: a single character can have any number of them.
    private static func cut(_ text: String, to length: Int) -> String {
        guard text.utf8.count > length else { return text }
        var end = text.utf8.index(text.startIndex, offsetBy: length)
        while end.samePosition(in: text.unicodeScalars) == nil { end = text.utf8.index(before: end) }
        return String(text[..<end])
    }

    private mutating func result(_ parts: [SettingsExpression.Part]) -> Result {
        var result = Result()
        for part in parts {
            guard work < limit else {
                result.isWhole = false
                break
            }
            switch part {
            case .text(let text): result.text += text
            case .reference(let reference): result.add(self.result(reference))
            }
            guard result.text.utf8.count <= Self.maximumLength else {
                result.text = Self.cut(result.text, to: Self.maximumLength)
                result.isWhole = false
                break
            }
        }
        return result
    }

    private mutating func result(_ reference: SettingsExpression.Reference) -> Result {
        let named = result(reference.name)
        var name = named.text
        if name == "inherited" || name == "value", let current = open.last?.name { name = current }
        var found = value(name)
        // If the name itself depends on an undefined setting, only the composed name counts as undefined.
        found.note(named)
        if !reference.isBracketed, chains[name] == nil { found.text = "$\(name)" }
        for (operation, operand) in reference.operators {
            work += 1 + found.text.utf8.count / 32
            guard work < limit else {
                found.isWhole = false
                break
            }
            // An operator may multiply the text's length, and so may the next one.
            defer {
                if found.text.utf8.count > Self.maximumLength {
                    found.text = Self.cut(found.text, to: Self.maximumLength)
                    found.isWhole = false
                }
            }
            guard let operand else {
                found.text = SettingsOperator.changing(found.text, by: operation)
                continue
            }
            let replacement = result(operand)
            if operation == "default", found.text.isEmpty { found.undefined = replacement.undefined }
            found.text = SettingsOperator.changing(found.text, by: operation, to: replacement.text)
            found.note(replacement)
        }
        return found
    }
}
