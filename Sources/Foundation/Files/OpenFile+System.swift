// SPDX-License-Identifier: Apache-2.0
//
// Open files: what the kernel does with descriptors.

import CPlatform
package import SecretMemory
import Synchronization

/// An open file or folder, closed with its last owner.
package final class OpenFile: Sendable {
    package let number: Int32
    package let path: FileLocation
    package let hooks: FileHooks
    private let isLocked = Atomic<Bool>(false)
    /// Folders that can be removed only once this is closed.
    let late = Locked<[TemporaryFolder]>([])

    package init(_ number: Int32, path: FileLocation, hooks: FileHooks) {
        self.number = number
        self.path = path
        self.hooks = hooks
    }

    // The copy that a child process has until it runs its program would keep the lock.
    deinit {
        if isLocked.load(ordering: .relaxed) { unlock() }
        _ = zamok_close(number)
        for folder in late.withLock({ $0 }) { folder.removeLate { usleep(5000) } }
    }
}

/// What the kernel says of a file.
package struct FileStatus: Sendable, Equatable {
    package enum Kind: Sendable { case file, folder, link, other }
    package let kind: Kind
    package let size: Int
    package let permissions: UInt32
    package let links: Int
    package let owner: UInt32
    package let group: UInt32
    package let identity: FileIdentity
    /// Nanoseconds since 1970; after 2262 the number wraps.
    package let modified: Int64
    /// The same without wrapping: seconds, and the rest in nanoseconds.
    package let modifiedTime: FileTime
    /// When anything of it was last changed: content, mode, names.
    package let changed: Int64
    /// When it was last read.
    var accessed = ReadingTime()

    package var device: UInt64 { identity.device }
    package var inode: UInt64 { identity.inode }
    /// Whether the times are those of a file system that knows whole seconds only.
    var hasCoarseTimes: Bool { changed % 1_000_000_000 == 0 && modified % 1_000_000_000 == 0 }
    /// Whether it belongs to the user whom this process works for.
    package var isOurs: Bool { owner == FileHooks.user }
}

/// Seconds since 1970, and the rest in nanoseconds.
package struct FileTime: Sendable, Equatable {
    package let seconds, rest: Int64

    package init(seconds: Int64, rest: Int64) {
        self.seconds = seconds
        self.rest = rest
    }
}

/// No part of comparing: a file that was read is what it was.
struct ReadingTime: Sendable, Equatable {
    var time = FileTime(seconds: 0, rest: 0)
    static func == (_: Self, _: Self) -> Bool { true }
}

/// Distinguishes a file or folder from every other one of this machine, whatever its names.
package struct FileIdentity: Hashable, Sendable {
    package let device: UInt64
    package let inode: UInt64

    package init(device: UInt64, inode: UInt64) {
        self.device = device
        self.inode = inode
    }
}

// MARK: Opening

extension OpenFile {
    package enum Mode: Sendable {
        case read, change, folder
        /// For reading; nothing shows that it was read, where this user may say so.
        case look
        /// A file that a person named; a symbolic link to one is refused.
        case readItself
        /// A folder, only to reach what lies in it.
        case place
        var flags: Int32 {
            switch self {
            case .read: O_RDONLY | O_NONBLOCK | O_NOCTTY
            case .look: O_RDONLY | O_NONBLOCK | O_NOCTTY | zamok_flag_untimed()
            case .readItself: O_RDONLY | O_NONBLOCK | O_NOCTTY | O_NOFOLLOW
            case .change: O_RDWR | O_NONBLOCK | O_NOCTTY
            case .folder: O_RDONLY | O_DIRECTORY
            case .place: zamok_place_flags()
            }
        }
    }

    /// A relative path begins at `folder`; `shown` is then what errors call it.
    package static func open(
        _ path: FileLocation, mode: Mode, hooks: FileHooks, in folder: OpenFile? = nil,
        named shown: FileLocation? = nil
    ) throws(FileError) -> OpenFile {
        let shown = shown ?? path
        try hooks.pass(.open, shown)
        let flags = path.anchor == nil && folder == nil ? mode.flags : mode.flags | O_NOFOLLOW
        let result =
            if let folder {
                unsafe path.bytes.withText { unsafe zamok_open(folder.number, $0, flags, 0) }
            } else {
                try unsafe hooks.reach(path, operation: .open) { unsafe zamok_open($0, $1, flags, 0) }
            }
        if result == -EPERM, mode == .look {
            return try open(path, mode: .read, hooks: hooks, in: folder, named: shown)
        }
        if result == -EWOULDBLOCK, mode == .change, folder == nil {
            return OpenFile(try afterLease(path, flags: flags, hooks: hooks), path: shown, hooks: hooks)
        }
        return OpenFile(try check(result, operation: .open, path: shown), path: shown, hooks: hooks)
    }

