// SPDX-License-Identifier: Apache-2.0

import SecretMemory

/// Standard output or standard error.
struct Channel {
    let descriptor: Int32

    static let output = Channel(descriptor: 1)
    static let error = Channel(descriptor: 2)

    /// Text of ours and a newline. Text from outside must be `printable`.
    func line(_ text: String) throws {
        try write(Array((text + "\n").utf8))
    }

    /// Many lines at once.
    func lines(_ lines: [String]) throws {
        try write(lines.reduce(into: []) { $0 += Array($1.utf8) + [UInt8(ascii: "\n")] })
    }

    /// Bytes as they are.
    func write(_ bytes: [UInt8]) throws {
        try check(Self.write(bytes, to: descriptor))
    }

    /// Bytes as they are, from where they lie.
    func write(_ bytes: RawSpan) throws {
        try check(Self.write(bytes, to: descriptor))
    }

    /// A secret as it is, from where it lies.
    func write(_ secret: Secret) throws {
        try check(secret.withBytes { Self.write($0, to: descriptor) })
    }

    /// The failure for a write error: silent with status 141, as a shell reports SIGPIPE, if nothing reads any more; otherwise the system's error.
    private func check(_ code: Int32?) throws {
        guard let code else { return }
        throw code == SystemCode.brokenPipe ? CommandFailure.silent(141) : .unwritten(code)
    }
}
