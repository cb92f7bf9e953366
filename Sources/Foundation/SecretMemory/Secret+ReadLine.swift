// SPDX-License-Identifier: Apache-2.0

import CPlatform
import Readers

extension Secret {
    /// Shows `prompt` on this process's terminal (/dev/tty, regardless of standard input) and reads a line from it. The
    /// input is not echoed unless `shown` is true, and the line end is not part of the secret. Blocks until there is an
    /// answer; there is one prompt at a time.
    ///
    /// Each character goes into secret memory as it is typed; backspace, Ctrl-U and Ctrl-W edit. Nothing of a
    /// half-typed secret is left for the shell, and echo is restored, when this returns or throws and when a signal
    /// ends or stops the process. On Linux that includes SIGKILL and SIGSTOP: a second process, without the program's
    /// files and secrets, reads the terminal while a prompt is open. What was typed after a secret's line is dropped.
    /// After a stop and continue, it prompts again. Terminal control characters in `prompt` are escaped.
    ///
    /// Throws ``SecretMemoryError``:
    ///
    /// - `noTerminal` immediately, if there is no terminal.
    /// - `cancelled` for Ctrl-C (which doesn't end the process here), for Ctrl-D on an empty line, and for a signal
    ///   that the program survived.
    /// - `lineTooLong` from 4,095 bytes, where a terminal begins to drop input.
    /// - `terminal` if the terminal failed.
    /// - `forked` in a child after fork.
    public static func readLine(prompt: String, shown: Bool = false) throws -> Secret {
        let text = Array(prompt.printable.utf8)
        var count: Int64 = 0
        let line = try SecretBytes(count: Int(ZAMOK_LINE_CAPACITY)) { span in
            count = unsafe span.withUnsafeMutableBytes { line in
                unsafe text.withUnsafeBytes { text in
                    unsafe zamok_read_line(
                        text.baseAddress, text.count, shown ? 1 : 0, line.baseAddress, line.count)
                }
            }
            guard count >= 0 else { throw SecretMemoryError(promptFailure: Int32(count)) }
        }
        return Secret(try line.prefix(Int(count)))
    }
}

extension Secret {
    /// Ends the prompt that is open in this process, if there is one, on any thread: it throws `cancelled`.
    package static func cancelReadLine() { zamok_cancel_line() }

    /// Prompts twice for the same line; nil if the two differ. `check` refuses the first before the second prompt.
    package static func readLine(
        prompt: String, again: String, check: (borrowing SecretBytes) throws -> Void
    ) throws -> Secret? {
        let first = try readLine(prompt: prompt)
        try first.withSecretBytes(check)
        return try first.isEqual(to: readLine(prompt: again)) ? first : nil
    }
}

extension SecretBytes {
    /// A copy of the first `length` bytes.
    fileprivate borrowing func prefix(_ length: Int) throws -> SecretBytes {
        try withBytes { line in
            try unsafe line.withUnsafeBytes { unsafe try SecretBytes(copying: $0.prefix(length)) }
        }
    }
}

extension SecretMemoryError {
    fileprivate init(promptFailure: Int32) {
        switch -promptFailure {
        case ENXIO, ENOSYS:
            self.init(.noTerminal, "There is no terminal to ask at; give the secret on standard input or in a file.")
        case ECANCELED: self.init(.cancelled, "Cancelled at the prompt; nothing was changed.")
        case EMSGSIZE:
            self.init(
                .lineTooLong, "The line is too long for a terminal (4,094 bytes); give the secret on standard input."
            )
        case let number: self.init(.terminal, "The terminal failed while it was asked (error \(number)).")
        }
    }
}
