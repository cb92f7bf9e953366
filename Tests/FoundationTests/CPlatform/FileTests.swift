// SPDX-License-Identifier: Apache-2.0

import CPlatform
import Foundation
import TestSupport
import Testing

/// A folder of its own for one test, open.
final class Folder {
    private let temporary: TemporaryFolder
    let descriptor: Int32
    var url: URL { temporary.url }

    init() throws {
        temporary = try TemporaryFolder()
        descriptor = unsafe zamok_open(AT_FDCWD, temporary.path, O_RDONLY | O_DIRECTORY, 0)
    }

    deinit { zamok_close(descriptor) }
}

struct `File calls` {
    private let folder: Folder

    init() throws { folder = try Folder() }

    @Test func `bytes are written and read at an offset, up to the file's end`() {
        let file = unsafe zamok_open(folder.descriptor, "a", O_RDWR | O_CREAT | O_EXCL, 0o600)
        defer { zamok_close(file) }
        #expect(unsafe zamok_write_at(file, [1, 2, 3, 4] as [UInt8], 4, 2) == 4)
        var read = [UInt8](repeating: 0xEE, count: 8)
        #expect(unsafe zamok_read_at(file, &read, 8, 0) == 6)
        #expect(read == [0, 0, 1, 2, 3, 4, 0xEE, 0xEE])
        #expect(zamok_sync(file) == 0)
        #expect(zamok_sync_data(file) == 0)
        #expect(zamok_sync(folder.descriptor) == 0)
    }

    @Test func `a missing file is ENOENT`() {
        #expect(unsafe zamok_open(folder.descriptor, "none", O_RDONLY, 0) == -ENOENT)
        var status = zamok_file_status()
        #expect(unsafe zamok_status_at(folder.descriptor, "none", &status) == -ENOENT)
    }

    @Test func `a full device is ENOSPC`() {
        let file = unsafe zamok_open(AT_FDCWD, "/dev/full", O_WRONLY, 0)
        defer { zamok_close(file) }
        #expect(unsafe zamok_write_at(file, [1] as [UInt8], 1, -1) == -Int64(ENOSPC))
    }

    @Test func `status tells mode, size, and a symbolic link itself`() {
        let file = unsafe zamok_open(folder.descriptor, "a", O_RDWR | O_CREAT, 0o600)
        defer { zamok_close(file) }
        #expect(zamok_set_mode(file, 0o640) == 0)
        #expect(zamok_truncate(file, 77) == 0)
        var status = zamok_file_status()
        #expect(unsafe zamok_status(file, &status) == 0)
        #expect(status.size == 77)
        #expect(status.mode & 0o7777 == 0o640)
        #expect(status.owner == zamok_user())
        #expect(unsafe symlink("a", folder.url.appendingPathComponent("link").path) == 0)
        #expect(unsafe zamok_status_at(folder.descriptor, "link", &status) == 0)
        #expect(status.mode & S_IFMT == S_IFLNK)
        #expect(unsafe zamok_open(folder.descriptor, "link", O_RDONLY | O_NOFOLLOW, 0) == -ELOOP)
    }

    @Test func `a rename replaces, and the other kind refuses to`() {
        for name in ["a", "b"] { zamok_close(unsafe zamok_open(folder.descriptor, name, O_RDWR | O_CREAT, 0o600)) }
        #expect(unsafe zamok_rename_new(folder.descriptor, "a", folder.descriptor, "b") == -EEXIST)
        #expect(unsafe zamok_rename(folder.descriptor, "a", folder.descriptor, "b") == 0)
        #expect(unsafe zamok_rename_new(folder.descriptor, "b", folder.descriptor, "c") == 0)
        #expect(unsafe zamok_unlink(folder.descriptor, "c") == 0)
        #expect(unsafe zamok_unlink(folder.descriptor, "c") == -ENOENT)
    }

    @Test func `an exclusive lock keeps a second opener out until it is given up`() {
        let first = unsafe zamok_open(folder.descriptor, "lock", O_RDWR | O_CREAT, 0o600)
        let second = unsafe zamok_open(folder.descriptor, "lock", O_RDWR, 0)
        defer {
            zamok_close(first)
            zamok_close(second)
        }
        #expect(zamok_lock_file(first, LOCK_EX | LOCK_NB) == 0)
        #expect(zamok_lock_file(second, LOCK_EX | LOCK_NB) == -EWOULDBLOCK)
        #expect(zamok_lock_file(first, LOCK_UN) == 0)
        #expect(zamok_lock_file(second, LOCK_EX | LOCK_NB) == 0)
    }

