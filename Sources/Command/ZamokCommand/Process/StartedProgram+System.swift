// SPDX-License-Identifier: Apache-2.0

#if !canImport(Darwin)
import CPlatform
import Foundation
import SecretMemory

// What this program uses of Foundation's classes of these names, and nothing of Foundation on Linux, which with them
// would be a fifth of the binary (Decision 0073).

/// What a program has as its standard input, output or error.
protocol ProgramStream: Sendable {
    /// The descriptor that the program gets as input.
    var source: Int32 { get }
    /// The descriptor that the program gets as output.
    var target: Int32 { get }
}

/// An open file.
final class FileHandle: ProgramStream {
    static let nullDevice = FileHandle(
        fileDescriptor: unsafe open("/dev/null", O_RDWR | O_CLOEXEC), closeOnDealloc: false)
    static let standardInput = FileHandle(fileDescriptor: STDIN_FILENO, closeOnDealloc: false)

    private let number: SharedNumber
    private let closesAtEnd: Bool

    var fileDescriptor: Int32 { number.value }
    var source: Int32 { number.value }
    var target: Int32 { number.value }

    init(fileDescriptor: Int32, closeOnDealloc: Bool) {
        number = SharedNumber(fileDescriptor)
        closesAtEnd = closeOnDealloc
    }

    deinit { if closesAtEnd { try? close() } }

    /// Closes the file; a second time does nothing.
    func close() throws {
        let open = number.exchange(-1)
        if open >= 0 { _ = Foundation.close(open) }
    }

    func write(contentsOf data: Data) throws {
        let failure = unsafe data.withUnsafeBytes { unsafe zamok_put(fileDescriptor, $0.baseAddress, $0.count) }
        if failure < 0 { throw POSIXError.of(-failure) }
    }

    func offset() throws -> UInt64 { try place(0, SEEK_CUR) }

    func seek(toOffset offset: UInt64) throws {
        guard let offset = Int64(exactly: offset) else { throw POSIXError(.EINVAL) }
        _ = try place(offset, SEEK_SET)
    }

    private func place(_ offset: Int64, _ origin: Int32) throws -> UInt64 {
        let place = lseek(fileDescriptor, off_t(offset), origin)
        guard place >= 0 else { throw POSIXError.of(errno) }
        return UInt64(place)
    }

    /// At most so many bytes, fewer only at the end; nil: at the end.
    func read(upToCount count: Int) throws -> Data? {
        var read: [UInt8] = []
        while read.count < count {
            let wanted = min(count - read.count, 1 << 16)
            var got = 0
            let part = try unsafe [UInt8](unsafeUninitializedCapacity: wanted) { buffer, filled in
                repeat {
                    got = unsafe Foundation.read(fileDescriptor, buffer.baseAddress, wanted)
                } while got < 0 && errno == EINTR
                guard got >= 0 else { throw POSIXError.of(errno) }
                filled = got
            }
            read += part
            if got == 0 { break }
        }
        return read.isEmpty && count > 0 ? nil : Data(read)
    }
}

extension POSIXError {
    fileprivate static func of(_ number: Int32) -> POSIXError { POSIXError(POSIXErrorCode(rawValue: number) ?? .EIO) }
}

/// A pipe to or from a program.
final class Pipe: ProgramStream {
    let fileHandleForReading, fileHandleForWriting: FileHandle
    var source: Int32 { fileHandleForReading.fileDescriptor }
    var target: Int32 { fileHandleForWriting.fileDescriptor }

    /// Without descriptors that are left both ends are closed ones, and the program isn't started.
    init() {
        var ends: [Int32] = [-1, -1]
        if unsafe zamok_pipe(&ends) != 0 { ends = [-1, -1] }
        fileHandleForReading = FileHandle(fileDescriptor: ends[0], closeOnDealloc: true)
        fileHandleForWriting = FileHandle(fileDescriptor: ends[1], closeOnDealloc: true)
    }
}

/// A program that this one starts, in a process group of its own.
final class Process: Sendable {
    enum TerminationReason { case exit, uncaughtSignal }

    private struct State {
        var path = ""
        var words: [String] = []
        var environment: [String: String]?
        var streams: [any ProgramStream] = [
            FileHandle.standardInput, FileHandle.standardOutput, FileHandle.standardError,
        ]
        /// 0 before the start and after the end.
        var number: Int32 = 0
        var status: Int32 = 0
        var signal: Int32 = 0
    }

    private let state = Locked(State())

    var executableURL: URL? {
        get { state.withLock { URL(fileURLWithPath: $0.path) } }
        set { state.withLock { $0.path = newValue?.path ?? "" } }
    }
    var arguments: [String]? {
        get { state.withLock { $0.words } }
        set { state.withLock { $0.words = newValue ?? [] } }
    }
    /// Nil: that of this process.
    var environment: [String: String]? {
        get { state.withLock { $0.environment } }
        set { state.withLock { $0.environment = newValue } }
    }
    var standardInput: any ProgramStream {
        get { state.withLock { $0.streams[0] } }
        set { state.withLock { $0.streams[0] = newValue } }
    }
    var standardOutput: any ProgramStream {
        get { state.withLock { $0.streams[1] } }
        set { state.withLock { $0.streams[1] = newValue } }
    }
    var standardError: any ProgramStream {
        get { state.withLock { $0.streams[2] } }
        set { state.withLock { $0.streams[2] = newValue } }
    }
    var terminationStatus: Int32 { state.withLock { $0.status } }
    var terminationReason: TerminationReason { state.withLock { $0.signal == 0 ? .exit : .uncaughtSignal } }

    /// Starts it. The ends of its pipes that are the program's are closed here, so that their other ends see its end.
    ///
    /// Errors: the system's, as a `POSIXError`.
    func run() throws {
        try state.withLock { state in
            let environment = state.environment ?? ProcessInfo.processInfo.environment
            let started = unsafe withTexts([state.path] + state.words) { words in
                unsafe withTexts(environment.map { "\($0.key)=\($0.value)" }) { variables in
                    unsafe zamok_start(
                        state.path, words, variables, state.streams[0].source, state.streams[1].target,
                        state.streams[2].target)
                }
            }
            guard started > 0 else { throw POSIXError.of(-started) }
            state.number = started
            try? (state.streams[0] as? Pipe)?.fileHandleForReading.close()
            for stream in state.streams[1...] { try? (stream as? Pipe)?.fileHandleForWriting.close() }
        }
    }

    func waitUntilExit() {
        let number = state.withLock { $0.number }
        guard number > 0 else { return }
        var signal: Int32 = 0
        // The number is the process's until this is over, and no signal is sent from then on.
        zamok_await(number)
        state.withLock { state in
            let status = unsafe zamok_end(number, &signal)
            state.number = 0
            state.status = signal == 0 ? max(status, 0) : signal
            state.signal = signal
            // One that another part of this program waited for may have failed.
            if status < 0 { state.status = 255 }
        }
    }

    /// Asks it to end, if it runs.
    func terminate() {
        state.withLock { if $0.number > 0 { _ = kill($0.number, SIGTERM) } }
    }
}

extension FileHandle {
    static let standardOutput = FileHandle(fileDescriptor: STDOUT_FILENO, closeOnDealloc: false)
    static let standardError = FileHandle(fileDescriptor: STDERR_FILENO, closeOnDealloc: false)
}
#endif
