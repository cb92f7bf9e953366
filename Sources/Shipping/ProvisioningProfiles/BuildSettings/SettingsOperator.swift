// SPDX-License-Identifier: Apache-2.0

import Foundation
import Readers

/// The operator after a colon in `$(NAME:operator)`. It changes the value, or a part of a path.
enum SettingsOperator {
    /// The value after an operator without an operand. An unknown operator changes nothing.
    static func changing(_ value: String, by name: String) -> String {
        guard !value.isEmpty else { return value }
        return switch name {
        case "upper": value.uppercased()
        case "lower": value.lowercased()
        case "identifier": identifier(value, other: "_", allowing: "_")
        case "rfc1034identifier": identifier(value, other: "-", allowing: "-")
        case "c99extidentifier": extendedIdentifier(value)
        case "quote": quoted(value)
        case "dir": directory(value)
        case "file": file(value)
        case "base": PathText(file(value)).deletingPathExtension
        case "suffix": suffix(file(value))
        case "standardizepath": standardized(value)
        case "not": value == "YES" ? "NO" : "YES"
        case "truncatedversion": value.split(separator: ".", maxSplits: 3).prefix(3).joined(separator: ".")
        default: value
        }
    }

    /// The value after an operator with an operand. An empty value is changed only by `default`.
    static func changing(_ value: String, by name: String, to operand: String) -> String {
        if name == "default" { return value.isEmpty ? operand : value }
        guard !value.isEmpty else { return value }
        return switch name {
        case "dir": joined(operand, file(value))
        case "file": joined(folder(value), operand)
        case "base": joined(folder(value), operand) + suffix(file(value))
        case "suffix":
            PathText(value).deletingPathExtension + "."
                + (operand.split(separator: ".", omittingEmptySubsequences: false).last ?? "")
        default: value
        }
    }

    // MARK: Identifiers

    /// Keeps ASCII letters, digits except at the beginning, and `extra`. Every other character becomes `other`.
    private static func identifier(_ value: String, other: Character, allowing extra: Character) -> String {
        var result = ""
        for character in value.decomposed {
            let isKept =
                character == extra || character.isASCII && character.isLetter
                || character.isASCII && character.isNumber && !result.isEmpty
            result.append(isKept ? character : other)
        }
        return result
    }

    /// By the rules of C99: letters of other scripts too.
    private static func extendedIdentifier(_ value: String) -> String {
        var result = ""
        for scalar in value.composed {
            let isKept = scalar == "_" || scalar.properties.isAlphabetic || scalar.properties.numericType == .decimal
            result.unicodeScalars.append(isKept ? scalar : "_")
        }
        return result.first?.isNumber == true ? "_" + result.dropFirst() : result
    }

    private static func quoted(_ value: String) -> String {
        value.reduce(into: "") { result, character in
            if !(character.isASCII && (character.isLetter || character.isNumber)), !"/.,+-_=".contains(character) {
                result.append("\\")
            }
            result.append(character)
        }
    }

    // MARK: Paths

    private static func file(_ value: String) -> String { PathText(value).lastPathComponent }

    private static func folder(_ value: String) -> String { PathText(value).deletingLastPathComponent }

    /// The folder with a trailing slash; `./` if the value has none.
    private static func directory(_ value: String) -> String {
        let folder = folder(value)
        return folder.isEmpty ? "./" : folder.hasSuffix("/") ? folder : folder + "/"
    }

    /// In an absolute path `..` removes the part before it; in a relative one it stays.
    private static func standardized(_ value: String) -> String {
        let isAbsolute = value.hasPrefix("/")
        var parts: [Substring] = []
        for part in value.split(separator: "/") where part != "." {
            if part == "..", isAbsolute { _ = parts.popLast() } else { parts.append(part) }
        }
        return (isAbsolute ? "/" : "") + parts.joined(separator: "/")
    }

    private static func suffix(_ name: String) -> String {
        let suffix = PathText(name).pathExtension
        return suffix.isEmpty ? "" : ".\(suffix)"
    }

    private static func joined(_ left: String, _ right: String) -> String {
        right.hasPrefix("/") || left.isEmpty ? right : left.hasSuffix("/") ? left + right : "\(left)/\(right)"
    }
}