    @Test func `a shared page shows what another mapping wrote`() throws {
        let file = unsafe zamok_open(folder.descriptor, "page", O_RDWR | O_CREAT, 0o600)
        defer { zamok_close(file) }
        zamok_truncate(file, 4096)
        var failure: Int32 = 0
        guard let writable = unsafe zamok_map_shared(file, 4096, 1, &failure),
            let readable = unsafe zamok_map_shared(file, 4096, 0, &failure)
        else {
            Issue.record("not mapped: \(failure)")
            return
        }
        unsafe writable.storeBytes(of: 42, as: UInt64.self)
        #expect(unsafe readable.load(as: UInt64.self) == 42)
        unsafe zamok_unmap(writable, 4096)
        unsafe zamok_unmap(readable, 4096)
    }

    @Test func `a sealed memory file can't be changed`() {
        let file = unsafe zamok_memory_file("test", 1)
        defer { zamok_close(file) }
        #expect(unsafe zamok_write_at(file, [1, 2] as [UInt8], 2, 0) == 2)
        #expect(zamok_is_sealed(file) == -EPERM)
        #expect(zamok_seal_memory_file(file) == 0)
        #expect(zamok_is_sealed(file) == 0)
        #expect(unsafe zamok_write_at(file, [9] as [UInt8], 1, 0) == -Int64(EPERM))
        #expect(zamok_truncate(file, 0) == -EPERM)
    }

    @Test func `a guarded page reads as zeros once its file is cut, and takes another file's place`() throws {
        let file = unsafe zamok_open(folder.descriptor, "guarded", O_RDWR | O_CREAT, 0o600)
        let other = unsafe zamok_open(folder.descriptor, "other", O_RDWR | O_CREAT, 0o600)
        defer {
            zamok_close(file)
            zamok_close(other)
        }
        let sevens = [UInt8](repeating: 7, count: 4096)
        for file in [file, other] { #expect(unsafe zamok_write_at(file, sevens, 4096, 0) == 4096) }
        var failure: Int32 = 0
        let mapped = unsafe zamok_map_guarded(file, &failure)
        guard let page = unsafe mapped else { throw Refused(number: failure) }
        #expect(unsafe zamok_load64(page + 128) == 0x0707_0707_0707_0707)
        #expect(zamok_truncate(file, 0) == 0)
        #expect(unsafe zamok_load64(page + 128) == 0)
        unsafe zamok_store64(page, 1)
        #expect(unsafe zamok_remap_guarded(page, other) == 0)
        #expect(unsafe zamok_load64(page) == 0x0707_0707_0707_0707)
        #expect(zamok_truncate(other, 0) == 0)
        #expect(unsafe zamok_load64(page + 4088) == 0)
        unsafe zamok_unmap_guarded(page)
        // Its place is free again, however often.
        for _ in 0..<3000 {
            let mapped = unsafe zamok_map_guarded(file, &failure)
            guard let page = unsafe mapped else { throw Refused(number: failure) }
            unsafe zamok_unmap_guarded(page)
        }
    }

    @Test func `a folder's file system has a number`() {
        var number: UInt32 = 0
        #expect(unsafe zamok_file_system_type(folder.descriptor, &number) == 0)
        #expect(number != 0)
    }
}

private struct Refused: Error {
    let number: Int32
}

struct `Boot clock` {
    @Test func `it goes forward`() {
        let first = zamok_boot_time()
        #expect(first > 0)
        #expect(zamok_boot_time() >= first)
    }

    @Test func `the boot id is the kernel's`() throws {
        var identifier = [UInt8](repeating: 0, count: 16)
        #expect(unsafe zamok_boot_id(&identifier) == 0)
        let text = try String(contentsOfFile: "/proc/sys/kernel/random/boot_id", encoding: .utf8)
        #expect(identifier.hexadecimal == text.filter(\.isHexDigit))
    }
}
