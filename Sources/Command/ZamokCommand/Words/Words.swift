// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import DataProtection
import Foundation
import Keychains
import ProtectedFiles
import Readers
import SecretMemory
import UserPreferences

/// An item class on the command line: a word, Apple's code or the name of the constant.
struct ItemClassWord: ExpressibleByArgument {
    let itemClass: ItemClass

    /// The classes of items if none is given; an identity is two of them.
    static let stored: [ItemClass] = [.genericPassword, .internetPassword, .certificate, .key]

    init?(argument: String) {
        guard let found = ItemClass.named(argument) else { return nil }
        itemClass = found
    }

    static var allValueStrings: [String] { ItemClass.allCases.map(\.name) }
    static var defaultCompletionKind: CompletionKind { .list(allValueStrings) }
}

/// An accessibility on the command line: a word, Apple's code or the name of the constant.
struct AccessibilityWord: ExpressibleByArgument {
    let accessibility: Accessibility

    init?(argument: String) {
        guard let found = Accessibility.named(argument) else { return nil }
        accessibility = found
    }

    static var allValueStrings: [String] { Accessibility.allCases.map(\.name) + ["when-passcode-set"] }
    static var defaultCompletionKind: CompletionKind { .list(allValueStrings) }
}

/// A persistent reference in hexadecimal digits, as `--json` shows it.
struct ReferenceWord: ExpressibleByArgument {
    let reference: PersistentReference

    init?(argument: String) {
        let digits = Array(argument.utf8)
        guard digits.count.isMultiple(of: 2), digits.count <= 40 else { return nil }
        var bytes: [UInt8] = []
        for index in stride(from: 0, to: digits.count, by: 2) {
            let pair = String(decoding: digits[index...index + 1], as: UTF8.self)
            guard pair.first != "+", let byte = UInt8(pair, radix: 16) else { return nil }
            bytes.append(byte)
        }
        guard let found = PersistentReference(bytes: bytes) else { return nil }
        reference = found
    }

    /// The digits of a reference.
    static func text(of reference: PersistentReference) -> String {
        reference.digits
    }
}

/// A file's protection class on the command line: a word, or a raw value of Foundation's `FileProtectionType`.
struct ProtectionWord: ExpressibleByArgument {
    let protection: ProtectionClass

    init?(argument: String) {
        guard
            let found = Self.words.first(where: { $0.word == argument })?.protection
                ?? ProtectionClass(fileProtectionType: argument)
        else { return nil }
        protection = found
    }

    static var allValueStrings: [String] { words.map(\.word) }
    static var defaultCompletionKind: CompletionKind { .list(allValueStrings) }

    /// The word for a class.
    static func word(_ protection: ProtectionClass) -> String {
        words.first { $0.protection == protection }?.word ?? "\(protection)"
    }

    private static let words: [(word: String, protection: ProtectionClass)] = [
        ("complete", .complete), ("complete-unless-open", .completeUnlessOpen),
        ("complete-until-first-user-authentication", .completeUntilFirstUserAuthentication), ("none", .none),
    ]
}

/// A path as given on the command line: its bytes, which need not be text.
struct FileWord: ExpressibleByArgument {
    let location: FileLocation

    /// Whether the path is standard input or output.
    var isStandard: Bool { location.bytes == [UInt8(ascii: "-")] }

    init?(argument: String) {
        guard !argument.isEmpty, let bytes = Self.bytes(of: argument) else { return nil }
        location = FileLocation(bytes: bytes)
    }

    static var defaultCompletionKind: CompletionKind { .file() }

    /// The original bytes of an argument. The parser's text has replacement characters for invalid bytes. `nil` if two
    /// arguments look alike to the parser, so that the right one is unknown.
    private static func bytes(of text: String) -> [UInt8]? {
        guard text.unicodeScalars.contains("\u{FFFD}") else { return Array(text.utf8) }
        let words = Set(ProcessArguments.words).filter { String(decoding: $0, as: UTF8.self) == text }
        return words.count > 1 ? nil : words.first ?? Array(text.utf8)
    }
}

/// The type of a preference, and the form of its values on the command line.
enum PreferenceType: String, ExpressibleByArgument, CaseIterable {
    case string, int, real, bool
    /// ISO 8601.
    case date
    /// Base64.
    case data
    /// An array, a dictionary or another JSON value.
    case json

    init(of value: PropertyValue) {
        switch value {
        case .string: self = .string
        case .integer: self = .int
        case .real: self = .real
        case .boolean: self = .bool
        case .date: self = .date
        case .data: self = .data
        case .array, .dictionary: self = .json
        }
    }

