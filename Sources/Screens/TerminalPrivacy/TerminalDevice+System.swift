// SPDX-License-Identifier: Apache-2.0

import CPlatform
import SecretMemory

/// The process's terminal, as a device. Only this type in the module talks to the kernel.
struct TerminalDevice: ~Copyable {
    /// The result of a wait.
    struct Wakeup: OptionSet {
        let rawValue: Int32
        static let input = Wakeup(rawValue: ZAMOK_TERMINAL_INPUT)
        static let resized = Wakeup(rawValue: ZAMOK_TERMINAL_RESIZED)
        static let continued = Wakeup(rawValue: ZAMOK_TERMINAL_CONTINUED)
    }

    private let descriptor: Int32

    /// Whether a part of this program has taken over the terminal.
    static var isTaken: Bool { zamok_terminal_is_entered() != 0 }

    /// Opens the terminal and takes it over.
    init(enter: String, leave: String) throws(TerminalError) {
        let descriptor = zamok_terminal_open()
        guard descriptor >= 0 else {
            throw TerminalError(.noTerminal, "this program needs a terminal, and the process has none")
        }
        let result = unsafe zamok_terminal_enter(descriptor, enter, leave)
        guard result == 0 else {
            _ = zamok_close(descriptor)
            throw result == -EBUSY
                ? TerminalError(.inUse, "the terminal is in use by another part of this program")
                : TerminalError(.system, "the terminal could not be set up (error \(-result))")
        }
        self.descriptor = descriptor
    }

    deinit {
        _ = zamok_terminal_leave()
        _ = zamok_close(descriptor)
    }

    /// Columns and rows; 80 by 24 if the terminal doesn't report them.
    var size: (columns: Int, rows: Int) {
        var columns: Int32 = 0
        var rows: Int32 = 0
        guard unsafe zamok_terminal_size(descriptor, &columns, &rows) == 0, columns > 0, rows > 0 else {
            return (80, 24)
        }
        return (min(Int(columns), 1000), min(Int(rows), 1000))
    }

    func suspend() { _ = zamok_terminal_suspend() }

    /// Waits for input; nil: without a limit. Errors: `.system`.
    func wait(_ time: Duration?) throws(TerminalError) -> Wakeup {
        let result = zamok_terminal_wait(descriptor, time.map { $0.milliseconds } ?? -1)
        guard result >= 0 else { throw TerminalError(.system, "the terminal does not answer (error \(-result))") }
        return Wakeup(rawValue: result)
    }

    /// Reads typed bytes, as a secret from the start, since they may be one. nil: the terminal is gone.
    func read() throws(TerminalError) -> SecretBytes? {
        var count = 0
        do {
            let buffer = try SecretBytes(count: 256) { span in
                unsafe span.withUnsafeMutableBytes { bytes in
                    count = Int(unsafe zamok_terminal_read(descriptor, bytes.baseAddress, bytes.count))
                }
            }
            if count == Int(-EINTR) || count == Int(-EAGAIN) { return try SecretBytes(count: 0) { _ in } }
            guard count > 0 else { return nil }
            return try buffer.withBytes { try SecretBytes(copying: $0.extracting(0..<count)) }
        } catch {
            throw TerminalError(.noMemory, "no memory for what was typed")
        }
    }

    @discardableResult
    func write(_ text: String) -> Bool { write(Array(text.utf8)) }

    /// False: the terminal takes no output now, and has taken a part at most. `read` notices its end.
    @discardableResult
    func write(_ bytes: [UInt8]) -> Bool {
        unsafe bytes.withUnsafeBytes { unsafe zamok_terminal_draw(descriptor, $0.baseAddress, $0.count) } != -EAGAIN
    }

    var takesOutput: Bool { zamok_terminal_takes_output(descriptor) != 0 }

    /// Gives the copy in the clipboard to the supervisor, if there is one; nil takes it back.
    /// See `zamok_terminal_entrust_copy`.
    func entrust(_ copy: Secret?) {
        try? copy?.withBytes { span in
            unsafe span.withUnsafeBytes { _ = unsafe zamok_terminal_entrust_copy($0.baseAddress, $0.count) }
        }
        if copy == nil { _ = zamok_terminal_entrust_copy(nil, 0) }
    }

    func write(_ secret: borrowing SecretBytes) throws {
        try secret.withBytes { span in
            unsafe span.withUnsafeBytes { _ = unsafe zamok_terminal_draw(descriptor, $0.baseAddress, $0.count) }
        }
    }
}

extension SecretBytes {
    /// A copy of `span`.
    init(copying span: RawSpan) throws {
        try self.init(count: span.byteCount) { new in
            for index in 0..<span.byteCount {
                let byte = unsafe span.unsafeLoad(fromByteOffset: index, as: UInt8.self)
                new.storeBytes(of: byte, toByteOffset: index, as: UInt8.self)
            }
        }
    }
}

extension Duration {
    /// Whole milliseconds, rounded up, in the range that the system accepts.
    var milliseconds: Int32 {
        let (seconds, attoseconds) = components
        let parts = (attoseconds + 999_999_999_999_999) / 1_000_000_000_000_000
        return Int32(clamping: max(0, min(seconds, 1_000_000) * 1000 + parts))
    }
}

/// Runs `program` under a small parent process that restores and empties the terminal. The parent does so when the
/// program is killed or stopped from outside, crashes, or otherwise ends without doing it itself.
///
/// Call it first in `main`, before anything that must not happen twice. The program is started again with the same
/// arguments, and the code before this call runs in the parent too. Without a terminal, or if the parent can't be
/// started, `program` runs without one; `isSupervised` shows this. In the parent this call doesn't return: it ends as
/// the program did.
///
/// A parent doesn't help if both are killed at the same moment, or against a terminal that records its display.
public func supervised<R>(_ program: () throws -> R) rethrows -> R {
    startSupervision()
    return try program()
}

/// Like `supervised`, without a closure, for an asynchronous program: the code after this call runs under the parent.
public func supervise() { startSupervision() }

/// Whether this program has a parent that restores the terminal.
public var isSupervised: Bool { zamok_is_supervised() == 1 }

private func startSupervision() {
    var count: Int32 = 0
    _ = unsafe zamok_supervise(zamok_arguments(&count) ?? CommandLine.unsafeArgv)
}
