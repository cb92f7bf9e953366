// SPDX-License-Identifier: Apache-2.0
//
// Open files: operations on descriptors.

import CPlatform
package import SecretMemory

/// An open file or folder, closed on deinit.
package final class OpenFile: Sendable {
    package let number: Int32
    package let path: FileLocation
    package let hooks: FileHooks
    private let isLocked = SharedNumber(0)
    /// Folders that can be removed only after this descriptor is closed.
    let late = Locked<[TemporaryFolder]>([])

    package init(_ number: Int32, path: FileLocation, hooks: FileHooks) {
        self.number = number
        self.path = path
        self.hooks = hooks
    }

    // The explicit unlock matters: a child process's copy of the descriptor would keep the lock until it executes
    // its program.
    deinit {
        if isLocked.value != 0 { unlock() }
        _ = zamok_close(number)
        for folder in late.withLock({ $0 }) { folder.removeLate { usleep(5000) } }
    }
}

/// The status of a file, as the kernel reports it.
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
    /// The same without wrapping, in seconds and nanoseconds.
    package let modifiedTime: FileTime
    /// The last change of content, mode or names.
    package let changed: Int64
    /// The last access.
    var accessed = ReadingTime()

    package var device: UInt64 { identity.device }
    package var inode: UInt64 { identity.inode }
    /// Whether its times look like those of a file system that records whole seconds only.
    var hasCoarseTimes: Bool { changed % 1_000_000_000 == 0 && modified % 1_000_000_000 == 0 }
    /// Whether its owner is this process's effective user.
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

/// The access time, which comparisons ignore: reading a file doesn't change it.
struct ReadingTime: Sendable, Equatable {
    var time = FileTime(seconds: 0, rest: 0)
    static func == (_: Self, _: Self) -> Bool { true }
}

/// Identifies a file or folder among all others of this machine, regardless of its names.
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
        /// For reading without a change of the access time, if this user may do so.
        case look
        /// A file that the user named; a symbolic link is refused.
        case readItself
        /// A folder, only to reach its content.
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

    /// A relative path begins at `folder`. Errors name `shown` if it is given.
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

    /// Like `open`, but nil if there is no such file.
    package static func openIfPresent(
        _ path: FileLocation, mode: Mode, hooks: FileHooks, in folder: OpenFile? = nil,
        named shown: FileLocation? = nil
    ) throws(FileError) -> OpenFile? {
        do { return try open(path, mode: mode, hooks: hooks, in: folder, named: shown) } catch {
            guard error.isMissing else { throw error }
            return nil
        }
    }

    /// The parent folder, to look at and pass through. The root is its own parent.
    package func parent() throws(FileError) -> OpenFile {
        let parent = path.appending("..")
        return OpenFile(
            try check(zamok_open_parent(number), operation: .open, path: parent), path: parent, hooks: hooks)
    }

    /// Waits for another process to end its lease on the file, which it does once it is notified.
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

    /// Makes a file of mode 0600, regardless of the umask. Fails if the name exists. Errors name `shown` if it
    /// is given.
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

    /// Makes an unnamed file of mode 0600 in the folder of `path`, its later name. Nil if the file system doesn't
    /// support that.
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

    /// Nil if there is no such file. A link's own status, not its target's. A relative path begins at `folder`.
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
    /// The status of a file before it is read, so that any later change shows in it. The kernel's clock advances in
    /// steps of some milliseconds. A file that changed in the current step is checked again in the next one. Times
    /// without fractions of a second are taken for those of a file system with coarse times. On some of these a step is
    /// two seconds, which it waits only if no lease would show a change.
    package func statusBeforeReading(hasLease: Bool = false) throws(FileError) -> FileStatus {
        let begin = ContinuousClock.now
        while true {
            let status = try status()
            let now = zamok_file_time()
            let isCoarse = !hasLease && status.hasCoarseTimes
            let step: Int64 = isCoarse ? 2_000_000_000 : 0
            // A time in the future comes from another machine's clock.
            guard status.changed >= now - step, status.changed - now < 1_000_000_000,
                ContinuousClock.now - begin < (isCoarse ? .milliseconds(2100) : .milliseconds(50))
            else { return status }
            usleep(500)
        }
    }
}

extension OpenFile {
    /// File system types (statfs(2)) that update a folder's change time with each file made, removed or renamed in it:
    /// ext, XFS, Btrfs, F2FS, bcachefs, tmpfs, overlayfs. None is a network file system.
    private static let timely: [UInt32] = [
        0xEF53, 0x5846_5342, 0x9123_683E, 0xF2F5_2010, 0xCA45_1A4E, 0x0102_1994, 0x794C_7630,
    ]

    /// Whether every change in this folder since `status` was taken, at `time`, shows in its change time. The recorded
    /// time must be too old for the kernel clock's current step, and finer than whole seconds.
    package func showsChanges(from time: Int64, _ status: FileStatus) -> Bool {
        guard status.changed % 1_000_000_000 != 0, time - status.changed >= 100_000_000 else { return false }
        return (try? fileSystemType()).map { Self.timely.contains($0) } ?? false
    }

