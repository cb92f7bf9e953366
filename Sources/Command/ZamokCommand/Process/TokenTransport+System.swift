// SPDX-License-Identifier: Apache-2.0

import Credentials
import Foundation
import Statuses

/// The protocol of p11-kit on standard input and output. It begins with a version byte in each direction. Each message
/// is preceded by three 4-byte numbers: call ID, size of the options, size of the message.
struct TokenTransport {
    private let server: PKCS11Server
    private static let headSize = 12
    private static let optionLimit = 64 << 10

    init(_ server: PKCS11Server) { self.server = server }

    /// Runs until the peer closes the connection.
    func run() throws {
        guard try Self.read(1) != nil else { return }
        try send([PKCS11Server.version])
        while let head = try Self.read(Self.headSize) {
            let numbers = (0..<3).map { place in head[(4 * place)..<(4 * place + 4)].reduce(0) { $0 << 8 | Int($1) } }
            guard numbers[1] <= Self.optionLimit, numbers[2] <= PKCS11Server.messageLimit else {
                throw CommandFailure.status(.dataTooLarge, "p11-kit sent a message that is too long")
            }
            guard try Self.read(numbers[1]) != nil, var message = try Self.read(numbers[2]) else { return }
            let answer = server.answer(message)
            // The message may contain a passcode.
            for index in message.indices { message[index] = 0 }
            let count = (0..<4).map { UInt8(truncatingIfNeeded: answer.count >> (24 - 8 * $0)) }
            try send(Array(head[..<4]) + [0, 0, 0, 0] + count + answer)
        }
    }

    private func send(_ bytes: [UInt8]) throws {
        guard let code = Channel.write(bytes, to: Channel.output.descriptor) else { return }
        throw CommandFailure.status(.inputOutput, "p11-kit takes no answer: \(SystemCode.text(code))")
    }

    /// Reads exactly that many bytes; nil: the peer has closed the connection.
    private static func read(_ count: Int) throws -> [UInt8]? {
        var bytes = [UInt8](repeating: 0, count: count)
        var done = 0
        while done < count {
            let got = unsafe bytes.withUnsafeMutableBytes {
                unsafe Foundation.read(0, $0.baseAddress?.advanced(by: done), count - done)
            }
            if got == 0 { return nil }
            if got > 0 { done += got } else if errno != EINTR { throw StandardInput.unreadable }
        }
        return bytes
    }
}
