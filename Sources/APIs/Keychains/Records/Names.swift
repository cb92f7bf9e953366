// SPDX-License-Identifier: Apache-2.0

package import KeychainEngine

extension ItemClass {
    /// The name of the class that the command and its JSON use, for example `generic-password`.
    package var name: String {
        switch self {
        case .genericPassword: "generic-password"
        case .internetPassword: "internet-password"
        case .certificate: "certificate"
        case .key: "key"
        case .identity: "identity"
        case .syncRecord: "sync-record"
        }
    }

    /// A class by its name, by Apple's code (`genp`) or by the name of the constant (`kSecClassGenericPassword`).
    package static func named(_ name: String) -> Self? {
        let word = name.hasPrefix("kSecClass") ? Self.dashes(in: String(name.dropFirst("kSecClass".count))) : name
        return allCases.first { $0.name == word || $0.rawValue == word }
    }

    /// Converts `GenericPassword` to `generic-password`.
    static func dashes(in name: String) -> String {
        name.reduce(into: "") { result, letter in
            if letter.isUppercase, !result.isEmpty { result += "-" }
            result += letter.lowercased()
        }
    }
}

extension Accessibility {
    /// The name of the accessibility that the command and its JSON use, for example `when-unlocked-this-device-only`.
    package var name: String {
        switch self {
        case .whenUnlocked: "when-unlocked"
        case .afterFirstUnlock: "after-first-unlock"
        case .always: "always"
        case .whenUnlockedThisDeviceOnly: "when-unlocked-this-device-only"
        case .afterFirstUnlockThisDeviceOnly: "after-first-unlock-this-device-only"
        case .alwaysThisDeviceOnly: "always-this-device-only"
        case .whenPasscodeSetThisDeviceOnly: "when-passcode-set-this-device-only"
        }
    }

    /// An accessibility by its name, by Apple's code (`ak`) or by the name of the constant
    /// (`kSecAttrAccessibleWhenUnlocked`). `when-passcode-set` is a short form, since it is always for
    /// this device only.
    package static func named(_ name: String) -> Self? {
        let constant = "kSecAttrAccessible"
        let word =
            name.hasPrefix(constant) ? ItemClass.dashes(in: String(name.dropFirst(constant.count))) : name
        let full = word == "when-passcode-set" ? "\(word)-this-device-only" : word
        return allCases.first { $0.name == full || $0.rawValue == full }
    }
}

extension AccessConstraints {
    private static let words: [(word: String, met: Self, meant: Self)] = [
        ("passcode", [.userPresence, .devicePasscode], .devicePasscode),
        ("password", .applicationPassword, .applicationPassword),
    ]

    /// The names of what must be given before a secret is read, for example `passcode`. Empty: nothing.
    package var name: String { Self.words.filter { !isDisjoint(with: $0.met) }.map(\.word).joined(separator: ", ") }

    /// Constraints by their name; nil for other words.
    package static func named(_ name: String) -> Self? {
        var result: Self = []
        for part in name.split(separator: ",") {
            guard let known = words.first(where: { $0.word == part.trimming(while: { $0 == " " }) }) else { return nil }
            result.insert(known.meant)
        }
        return result
    }
}

extension Substring {
    fileprivate func trimming(while isTrimmed: (Character) -> Bool) -> Substring {
        var rest = drop(while: isTrimmed)
        while let last = rest.last, isTrimmed(last) { rest.removeLast() }
        return rest
    }
}
