// SPDX-License-Identifier: Apache-2.0

/// What a client of PostgreSQL begins with: a length, a number, and what belongs to it (PostgreSQL's documentation,
/// "Frontend/Backend Protocol").
package enum StartMessage: Equatable {
    /// Bytes of the longest one that servers take.
    package static let limit = 10_000

    /// The bytes end before it is known.
    case undecided
    /// Why it is refused.
    case malformed(String)
    /// A request for TLS, or for encryption by GSSAPI. Inside there is neither.
    case encryption
    /// A request to end what a session of this process and key is doing.
    case cancel([UInt8])
    case start(PostgresStart)

    package static let encryptionSize = 8
    private static let cancelSize = 16

    /// `bytes`: what has come. A start and a request to cancel are whole: the client waits for an answer, so nothing
    /// follows them.
    package init(_ bytes: [UInt8]) {
        guard bytes.count >= 8 else {
            self = .undecided
            return
        }
        let size = Int(Self.integer(bytes[0..<4]))
        let number = Self.integer(bytes[4..<8])
        guard (8...Self.limit).contains(size) else {
            self = .malformed("the message that begins a session has no length that is permitted")
            return
        }
        guard bytes.count >= size else {
            self = .undecided
            return
        }
        switch number {
        case 80_877_103, 80_877_104:
            self = size == Self.encryptionSize ? .encryption : .malformed("a request for encryption is malformed")
        case 80_877_102:
            let isWhole = size == Self.cancelSize && bytes.count == size
            self = isWhole ? .cancel(Array(bytes[8..<size])) : .malformed("a request to cancel is malformed")
        case _ where number >> 16 == 3:
            guard bytes.count == size else {
                self = .malformed("the client sent more than it may before it is answered")
                return
            }
            do throws(Refusal) { self = .start(try PostgresStart(bytes[8..<size], minor: number & 0xFFFF)) } catch {
                self = .malformed(error.text)
            }
        default: self = .malformed("the client speaks another protocol than version 3 of PostgreSQL's")
        }
    }

    private static func integer(_ bytes: ArraySlice<UInt8>) -> UInt32 { bytes.reduce(0) { $0 << 8 | UInt32($1) } }
}

