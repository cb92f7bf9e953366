// SPDX-License-Identifier: Apache-2.0

import KeychainEngine

/// What `ssh-add` says with a key: for how long, with whose consent, and where to it may be used.
struct SSHConstraints: Sendable {
    /// Seconds; nil: until it is removed.
    var lifetime: UInt32?
    /// A person is asked at each use.
    var confirms = false
    /// Empty: everywhere.
    var destinations: [SSHDestination] = []

    private static let lifetimeNumber: UInt8 = 1
    private static let confirmNumber: UInt8 = 2
    private static let extensionNumber: UInt8 = 255
    private static let restriction = "restrict-destination-v00@openssh.com"

    init() {}

    /// The rest of a message. What isn't known, or comes twice, is refused: a constraint that isn't kept is worse than none. Throws `SSHFormatError`.
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

/// A request for a signature with which somebody logs in (RFC 4252, section 7): what restricted keys may sign, and nothing else.
struct SSHLoginRequest {
    let session: [UInt8]
    let user: String
    /// The host's key, where the request names it.
    let hostKey: [UInt8]?

    private static let number: UInt8 = 50

    /// Throws `SSHFormatError` for anything else, and for one of another key.
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
