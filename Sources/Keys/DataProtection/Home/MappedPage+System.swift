// SPDX-License-Identifier: Apache-2.0

import CPlatform
import Files
import SecretMemory

/// The first page of a file, shared with every process that maps it. It stays readable if the file is truncated: then
/// zeros are read. Offsets are constants of this module, all within 4096 bytes.
@safe
struct MappedPage: ~Copyable, Sendable {
    // A number, because pointers aren't Sendable. The counters there are atomic.
    private let address: UInt
    /// On a read-only file system, the page is only read, and stores are discarded.
    private let isWritable: SharedNumber

    init(of file: OpenFile, isWritable: Bool) throws(FileError) {
        try file.hooks.pass(.map, file.path)
        var failure: Int32 = 0
        guard let base = unsafe zamok_map_guarded(file.number, &failure) else {
            throw FileError(abs(failure), operation: .map, path: file.path)
        }
        address = UInt(bitPattern: base)
        self.isWritable = SharedNumber(isWritable ? 1 : 0)
    }

    deinit { unsafe zamok_unmap_guarded(UnsafeMutableRawPointer(bitPattern: address)) }

    /// Replaces this page by that of another file, atomically for all threads.
    borrowing func replace(with file: OpenFile, isWritable: Bool) -> Bool {
        self.isWritable.value = 0
        let done = unsafe zamok_remap_guarded(UnsafeMutableRawPointer(bitPattern: address), file.number) == 0
        self.isWritable.value = done && isWritable ? 1 : 0
        return done
    }
    /// Replaces the page by zeros that are private to this process.
    borrowing func forget() {
        _ = unsafe zamok_remap_guarded(UnsafeMutableRawPointer(bitPattern: address), -1)
        isWritable.value = 1
    }

    borrowing func load64(_ offset: UInt) -> UInt64 {
        unsafe zamok_load64(UnsafeRawPointer(bitPattern: address + offset))
    }
    borrowing func store64(_ offset: UInt, _ value: UInt64) {
        guard isWritable.value != 0 else { return }
        unsafe zamok_store64(UnsafeMutableRawPointer(bitPattern: address + offset), value)
    }
    borrowing func add64(_ offset: UInt) -> UInt64 {
        guard isWritable.value != 0 else { return load64(offset) }
        return unsafe zamok_add64(UnsafeMutableRawPointer(bitPattern: address + offset), 1)
    }
    borrowing func load32(_ offset: UInt) -> UInt32 {
        unsafe zamok_load32(UnsafeRawPointer(bitPattern: address + offset))
    }
    /// Increments the word and wakes the threads that wait for it.
    borrowing func ring(_ offset: UInt) {
        guard isWritable.value != 0 else { return }
        let word = unsafe UnsafeMutableRawPointer(bitPattern: address + offset)
        _ = unsafe zamok_add32(word, 1)
        _ = unsafe zamok_wake_word(word)
    }
    /// Sleeps until the word is no longer `seen`, or for `nanoseconds`.
    borrowing func wait(_ offset: UInt, while seen: UInt32, nanoseconds: Int64) {
        _ = unsafe zamok_wait_word(UnsafeRawPointer(bitPattern: address + offset), seen, nanoseconds)
    }
}

/// This process's identity, its clocks, and threads beside the program's.
package enum ThisProcess {
    package static var identifier: Int32 { zamok_process_quick() }
    static var user: UInt32 { zamok_user() }
    /// Nanoseconds on a monotonic clock with steps of a few milliseconds.
    package static var coarseTime: Int64 { zamok_coarse_time() }
    /// Nanoseconds since 1970.
    package static var wallTime: Int64 { zamok_wall_time() }

    static func pause(milliseconds: UInt32) { usleep(milliseconds * 1000) }

    /// Runs `body` on a thread of its own; false if the system refuses one.
    static func startThread(_ body: @escaping @Sendable () -> Void) -> Bool {
        let box = unsafe Unmanaged.passRetained(Box(body))
        let result = unsafe zamok_start_thread(
            { context in
                guard let context = unsafe context else { return }
                unsafe Unmanaged<Box>.fromOpaque(context).takeRetainedValue().body()
            }, box.toOpaque()
        )
        if result != 0 { unsafe box.release() }
        return result == 0
    }

    private final class Box: Sendable {
        let body: @Sendable () -> Void
        init(_ body: @escaping @Sendable () -> Void) { self.body = body }
    }
}
