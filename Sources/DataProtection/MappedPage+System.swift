// SPDX-License-Identifier: Apache-2.0

import CPlatform

/// A page of a file, shared with every process that maps it. Offsets are constants of this module, all within the page.
@safe
struct MappedPage: ~Copyable, Sendable {
    // As a number, since pointers aren't Sendable; the counters behind it are atomic.
    private let address: UInt
    private let size: Int

    /// Maps the first `size` bytes of `file`, which must have that many.
    init(of file: borrowing Descriptor, _ name: String, size: Int, in files: FileSystem) throws(FileError) {
        try files.pass(.map, name)
        var failure: Int32 = 0
        guard let base = unsafe zamok_map_shared(file.number, size, 1, &failure) else {
            throw FileError(number: abs(failure), operation: .map, name: name)
        }
        address = UInt(bitPattern: base)
        self.size = size
    }

    deinit { _ = unsafe zamok_unmap(UnsafeMutableRawPointer(bitPattern: address), size) }

    borrowing func load64(_ offset: UInt) -> UInt64 {
        unsafe zamok_load64(UnsafeRawPointer(bitPattern: address + offset))
    }
    borrowing func store64(_ offset: UInt, _ value: UInt64) {
        unsafe zamok_store64(UnsafeMutableRawPointer(bitPattern: address + offset), value)
    }
    borrowing func add64(_ offset: UInt) -> UInt64 {
        unsafe zamok_add64(UnsafeMutableRawPointer(bitPattern: address + offset), 1)
    }
    borrowing func load32(_ offset: UInt) -> UInt32 {
        unsafe zamok_load32(UnsafeRawPointer(bitPattern: address + offset))
    }
    /// Raises the word and wakes who waits for it.
    borrowing func ring(_ offset: UInt) {
        let word = unsafe UnsafeMutableRawPointer(bitPattern: address + offset)
        _ = unsafe zamok_add32(word, 1)
        _ = unsafe zamok_wake_word(word)
    }
    /// Sleeps until the word is not `seen` any more, or for `nanoseconds`.
    borrowing func wait(_ offset: UInt, while seen: UInt32, nanoseconds: Int64) {
        _ = unsafe zamok_wait_word(UnsafeRawPointer(bitPattern: address + offset), seen, nanoseconds)
    }
}

/// The process's own id, and a thread beside the program's.
package enum ThisProcess {
    package static var identifier: Int32 { zamok_process_quick() }
    static var user: UInt32 { zamok_user() }

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