    /// The type of the file's file system, as statfs(2) reports it. A test's EREMOTE simulates a network file system,
    /// its ENOTBLK FUSE.
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
    /// Reads at most `count` bytes into the beginning of `buffer`; fewer only at the end of the file.
    @discardableResult
    package func read(into buffer: inout [UInt8], count: Int, at offset: Int) throws(FileError) -> Int {
        if hooks.intercept != nil { try hooks.pass(.read, path, offset: offset) }
        let limit = min(count, buffer.count)
        let result = unsafe buffer.withUnsafeMutableBytes {
            unsafe zamok_read_at(number, $0.baseAddress, limit, Int64(offset))
        }
        return Int(try check(result, operation: .read, path: path))
    }

    /// Fills the beginning of `span` and returns the number of bytes, fewer than requested only at the end of the file.
    package func read(into span: inout MutableRawSpan, at offset: Int) throws(FileError) -> Int {
        if hooks.intercept != nil { try hooks.pass(.read, path, offset: offset) }
        let result = unsafe span.withUnsafeMutableBytes {
            unsafe zamok_read_at(number, $0.baseAddress, $0.count, Int64(offset))
        }
        return Int(try check(result, operation: .read, path: path))
    }

    /// Reads at most `count` bytes.
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

    /// Reads the beginning of the file with one call: at most `count` bytes. There are fewer if the file ends, or the
    /// system had no more available.
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

    /// Reads exactly `count` bytes at `offset` directly into guarded memory; nil if there are fewer.
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

    /// Makes data and metadata of a file, or the entries of a folder, durable.
    package func sync() throws(FileError) {
        try hooks.pass(.sync, path)
        try check(zamok_sync(number), operation: .sync, path: path)
    }

    /// Makes the data durable, with the metadata needed to read it.
    package func syncData() throws(FileError) {
        try hooks.pass(.sync, path)
        try check(zamok_sync_data(number), operation: .sync, path: path)
    }

    /// False if another process holds the lock.
    package func tryLock() throws(FileError) -> Bool {
        let result = zamok_lock_file(number, LOCK_EX | LOCK_NB)
        if result == -EWOULDBLOCK { return false }
        try check(result, operation: .lock, path: path)
        isLocked.value = 1
        return true
    }

    /// Waits until no other process holds the lock. With `shared`, other shared holders are allowed.
    package func lock(shared: Bool = false) throws(FileError) {
        try hooks.pass(.lock, path)
        try check(zamok_lock_file(number, shared ? LOCK_SH : LOCK_EX), operation: .lock, path: path)
        isLocked.value = 1
    }

    /// Locks one byte, which need not exist, until the file is closed: exclusive if `alone`, otherwise shared. Waits at
    /// most `limit`.
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
        isLocked.value = 0
    }

    /// A lease on a file that was opened for reading. A process that opens the file for writing waits while it is held.
    enum Lease { case held, refused, unavailable }

    func takeLease() throws(FileError) -> Lease {
        try hooks.pass(.lease, path)
        guard !hooks.withoutLeases else { return .unavailable }
        switch zamok_take_lease(number, 0) {
        case 0: return .held
        // A process has it open for writing.
        case -EAGAIN: return .refused
        default: return .unavailable
        }
    }

    /// Waits up to `limit` if a process has the file open for writing. A new child process has its parent's descriptors
    /// until it executes its own program.
    func takeLease(waiting limit: Duration) throws(FileError) -> Lease {
        try patiently(limit, Lease.refused, takeLease)
    }

    /// Whether no other process has it open; true if the system can't tell. Waits up to half a second, as
    /// `takeLease(waiting:)`.
    var isOpenHereAlone: Bool {
        guard !hooks.withoutLeases else { return true }
        let result = patiently(.milliseconds(500), -EAGAIN) { zamok_take_lease(number, 1) }
        if result == 0 { endLease() }
        return result != -EAGAIN
    }

    /// Asks again for up to `limit` while the answer is `refusal`.
    private func patiently<Answer: Equatable, Failure: Error>(
        _ limit: Duration, _ refusal: Answer, _ ask: () throws(Failure) -> Answer
    ) throws(Failure) -> Answer {
        let begin = ContinuousClock.now
        while true {
            let answer = try ask()
            guard answer == refusal, ContinuousClock.now - begin < limit else { return answer }
            usleep(2000)
        }
    }

    /// Whether no process has asked for the file since the lease was taken.
    var isLeaseWhole: Bool { zamok_is_lease_whole(number) == 1 }

    func endLease() { _ = zamok_end_lease(number) }

    package func setMode(_ mode: UInt32) throws(FileError) {
        try hooks.pass(.setMode, path)
        try check(zamok_set_mode(number, mode), operation: .setMode, path: path)
    }

    /// Advises the kernel that the file will be read sequentially.
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
