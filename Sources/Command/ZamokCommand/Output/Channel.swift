// SPDX-License-Identifier: Apache-2.0

import SecretMemory

/// Standard output or standard error.
struct Channel {
    let descriptor: Int32

    static let output = Channel(descriptor: 1)
    static let error = Channel(descriptor: 2)

    /// Writes the command's own text and a newline. Text from outside must be `printable`. A note that standard error
    /// doesn't take ends nothing: the exit status says what was done.
    func line(_ text: String) throws {
        do { try write(Array((text + "\n").utf8)) } catch {
            guard descriptor == Self.error.descriptor else { throw error }
        }
    }

    /// Writes many lines at once.
    func lines(_ lines: [String]) throws {
        try write(lines.reduce(into: []) { $0 += Array($1.utf8) + [UInt8(ascii: "\n")] })
    }

    /// Writes bytes unchanged.
    func write(_ bytes: [UInt8]) throws {
        try check(Self.write(bytes, to: descriptor))
    }

    /// Writes bytes unchanged, without a copy.
    func write(_ bytes: RawSpan) throws {
        try check(Self.write(bytes, to: descriptor))
    }

    /// Writes a secret unchanged, without a copy.
    func write(_ secret: Secret) throws {
        try check(secret.withBytes { Self.write($0, to: descriptor) })
    }

    /// Throws the failure for a write error. After a change it is `Done`'s; else a broken pipe is silent with status
    /// 141, as a shell reports SIGPIPE, and any other error is the system's.
    private func check(_ code: Int32?) throws {
        guard let code else { return }
        if let failure = Done.failure(SystemCode.text(code)) { throw failure }
        throw code == SystemCode.brokenPipe ? CommandFailure.silent(141) : .unwritten(code)
    }
}