    /// Nil where there is none.
    package static func openIfPresent(
        _ path: FileLocation, mode: Mode, hooks: FileHooks, in folder: OpenFile? = nil,
        named shown: FileLocation? = nil
    ) throws(FileError) -> OpenFile? {
        do { return try open(path, mode: mode, hooks: hooks, in: folder, named: shown) } catch {
            guard error.isMissing else { throw error }
            return nil
        }
    }

    /// The folder that this one lies in, to look at and pass through; the root's is the root itself.
    package func parent() throws(FileError) -> OpenFile {
        let parent = path.appending("..")
        return OpenFile(
            try check(zamok_open_parent(number), operation: .open, path: parent), path: parent, hooks: hooks)
    }

    /// Somebody holds a lease on the file, and gives it up as soon as they see that it is asked for.
    private static func afterLease(
        _ path: FileLocation, flags: Int32, hooks: FileHooks
    ) throws(FileError) -> Int32 {
        let begin = ContinuousClock.now
        while true {
            let result = try unsafe hooks.reach(path, operation: .open) { unsafe zamok_open($0, $1, flags, 0) }
            guard result == -EWOULDBLOCK else { return try check(result, operation: .open, path: path) }
            guard ContinuousClock.now - begin < .seconds(10) else {
                throw FileError(EWOULDBLOCK, operation: .lock, path: path)
            }
            usleep(1000)
        }
    }

    /// A new file of mode 0600 whatever the umask; fails where there is one. Errors name `shown`, where that is another path.
    package static func make(
        _ path: FileLocation, _ hooks: FileHooks, as shown: FileLocation? = nil
    ) throws(FileError) -> OpenFile {
        try hooks.pass(.make, path)
        let flags = O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW
        let result = try unsafe hooks.reach(path, operation: .make) { unsafe zamok_open($0, $1, flags, 0o600) }
        let file = OpenFile(try check(result, operation: .make, path: path), path: shown ?? path, hooks: hooks)
        try file.setMode(0o600)
        return file
    }

    /// A new file of mode 0600 without a name, in the folder of `path`, the name that it is to get; nil where the file system has no such files.
    package static func makeUnnamed(for path: FileLocation, _ hooks: FileHooks) throws(FileError) -> OpenFile? {
        try hooks.pass(.make, path)
        guard !hooks.withoutUnnamedFiles else { return nil }
        let result = try unsafe hooks.reach(path.folder, operation: .make) { unsafe zamok_open_unnamed($0, $1, 0o600) }
        if [-EOPNOTSUPP, -EISDIR, -EINVAL, -ENOSYS].contains(result) { return nil }
        return OpenFile(try check(result, operation: .make, path: path), path: path, hooks: hooks)
    }

    package static func makeFolder(_ path: FileLocation, _ hooks: FileHooks) throws(FileError) {
        try hooks.pass(.makeFolder, path)
        try check(
            try unsafe hooks.reach(path, operation: .makeFolder) { unsafe zamok_make_folder($0, $1, 0o700) },
            operation: .makeFolder, path: path)
    }

    /// Nil where there is none. The status of a link itself, not of what it points to. A relative path begins at `folder`.
    package static func status(
        of path: FileLocation, _ hooks: FileHooks, in folder: OpenFile? = nil
    ) throws(FileError) -> FileStatus? {
        var status = zamok_file_status()
        let result: Int32
        do {
            result =
                if let folder {
                    unsafe path.bytes.withText { unsafe zamok_status_at(folder.number, $0, &status) }
                } else {
                    try unsafe hooks.reach(path, operation: .status) { unsafe zamok_status_at($0, $1, &status) }
                }
        } catch let error {
            guard error.isMissing || error.isNoFolder else { throw error }
            return nil
        }
        if result == -ENOENT || result == -ENOTDIR { return nil }
        try check(result, operation: .status, path: path)
        return FileStatus(status)
    }

