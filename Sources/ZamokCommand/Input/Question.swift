// SPDX-License-Identifier: Apache-2.0

import Foundation

/// A question whose answer may be seen, asked at the terminal itself.
enum Question {
    /// The answer without its end. Without a terminal nobody is asked, and the command says so.
    static func ask(_ question: String) throws -> String {
        guard let terminal = FileHandle(forUpdatingAtPath: "/dev/tty") else {
            throw CommandFailure.status(-25_315, "there is no terminal to ask at; add --yes")
        }
        try terminal.write(contentsOf: Data(question.utf8))
        var answer: [UInt8] = []
        while answer.count < 256, let byte = try terminal.read(upToCount: 1)?.first, byte != UInt8(ascii: "\n") {
            answer.append(byte)
        }
        return String(decoding: answer, as: UTF8.self)
    }
}
