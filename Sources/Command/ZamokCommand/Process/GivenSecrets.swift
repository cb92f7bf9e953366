// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Credentials
import Foundation
import Keychains
import Readers
import SecretMemory

/// How `run` hands secrets to a program besides its environment, and keeps them out of what it prints.
struct GivenSecrets: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "A descriptor, 3 to 63, at which the program reads the secret of an item, once and to its end.",
            valueName: "NUMBER=SERVICE/ACCOUNT"))
    var fd: [String] = []

    @Flag(help: "Show *** in place of these secrets in what the program prints; its output is no terminal then.")
    var mask = false

    /// An item, and the descriptor that its secret is read at.
    struct Numbered {
        let number: Int32
        let variable: References.Variable
    }

    /// All of them, or the program isn't started.
    func numbered() throws -> [Numbered] {
        var found: [Numbered] = []
        for word in fd {
            guard let variable = References.variable(word), let number = Int32(variable.name),
                (3...63).contains(number),
                !found.contains(where: { $0.number == number })
            else {
                throw CommandFailure.usage(
                    "--fd takes NUMBER=SERVICE/ACCOUNT, each number from 3 to 63 once; nothing was started")
            }
            found.append(Numbered(number: number, variable: variable))
        }
        return found
    }

    /// Nil: nothing is masked.
    func filter(_ secrets: [Secret]) throws -> (@Sendable (Int32, [UInt8]) -> [UInt8])? {
        guard mask else { return nil }
        let bytes = try secrets.map { try [UInt8](exposing: $0) }
        let short = bytes.count { (1..<MaskedText.shortest).contains($0.count) }
        if short > 0 {
            try Channel.error.line(
                "zamok: secrets of fewer than \(MaskedText.shortest) bytes are not masked: \(short)")
        }
        let streams = Locked<[Int32: MaskedText]>([1: MaskedText(bytes), 2: MaskedText(bytes)])
        return { number, piece in
            streams.withLock { $0[number, default: MaskedText(bytes)].masked(piece) }
        }
    }
}
