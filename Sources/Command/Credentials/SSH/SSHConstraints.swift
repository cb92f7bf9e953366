// SPDX-License-Identifier: Apache-2.0

import KeychainEngine

/// The constraints that `ssh-add` sends with a key: its lifetime, confirmation and destinations.
struct SSHConstraints: Sendable {
    /// The lifetime in seconds. Nil: until the key is removed.
    var lifetime: UInt32?
    /// Whether the user is prompted at each use.
    var confirms = false
    /// The hops for which the key may be used. Empty: all.
    var destinations: [SSHDestination] = []

    private static let lifetimeNumber: UInt8 = 1
    private static let confirmNumber: UInt8 = 2
    private static let extensionNumber: UInt8 = 255
    private static let restriction = "restrict-destination-v00@openssh.com"

    init() {}

    /// Reads the rest of a message. Refuses constraints that are unknown or repeated, since ignoring one
    /// would be worse.
    /// Throws `SSHFormatError`.
    init(_ reader: inout SSHReader) throws {
        while !reader.isAtEnd {
            switch try reader.byte() {
            case Self.lifetimeNumber where lifetime == nil: lifetime = try reader.number()
            case Self.confirmNumber where !confirms: confirms = true
            case Self.extensionNumber where destinations.isEmpty:
                guard try reader.text() == Self.restriction else { throw SSHFormatError() }
                destinations = try SSHDestination.all(try reader.string())
            default: throw SSHFormatError()
            }
        }
    }
}

/// A request for a login signature (RFC 4252, section 7), the only data that a restricted key may sign.
struct SSHLoginRequest {
    let session: [UInt8]
    let user: String
    /// The host's key, if the request contains it.
    let hostKey: [UInt8]?

    private static let number: UInt8 = 50

    /// Throws `SSHFormatError` for other data, and for a request of another key.
    init(_ bytes: ArraySlice<UInt8>, of key: [UInt8]) throws {
        var reader = SSHReader(bytes)
        session = Array(try reader.string())
        guard !session.isEmpty, try reader.byte() == Self.number else { throw SSHFormatError() }
        user = try reader.text()
        guard try reader.text() == "ssh-connection" else { throw SSHFormatError() }
        let method = try reader.text()
        guard try reader.byte() == 1 else { throw SSHFormatError() }
        let way = try reader.text()
        let asked = Array(try reader.string())
        guard asked == key,
            try KeyMaterial(sshPublicKey: key).sshSignature(SSHSignature(rawValue: way))?.rawValue == way
        else { throw SSHFormatError() }
        switch method {
        case "publickey": hostKey = nil
        case "publickey-hostbound-v00@openssh.com": hostKey = Array(try reader.string())
        default: throw SSHFormatError()
        }
        try reader.end()
    }
}