    /// `nil`: the text is not a value of this type.
    func value(_ text: String) -> PropertyValue? {
        switch self {
        case .string: .string(text)
        case .int: Int64(text).map { .integer($0) }
        case .real: Double(text).map { .real($0) }
        case .bool:
            ["true": true, "yes": true, "1": true, "false": false, "no": false, "0": false][text.lowercased()].map {
                .boolean($0)
            }
        case .date: PropertyValue(dateText: text)
        case .data: Data(base64Encoded: text).map { .data(Array($0)) }
        case .json:
            PropertyValue(json: text)
        }
    }
}

/// The format of an imported file.
enum ImportFormat: String, ExpressibleByArgument, CaseIterable {
    /// A sealed export.
    case zamok
    case jsonLines = "json-lines"
    case secretTool = "secret-tool"
    case bitwarden, cxf, csv, keepass, env, pass

    /// Whether another program wrote it, in a format that is read as a whole.
    var isForeign: Bool { [.bitwarden, .cxf, .csv, .keepass, .env, .pass].contains(self) }

    /// `nil`: not a text format that is read item by item.
    var form: ItemListing.Form? {
        switch self {
        case .zamok, .bitwarden, .cxf, .csv, .keepass, .env, .pass: nil
        case .jsonLines: .jsonLines
        case .secretTool: .secretTool
        }
    }
}

/// A duration on the command line: numbers with s, m, h, d or w, the larger unit first.
struct DurationWord: ExpressibleByArgument {
    let duration: Duration

    init?(argument: String) {
        let units = ["w": 604_800, "d": 86_400, "h": 3600, "m": 60, "s": 1]
        var sum = 0
        var last = Int.max
        var digits = ""
        for character in argument {
            if character.isASCII, character.isNumber {
                digits.append(character)
                continue
            }
            guard let unit = units[String(character)], unit < last, let count = Int(digits),
                (1...100_000).contains(count)
            else { return nil }
            sum += count * unit
            (last, digits) = (unit, "")
        }
        guard sum > 0, digits.isEmpty else { return nil }
        duration = .seconds(sum)
    }
}

/// The arguments after the program's name, as the parser takes them.
enum CommandWords {
    /// The arguments as text. Throws if they can't be read, or if one that has to be text is not. The parser would
    /// replace invalid bytes, so that two names could become one. Paths of `files` may have any bytes (`FileWord`).
    static func read(_ words: [[UInt8]] = ProcessArguments.words) throws -> [String] {
        guard !words.isEmpty else {
            throw CommandFailure(
                exitStatus: ExitStatus.notSetUp,
                message: "the words of the command line can't be read: the system has no /proc; nothing was done")
        }
        let words = Array(words.dropFirst())
        for (position, word) in words.enumerated() where String(validUTF8: word) == nil {
            guard isPath(position, words) else {
                throw CommandFailure.usage(
                    "\(String(decoding: word, as: UTF8.self).printable): the word has bytes that are not text (UTF-8), and would be taken for another one"
                )
            }
        }
        return words.map { String(decoding: $0, as: UTF8.self) }
    }

    /// Splits `--NAME=` without a value into two words, since the parser accepts no empty value there. `--NAME=VALUE`
    /// can give every value, including an empty one and one that begins with a dash.
    static func withEmptyValues(_ words: [String]) -> [String] {
        let end = words.firstIndex(of: "--") ?? words.endIndex
        return words[..<end].flatMap { word in
            let isOption = word.hasPrefix("-") && word.hasSuffix("=") && word.dropLast().allSatisfy { $0 != "=" }
            return isOption && word.utf8.count > 2 ? [String(word.dropLast()), ""] : [word]
        } + words[end...]
    }

    /// The name that the program was called with, without its folder.
    static var program: String {
        String(decoding: ProcessArguments.words.first?.split(separator: UInt8(ascii: "/")).last ?? [], as: UTF8.self)
    }

    /// Options with a value that may precede or follow the subcommand.
    private static let global = ["--user", "--passcode-file"].map { Array($0.utf8) }
    private static let hyphen = UInt8(ascii: "-")

    /// Whether the word is a path after `files`, whose bytes are kept unchanged.
    private static func isPath(_ position: Int, _ words: [[UInt8]]) -> Bool {
        guard words[position].first != hyphen, position > 0, !global.contains(words[position - 1]) else { return false }
        var next = 0
        while next < position, words[next].first == hyphen { next += global.contains(words[next]) ? 2 : 1 }
        return next < position && words[next] == Array("files".utf8)
    }
}