    package func status() throws(FileError) -> FileStatus {
        var status = zamok_file_status()
        let result = unsafe zamok_status(number, &status)
        try check(result, operation: .status, path: path)
        return FileStatus(status)
    }
}

extension OpenFile {
    /// The status of a file that is about to be read, so that any later change shows in it. The kernel's clock goes in steps of some milliseconds: a
    /// file that was changed in the present step is looked at again in the next one. Times without a fraction of a second are those of a file system that has no finer ones; on some
    /// of these a step is two seconds: that long is waited only where no lease shows a change.
    package func statusBeforeReading(hasLease: Bool = false) throws(FileError) -> FileStatus {
        let begin = ContinuousClock.now
        while true {
            let status = try status()
            let now = zamok_file_time()
            let isCoarse = !hasLease && status.hasCoarseTimes
            let step: Int64 = isCoarse ? 2_000_000_000 : 0
            // A time in the future is somebody else's clock.
            guard status.changed >= now - step, status.changed - now < 1_000_000_000,
                ContinuousClock.now - begin < (isCoarse ? .milliseconds(2100) : .milliseconds(50))
            else { return status }
            usleep(500)
        }
    }
}

extension OpenFile {
    /// Kinds of file systems, by the number that statfs(2) answers, of which it is known that whatever is made, removed or renamed in a folder sets the time
    /// of its last change: ext, XFS, Btrfs, F2FS, bcachefs, tmpfs, overlayfs. None is of another machine.
    private static let timely: [UInt32] = [
        0xEF53, 0x5846_5342, 0x9123_683E, 0xF2F5_2010, 0xCA45_1A4E, 0x0102_1994, 0x794C_7630,
    ]

    /// Whether every change in this folder after `status` was taken at `time` shows in the time of its last change: that time lies so far back
    /// that it can't be in the kernel clock's present step, and the file system has finer times than seconds.
    package func showsChanges(from time: Int64, _ status: FileStatus) -> Bool {
        guard status.changed % 1_000_000_000 != 0, time - status.changed >= 100_000_000 else { return false }
        return (try? fileSystemType()).map { Self.timely.contains($0) } ?? false
    }

    /// The number of the kind of file system that it lies on, as statfs(2) answers it. A test's EREMOTE makes it a network file system, its ENOTBLK FUSE.
    package func fileSystemType() throws(FileError) -> UInt32 {
        do { try hooks.pass(.fileSystem, path) } catch {
            if error.number == EREMOTE { return 0x6969 }
            if error.number == ENOTBLK { return 0x6573_5546 }
            throw error
        }
        var type: UInt32 = 0
        try check(unsafe zamok_file_system_type(number, &type), operation: .fileSystem, path: path)
        return type
    }
}

// MARK: Reading and writing

extension OpenFile {
    /// Fills the beginning of `buffer` with at most `count` bytes; fewer only at the end of the file.
    @discardableResult
    package func read(into buffer: inout [UInt8], count: Int, at offset: Int) throws(FileError) -> Int {
        if hooks.intercept != nil { try hooks.pass(.read, path, offset: offset) }
        let limit = min(count, buffer.count)
        let result = unsafe buffer.withUnsafeMutableBytes {
            unsafe zamok_read_at(number, $0.baseAddress, limit, Int64(offset))
        }
        return Int(try check(result, operation: .read, path: path))
    }

    /// Fills the beginning of `span` and returns how many bytes: fewer than asked for only at the end of the file.
    package func read(into span: inout MutableRawSpan, at offset: Int) throws(FileError) -> Int {
        if hooks.intercept != nil { try hooks.pass(.read, path, offset: offset) }
        let result = unsafe span.withUnsafeMutableBytes {
            unsafe zamok_read_at(number, $0.baseAddress, $0.count, Int64(offset))
        }
        return Int(try check(result, operation: .read, path: path))
    }

    /// At most `count` bytes.
    package func read(count: Int, at offset: Int = 0) throws(FileError) -> [UInt8] {
        if hooks.intercept != nil { try hooks.pass(.read, path, offset: offset) }
        var result: Int64 = 0
        let bytes = unsafe [UInt8](unsafeUninitializedCapacity: count) { buffer, used in
            unsafe result = zamok_read_at(number, buffer.baseAddress, count, Int64(offset))
            used = max(0, Int(result))
        }
        try check(result, operation: .read, path: path)
        return bytes
    }

