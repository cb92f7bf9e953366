// SPDX-License-Identifier: Apache-2.0

import SecretMemory
import Statuses

/// Reads from standard input.
enum StandardInput {
    /// The maximum size of a line of fields in bytes.
    private static let lineLimit = 65_536

    /// The first line without its line end. Nothing after it is read.
    static func firstLine() throws -> [UInt8] {
        var line: [UInt8] = []
        while let byte = try nextByte(), byte != UInt8(ascii: "\n") {
            guard line.count < lineLimit else {
                throw CommandFailure.usage("the first line of standard input is longer than 64 KiB")
            }
            line.append(byte)
        }
        return line
    }

    /// The next line without its line end; nil at the end. Nothing after it is read.
    static func line(atMost limit: Int) throws -> Secret? {
        var line: [UInt8] = []
        while let byte = try nextByte() {
            guard byte != UInt8(ascii: "\n") else { return try Secret(copying: line) }
            guard line.count < limit else { throw CommandFailure.usage("a line of standard input is too long") }
            line.append(byte)
        }
        return line.isEmpty ? nil : try Secret(copying: line)
    }

    /// The secret of an item: all of standard input, byte for byte; at a terminal a prompt that is repeated.
    static func secret(allowingEmpty: Bool) throws -> Secret {
        if isTerminal { return try asked(allowingEmpty) }
        guard let secret = try all(limit: 16 << 20) else {
            throw CommandFailure.status(.dataTooLarge, "the secret is larger than 16 MiB; nothing was stored")
        }
        try refuseEmpty(secret.count, allowingEmpty)
        return secret
    }

    private static func refuseEmpty(_ count: Int, _ isAllowed: Bool) throws {
        guard count == 0, !isAllowed else { return }
        throw CommandFailure.usage(
            "the secret is empty, nothing was stored; give it on standard input, or add --allow-empty"
        )
    }

    /// All bytes up to the end; nil if there are more than `limit`.
    static func all(limit: Int) throws -> Secret? { try whole(0, limit: limit, or: unreadable) }

    /// All bytes up to the end of a descriptor; nil if there are more than `limit`. `failure` is thrown for a
    /// descriptor that can't be read.
    static func whole(_ descriptor: Int32, limit: Int, or failure: CommandFailure) throws -> Secret? {
        do {
            return try Secret.read(from: descriptor, limit: limit)
        } catch let error as SecretMemoryError where error.code == .unreadable {
            throw failure
        }
    }

    private static func asked(_ allowingEmpty: Bool) throws -> Secret {
        let secret = try Secret.readLine(prompt: "Secret: ", again: "Once more: ") {
            try refuseEmpty($0.count, allowingEmpty)
        }
        guard let secret else {
            throw CommandFailure.usage("the two secrets differ, nothing was stored")
        }
        return secret
    }

    static var unreadable: CommandFailure {
        .usage(
            "standard input can't be read (is it closed?); the secret is read from there, or asked for at a terminal")
    }

    /// Like `unreadable`, for the content of a file.
    static var unreadableContent: CommandFailure {
        .usage("standard input can't be read (is it closed, or a folder?); the content is read from there")
    }
}
