// SPDX-License-Identifier: Apache-2.0

import Foundation
import KeychainEngine

/// A hop for which a key may be used, as `ssh-add -h` sends it:
/// `restrict-destination-v00@openssh.com` (OpenSSH's PROTOCOL.agent).
struct SSHDestination: Sendable, Equatable {
    /// One end of the hop.
    struct Hop: Sendable, Equatable {
        /// The host. Empty: the machine that the agent runs on.
        let host: String
        /// A pattern for the user. Empty: any user.
        let user: String
        let keys: [(bytes: [UInt8], isAuthority: Bool)]

        static func == (left: Self, right: Self) -> Bool {
            left.host == right.host && left.user == right.user
                && left.keys.elementsEqual(right.keys) { $0.bytes == $1.bytes && $0.isAuthority == $1.isAuthority }
        }
    }

    let from: Hop
    let to: Hop

    /// The maximum number in a message, as in OpenSSH.
    static let limit = 1024

    /// All destinations of a message. An empty list, which would be no restriction, is
    /// refused. Throws `SSHFormatError`.
    static func all(_ bytes: ArraySlice<UInt8>) throws -> [SSHDestination] {
        var reader = SSHReader(bytes)
        var all: [SSHDestination] = []
        while !reader.isAtEnd {
            guard all.count < limit else { throw SSHFormatError() }
            all.append(try SSHDestination(SSHReader(try reader.string())))
        }
        guard !all.isEmpty else { throw SSHFormatError() }
        return all
    }

    private init(_ reader: SSHReader) throws {
        var reader = reader
        from = try Hop(SSHReader(try reader.string()))
        to = try Hop(SSHReader(try reader.string()))
        guard try reader.string().isEmpty else { throw SSHFormatError() }
        try reader.end()
        guard from.host.isEmpty == from.keys.isEmpty, from.user.isEmpty, !to.host.isEmpty, !to.keys.isEmpty else {
            throw SSHFormatError()
        }
    }

    /// Whether it allows the hop from one host to another. Nil means: `origin`, this machine; `host`, any host;
    /// `user`, any user.
    func allows(from origin: SSHHostKey?, to host: SSHHostKey?, as user: String?, now: UInt64) -> Bool {
        guard origin.map({ from.matches($0, now) }) ?? from.keys.isEmpty else { return false }
        if let host, !to.matches(host, now) { return false }
        guard let user, !to.user.isEmpty else { return true }
        return SSHPattern(to.user).matches(user)
    }
}

extension SSHDestination.Hop {
    init(_ reader: SSHReader) throws {
        var reader = reader
        (user, host) = (try reader.text(), try reader.text())
        guard try reader.string().isEmpty else { throw SSHFormatError() }
        var keys: [(bytes: [UInt8], isAuthority: Bool)] = []
        while !reader.isAtEnd { keys.append((Array(try reader.string()), try reader.boolean())) }
        self.keys = keys
    }

    /// Whether a host is this one: by its key, or by a certificate.
    /// A certificate must be valid now, name the host, and be issued by one of these authorities.
    func matches(_ key: SSHHostKey, _ now: UInt64) -> Bool {
        guard let certificate = key.certificate else {
            return keys.contains { !$0.isAuthority && $0.bytes == key.bytes }
        }
        return keys.contains { $0.isAuthority && $0.bytes == certificate.authority } && certificate.isOfHost
            && certificate.valid.from <= now && now < certificate.valid.to
            && (certificate.names.isEmpty || certificate.names.contains { SSHPattern($0).matches(host) })
    }
}

/// A pattern of ssh_config(5): `*` matches any text, `?` matches one character.
struct SSHPattern {
    private let pattern: [UInt8]

    init(_ pattern: String) { self.pattern = Array(pattern.utf8) }

    /// Takes at most as many steps as the product of both lengths.
    func matches(_ text: String) -> Bool {
        let text = Array(text.utf8)
        var (place, position) = (0, 0)
        var (star, mark): (Int?, Int) = (nil, 0)
        while position < text.count {
            if place < pattern.count, pattern[place] == UInt8(ascii: "*") {
                (star, mark) = (place, position)
                place += 1
            } else if place < pattern.count, pattern[place] == UInt8(ascii: "?") || pattern[place] == text[position] {
                place += 1
                position += 1
            } else if let star {
                mark += 1
                (place, position) = (star + 1, mark)
            } else {
                return false
            }
        }
        return pattern[place...].allSatisfy { $0 == UInt8(ascii: "*") }
    }
}