    /// The beginning of the file, by one call: at most `count` bytes. If there are fewer, the file has no more, or the system had no more at hand.
    package func readBeginning(count: Int) throws(FileError) -> [UInt8] {
        if hooks.intercept != nil { try hooks.pass(.read, path) }
        var result: Int64 = 0
        let bytes = unsafe [UInt8](unsafeUninitializedCapacity: count) { buffer, used in
            unsafe result = zamok_read_some(number, buffer.baseAddress, count, 0)
            used = max(0, Int(result))
        }
        try check(result, operation: .read, path: path)
        return bytes
    }

    package func write(_ span: RawSpan, at offset: Int) throws(FileError) {
        try hooks.pass(.write, path, offset: offset, bytes: unsafe span.withUnsafeBytes { unsafe Array($0) })
        let result = unsafe span.withUnsafeBytes {
            unsafe zamok_write_at(number, $0.baseAddress, $0.count, Int64(offset))
        }
        try check(result, operation: .write, path: path)
    }

    /// Exactly `count` bytes from `offset` on, straight into guarded memory; nil if there are fewer.
    package func readSecret(count: Int, at offset: Int = 0) throws -> SecretBytes? {
        if hooks.intercept != nil { try hooks.pass(.read, path, offset: offset) }
        var result: Int64 = 0
        let secret = try SecretBytes(count: count) { span in
            unsafe span.withUnsafeMutableBytes {
                unsafe result = zamok_read_at(number, $0.baseAddress, count, Int64(offset))
            }
        }
        guard try check(result, operation: .read, path: path) == count else { return nil }
        return secret
    }

    package func write(_ secret: borrowing SecretBytes, at offset: Int = 0) throws {
        try hooks.pass(.write, path, offset: offset)
        let result = try secret.withBytes { span in
            unsafe span.withUnsafeBytes { unsafe zamok_write_at(number, $0.baseAddress, $0.count, Int64(offset)) }
        }
        try check(result, operation: .write, path: path)
    }

    package func write(_ bytes: [UInt8], at offset: Int = 0) throws(FileError) {
        try hooks.pass(.write, path, offset: offset, bytes: bytes)
        let result = unsafe bytes.withUnsafeBytes {
            unsafe zamok_write_at(number, $0.baseAddress, $0.count, Int64(offset))
        }
        try check(result, operation: .write, path: path)
    }

    package func truncate(to size: Int) throws(FileError) {
        try hooks.pass(.truncate, path, offset: size)
        try check(zamok_truncate(number, Int64(size)), operation: .truncate, path: path)
    }

    /// Data and metadata of a file, or the entries of a folder, are on the disk when this returns.
    package func sync() throws(FileError) {
        try hooks.pass(.sync, path)
        try check(zamok_sync(number), operation: .sync, path: path)
    }

    /// The data, and what is needed to read it.
    package func syncData() throws(FileError) {
        try hooks.pass(.sync, path)
        try check(zamok_sync_data(number), operation: .sync, path: path)
    }

    /// False if somebody else holds the lock.
    package func tryLock() throws(FileError) -> Bool {
        let result = zamok_lock_file(number, LOCK_EX | LOCK_NB)
        if result == -EWOULDBLOCK { return false }
        try check(result, operation: .lock, path: path)
        isLocked.store(true, ordering: .relaxed)
        return true
    }

    /// Waits until nobody else holds the lock; `shared`: together with others who share it.
    package func lock(shared: Bool = false) throws(FileError) {
        try hooks.pass(.lock, path)
        try check(zamok_lock_file(number, shared ? LOCK_SH : LOCK_EX), operation: .lock, path: path)
        isLocked.store(true, ordering: .relaxed)
    }

    /// A lock on one byte, which need not exist, until the file is closed: exclusive if `alone`, otherwise shared. Waits at most `limit`.
    package func lock(byte: Int64, alone: Bool, waiting limit: Duration) throws(FileError) {
        try wait(limit) { () throws(FileError) in
            let result = zamok_lock_byte(number, byte, alone ? 1 : 0)
            if result == -EWOULDBLOCK { return false }
            try check(result, operation: .lock, path: path)
            return true
        }
    }