/// A session as a client wants it.
package struct PostgresStart: Equatable {
    package let user: String
    package let database: String
    /// All other parameters, in their order.
    package let parameters: [(name: String, value: String)]
    /// What the server doesn't get, and the client is told: a later protocol than 3.0, or its options.
    package let unknownOptions: [String]
    package let isLater: Bool

    package static func == (one: Self, other: Self) -> Bool { one.bytes == other.bytes }

    /// `bytes`: after the version. Errors: why it is refused.
    init(_ bytes: ArraySlice<UInt8>, minor: UInt32) throws(Refusal) {
        guard bytes.last == 0 else { throw .malformed("the parameters of the session have no end") }
        var parts = bytes.dropLast().split(separator: 0, omittingEmptySubsequences: false)
        // Each name and value has its end.
        guard parts.popLast()?.isEmpty == true, parts.count % 2 == 0 else {
            throw .malformed("the parameters of the session are not whole")
        }
        var found: [(name: String, value: String)] = []
        for index in stride(from: 0, to: parts.count, by: 2) {
            guard let name = String(validating: parts[index], as: UTF8.self), !name.isEmpty,
                let value = String(validating: parts[index + 1], as: UTF8.self)
            else { throw .malformed("a parameter of the session is no text") }
            guard !found.contains(where: { $0.name.utf8.elementsEqual(name.utf8) }) else {
                throw .malformed("a parameter of the session is there twice")
            }
            found.append((name, value))
        }
        guard let user = found.first(where: { $0.name == "user" })?.value, Self.isName(user) else {
            throw .malformed("the session names no user")
        }
        let database = found.first { $0.name == "database" }?.value ?? user
        guard Self.isName(database) else { throw .malformed("the name of the database can't be one") }
        unknownOptions = found.map(\.name).filter { $0.hasPrefix("_pq_.") }
        isLater = minor > 0
        parameters = found.filter { !["user", "database"].contains($0.name) && !$0.name.hasPrefix("_pq_.") }
        for parameter in parameters {
            switch parameter.name {
            case "replication": throw .forbidden("a session for replication can't be granted")
            case "options":
                guard Self.areSettings(parameter.value) else {
                    throw .forbidden("the options of the session are more than settings of the form -c NAME=VALUE")
                }
            default:
                guard Self.isSetting(parameter.name[...]) else {
                    throw .malformed("a parameter of the session has no name that is permitted")
                }
            }
        }
        (self.user, self.database) = (user, database)
    }

    /// PostgreSQL cuts longer names off.
    private static func isName(_ text: String) -> Bool {
        (1...63).contains(text.utf8.count) && text.unicodeScalars.allSatisfy { $0.value >= 0x20 && $0.value != 0x7F }
    }

    private static func isSetting(_ name: Substring) -> Bool {
        !name.isEmpty
            && name.utf8.allSatisfy { byte in
                (97...122).contains(byte | 0x20) || (48...57).contains(byte) || Array("_.-".utf8).contains(byte)
            }
    }

    /// Whether these are `-c NAME=VALUE` or `--NAME=VALUE` alone. Others start a server in another way, or lead to
    /// another one behind a pooler.
    private static func areSettings(_ options: String) -> Bool {
        var (words, word, isEscaped) = ([String](), "", false)
        for character in options.unicodeScalars {
            if isEscaped {
                word.unicodeScalars.append(character)
                isEscaped = false
            } else if character == "\\" {
                isEscaped = true
            } else if [" ", "\t", "\n", "\r", "\u{B}", "\u{C}"].contains(character) {
                if !word.isEmpty { words.append(word) }
                word = ""
            } else {
                word.unicodeScalars.append(character)
            }
        }
        if !word.isEmpty { words.append(word) }
        var index = 0
        while index < words.count {
            var setting = words[index][...]
            if setting == "-c" {
                index += 1
                guard index < words.count else { return false }
                setting = words[index][...]
            } else if setting.hasPrefix("-c") || setting.hasPrefix("--") {
                setting = setting.dropFirst(2)
            } else {
                return false
            }
            guard let equal = setting.firstIndex(of: "="), isSetting(setting[..<equal]) else { return false }
            index += 1
        }
        return true
    }

    /// The message for the server: version 3.0.
    package var bytes: [UInt8] {
        var content: [UInt8] = [0, 3, 0, 0]
        for (name, value) in [("user", user), ("database", database)] + parameters {
            content += Array(name.utf8) + [0] + Array(value.utf8) + [0]
        }
        content.append(0)
        return PostgresMessage.framed(content)
    }

    /// What the client is told if it wanted more than version 3.0; nil: it didn't.
    package var negotiation: [UInt8]? {
        guard isLater || !unknownOptions.isEmpty else { return nil }
        return PostgresMessage.framed(
            UInt8(ascii: "v"),
            [0, 3, 0, 0] + PostgresMessage.integer(UInt32(truncatingIfNeeded: unknownOptions.count))
                + unknownOptions.flatMap { Array($0.utf8) + [0] })
    }
}

/// How messages of PostgreSQL's protocol are made.
package enum PostgresMessage {
    /// A request for TLS.
    static let tlsRequest = framed(integer(80_877_103))

    static func cancel(_ key: [UInt8]) -> [UInt8] { framed(integer(80_877_102) + key) }

    package static func integer(_ value: UInt32) -> [UInt8] {
        (0..<4).map { UInt8(truncatingIfNeeded: value >> (24 - 8 * $0)) }
    }

    static func framed(_ content: [UInt8]) -> [UInt8] {
        integer(UInt32(truncatingIfNeeded: content.count + 4)) + content
    }

    static func framed(_ kind: UInt8, _ content: [UInt8]) -> [UInt8] { [kind] + framed(content) }

    /// The authentication is done.
    static let authenticated = framed(UInt8(ascii: "R"), [0, 0, 0, 0])

    /// An error that ends the session. `code`: an SQLSTATE.
    static func fatal(_ text: String, code: String = "28000") -> [UInt8] {
        var content: [UInt8] = []
        for field in ["SFATAL", "VFATAL", "C\(code)", "Mzamok guard: \(text)"] {
            content += field.utf8.filter { $0 != 0 }
            content.append(0)
        }
        return framed(UInt8(ascii: "E"), content + [0])
    }

    /// The text of an error or a notice; nil: it has none.
    static func text(_ content: some Collection<UInt8>) -> String? {
        let field = content.split(separator: 0).first { $0.first == UInt8(ascii: "M") }
        return field.map { String(decoding: $0.dropFirst(), as: UTF8.self) }
    }
}
