// SPDX-License-Identifier: Apache-2.0

public import DataProtection
import Dispatch
public import Files
import SecretMemory

/// Runs blocking work on a Dispatch thread, never on those of the cooperative pool.
private func offTheCooperativePool<R: Sendable>(
    _ body: @escaping @Sendable () throws(ProtectedFileError) -> R
) async throws(ProtectedFileError) -> R {
    let result: Result<R, ProtectedFileError> = await withCheckedContinuation { continuation in
        DispatchQueue.global().async {
            do throws(ProtectedFileError) {
                continuation.resume(returning: .success(try body()))
            } catch {
                continuation.resume(returning: .failure(error))
            }
        }
    }
    return try result.get()
}

/// The content of a protected file, part by part. Each part is verified before it is returned, and read only on
/// request, so memory use doesn't depend on the size.
public struct ProtectedFileStream: AsyncSequence, Sendable {
    /// A part of the content.
    public typealias Element = [UInt8]
    let handle: ProtectedFileHandle
    let partSize: Int

    /// Continues where the last part ended.
    public struct AsyncIterator: AsyncIteratorProtocol {
        let stream: ProtectedFileStream
        var offset = 0

        /// The next part; nil at the end. Throws `ProtectedFileError`.
        public mutating func next() async throws -> [UInt8]? {
            try Task.checkCancellation()
            let (handle, count, begin) = (stream.handle, stream.partSize, offset)
            let part = try await offTheCooperativePool { () throws(ProtectedFileError) in
                try handle.read(count: count, at: begin)
            }
            offset += part.count
            return part.isEmpty ? nil : part
        }
    }

    /// Starts at the beginning of the content.
    public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(stream: self) }
}

extension ProtectedFileStore {
    /// The content as a stream of parts of up to 256 KiB.
    public func stream(from path: FileLocation) throws(ProtectedFileError) -> ProtectedFileStream {
        ProtectedFileStream(handle: try handle(forReadingFrom: path), partSize: 8 * FileFormat.chunkSize)
    }

    /// Writes a protected file from the parts that `parts` yields, and replaces the file of that name. The old file
    /// stays until the last part is on disk, and if `parts` throws or the task is cancelled. At most one part and one
    /// chunk are in memory.
    public func write<Parts: AsyncSequence & Sendable>(
        contentsOf parts: Parts, to path: FileLocation, protection: ProtectionClass? = nil,
        options: WritingOptions = []
    ) async throws where Parts.Element == [UInt8] {
        let writer = try await offTheCooperativePool { () throws(ProtectedFileError) in
            try StreamWriter(self, path: path, protection: protection, options: options)
        }
        do {
            for try await part in parts {
                try Task.checkCancellation()
                try await offTheCooperativePool { () throws(ProtectedFileError) in try writer.append(part) }
            }
            try await offTheCooperativePool { () throws(ProtectedFileError) in try writer.finish() }
        } catch {
            writer.cancel()
            throw error
        }
    }
}

/// A file that is being written from consecutive parts.
private final class StreamWriter: Sendable {
    private let store: ProtectedFileStore
    private let path: FileLocation
    private let options: ProtectedFileStore.WritingOptions
    private let state: Locked<State>

    private struct State: ~Copyable {
        var fresh: FreshFile?
    }

    init(
        _ store: ProtectedFileStore, path: FileLocation, protection: ProtectionClass?,
        options: ProtectedFileStore.WritingOptions
    ) throws(ProtectedFileError) {
        self.store = store
        self.options = options
        // The file is renamed into place in the folder in which it was begun, even if the path changes.
        let held = try store.reaching(path) { $0 }
        self.path = held
        state = Locked(
            State(
                fresh: try store.reaching(held) { _ in try store.begin(held, protection: protection, options: options) }
            ))
    }

    func append(_ part: [UInt8]) throws(ProtectedFileError) {
        try store.reaching(path) { path in
            try state.withLock { state in
                guard var fresh = state.fresh.take() else { return }
                let result = Result { try part.withSpan(part.count) { try fresh.append($0) } }
                state.fresh = consume fresh
                try result.get()
            }
        }
    }

    func finish() throws(ProtectedFileError) {
        try store.reaching(path) { path in
            try state.withLock { state in
                guard var fresh = state.fresh.take() else { return }
                try store.place(&fresh, at: path, options)
            }
        }
    }

    func cancel() {
        state.withLock { $0.fresh = nil }
    }
}