    /// Waits at most `limit` for the lock.
    package func lock(waiting limit: Duration) throws(FileError) { try wait(limit, tryLock) }

    private func wait(_ limit: Duration, _ isDone: () throws(FileError) -> Bool) throws(FileError) {
        let begin = ContinuousClock.now
        var pause: UInt32 = 500
        while try !isDone() {
            guard ContinuousClock.now - begin < limit else {
                throw FileError(EWOULDBLOCK, operation: .lock, path: path)
            }
            usleep(pause)
            pause = min(2 * pause, 20_000)
        }
    }

    package func unlock() {
        _ = zamok_lock_file(number, LOCK_UN)
        isLocked.store(false, ordering: .relaxed)
    }

    /// A lease on a file that was opened for reading: whoever wants to open it for writing waits for as long as this is held.
    enum Lease { case held, refused, unavailable }

    func takeLease() throws(FileError) -> Lease {
        try hooks.pass(.lease, path)
        guard !hooks.withoutLeases else { return .unavailable }
        switch zamok_take_lease(number, 0) {
        case 0: return .held
        // Somebody has it open for writing.
        case -EAGAIN: return .refused
        default: return .unavailable
        }
    }

    /// Waits a moment if somebody has the file open for writing: a process that was started just now has everything open that its parent had, until it runs a program of
    /// its own.
    func takeLease(waiting limit: Duration) throws(FileError) -> Lease {
        let begin = ContinuousClock.now
        while true {
            let lease = try takeLease()
            guard lease == .refused, ContinuousClock.now - begin < limit else { return lease }
            usleep(2000)
        }
    }

    /// Whether nobody else has it open; true where the system can't say.
    var isOpenHereAlone: Bool {
        guard !hooks.withoutLeases else { return true }
        let result = zamok_take_lease(number, 1)
        if result == 0 { endLease() }
        return result != -EAGAIN
    }

    /// Whether nobody asked for the file since the lease was taken.
    var isLeaseWhole: Bool { zamok_is_lease_whole(number) == 1 }

    func endLease() { _ = zamok_end_lease(number) }

    package func setMode(_ mode: UInt32) throws(FileError) {
        try hooks.pass(.setMode, path)
        try check(zamok_set_mode(number, mode), operation: .setMode, path: path)
    }

    /// Tells the kernel that the file will be read from its beginning on.
    package func adviseSequential() { zamok_advise_sequential(number) }
}

// MARK: Names

extension OpenFile {
    /// The names in this folder, in no order.
    package func entries() throws(FileError) -> [[UInt8]] {
        var names: [[UInt8]] = []
        let result = unsafe withUnsafeMutablePointer(to: &names) { names in
            unsafe zamok_list(
                number,
                { context, name in
                    guard let name = unsafe name, let names = unsafe context?.assumingMemoryBound(to: [[UInt8]].self)
                    else { return }
                    unsafe names.pointee.append(Array(UnsafeRawBufferPointer(start: name, count: strlen(name))))
                }, names
            )
        }
        try check(result, operation: .list, path: path)
        return names
    }
}

// MARK: Failures

@discardableResult
func check<I: FixedWidthInteger>(
    _ result: I, operation: FileHooks.Operation, path: FileLocation
) throws(FileError) -> I {
    if result < 0 { throw FileError(Int32(0 - result), operation: operation, path: path) }
    return result
}

extension FileStatus {
    fileprivate init(_ status: zamok_file_status) {
        kind =
            switch status.mode & UInt32(S_IFMT) {
            case UInt32(S_IFREG): .file
            case UInt32(S_IFDIR): .folder
            case UInt32(S_IFLNK): .link
            default: .other
            }
        size = Int(status.size)
        permissions = status.mode & 0o7777
        links = Int(status.links)
        owner = status.owner
        group = status.group
        identity = FileIdentity(device: status.device, inode: status.inode)
        modified = status.modified_nanoseconds
        modifiedTime = FileTime(seconds: status.modified_seconds, rest: status.modified_rest)
        changed = status.changed_nanoseconds
        accessed.time = FileTime(seconds: status.accessed_seconds, rest: status.accessed_rest)
    }
}
