// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Credentials
import DataProtection
import Foundation
import Keychains
import Readers
import SecretMemory

/// How `run` passes secrets to a program besides its environment, and masks them in the program's output.
struct GivenSecrets: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "A descriptor, 3 to 63, at which the program reads the secret of an item, once and to its end.",
            valueName: "NUMBER=SERVICE/ACCOUNT"))
    var fd: [String] = []

    @Flag(help: "Show *** in place of these secrets in what the program prints; its output is no terminal then.")
    var mask = false

    /// An item, and the descriptor for its secret.
    struct Numbered {
        let number: Int32
        let variable: References.Variable
    }

    /// All items. On an error the program isn't started.
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

    /// `nil`: nothing is masked.
    func filter(_ secrets: [Secret]) throws -> Launcher.Filter? {
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

    /// The result of `run`: the program's status, or a failure if that is 0 and output was lost. Lost output is
    /// reported in both cases.
    func ending(_ status: Int32, of program: String, _ undelivered: Launcher.Undelivered?) throws -> CommandFailure {
        let loss: CommandFailure
        switch undelivered {
        case nil: return .silent(status)
        // The same as without the filter, where the program would get the signal.
        case .unwritten(SystemCode.brokenPipe): loss = .silent(141)
        case .unwritten(let number): loss = .unwritten(number)
        case .leftRunning:
            loss = CommandFailure(
                exitStatus: ExitStatus.inPart,
                message:
                    "\(program.printable) has ended, and left a process running that holds its output; what that writes from now on is not shown: start it with its output in a file"
            )
        }
        guard status != 0 else { return loss }
        if let message = loss.message { try Channel.error.line("zamok: \(message)") }
        return .silent(status)
    }
}
