// SPDX-License-Identifier: Apache-2.0

import CPlatform
import Foundation
import Readers
import Statuses

/// The socket that the agent listens on.
struct AgentSocket {
    let descriptor: Int32
    /// `nil`: another process created the socket, and keeps it.
    private let path: String?
    private let file: (device: UInt64, number: UInt64)

    static func failure(_ text: String) -> CommandFailure {
        .status(.inputOutput, unsafe "\(text): \(String(cString: strerror(errno)))")
    }

    /// Makes the descriptor close-on-exec and non-blocking.
    static func prepare(_ descriptor: Int32) {
        _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
        _ = fcntl(descriptor, F_SETFL, fcntl(descriptor, F_GETFL) | O_NONBLOCK)
    }

    // MARK: Given

    /// The socket from systemd (sd_listen_fds(3)) or from standard input; nil: none.
    static func given(atInput: Bool) throws -> AgentSocket? {
        guard !atInput else { return try AgentSocket(given: 0) }
        guard let process = Environment.value("LISTEN_PID"), Int32(process) == getpid() else { return nil }
        let count = Environment.value("LISTEN_FDS")
        for name in ["LISTEN_PID", "LISTEN_FDS", "LISTEN_FDNAMES"] { unsafe unsetenv(name) }
        guard count == "1" else {
            throw CommandFailure.status(
                .parameter, "the agent takes one socket; LISTEN_FDS is \((count ?? "not set").printable)")
        }
        return try AgentSocket(given: 3)
    }

    private init(given descriptor: Int32) throws {
        var (isListening, size) = (Int32(0), socklen_t(MemoryLayout<Int32>.size))
        var (domain, domainSize) = (Int32(0), size)
        guard unsafe getsockopt(descriptor, SOL_SOCKET, SO_ACCEPTCONN, &isListening, &size) == 0, isListening == 1,
            unsafe getsockopt(descriptor, SOL_SOCKET, SO_DOMAIN, &domain, &domainSize) == 0, domain == AF_UNIX
        else {
            throw CommandFailure.usage("descriptor \(descriptor) is not a socket of the Unix domain that listens")
        }
        self.descriptor = descriptor
        path = nil
        file = (0, 0)
    }

    /// The same socket, created at a path by another process of this program.
    func made(at path: String) -> AgentSocket {
        AgentSocket(descriptor: descriptor, path: path, file: Self.identity(path) ?? (0, 0))
    }

    private init(descriptor: Int32, path: String, file: (device: UInt64, number: UInt64)) {
        (self.descriptor, self.path, self.file) = (descriptor, path, file)
    }

    // MARK: Made

    /// The folder of the session's sockets; nil: there is none.
    static var runtimeFolder: String? {
        if let folder = Environment.value("XDG_RUNTIME_DIR"), folder.hasPrefix("/") { return folder }
        let folder = "/run/user/\(geteuid())"
        var status = stat()
        guard unsafe lstat(folder, &status) == 0, status.st_uid == geteuid() else { return nil }
        return folder
    }

    private static let ownFolder = "zamok-agent-"

    /// The default path: in the runtime folder of the session, else in a new folder of its own.
    static func standardPath() throws -> String {
        if let folder = runtimeFolder { return "\(folder)/zamok/agent" }
        let parent = Environment.value("TMPDIR").flatMap { $0.hasPrefix("/") ? $0 : nil } ?? "/tmp"
        return try newFolder(in: parent, ownFolder) + "/socket"
    }

    /// A new folder of mode 0700, whose name begins with `prefix`.
    static func newFolder(in parent: String, _ prefix: String) throws -> String {
        var name = Array("\(parent)/\(prefix)XXXXXX".utf8CString)
        guard unsafe mkdtemp(&name) != nil else { throw failure("no folder can be made in \(parent.printable)") }
        return String(decoding: name.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
    }

    /// Creates the socket, of mode 0600 in a folder of mode 0700. A stale socket of a killed agent is replaced.
    init(at path: String) throws {
        let path = path.hasPrefix("/") ? path : FileManager.default.currentDirectoryPath + "/" + path
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        let bytes = Array(path.utf8)
        let room = MemoryLayout.size(ofValue: address.sun_path)
        guard bytes.count < room, !bytes.contains(0) else {
            throw CommandFailure.usage(
                "the socket's path is longer than \(room - 1) bytes; name a shorter one with --socket")
        }
        unsafe withUnsafeMutableBytes(of: &address.sun_path) { unsafe $0.copyBytes(from: bytes) }
        try Self.checkFolder(PathText(path).deletingLastPathComponent)
        let descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
        guard descriptor >= 0 else { throw Self.failure("no socket can be made") }
        Self.prepare(descriptor)
        do {
            try Self.removeStale(path, &address)
            // Not by the umask, which is the whole process's. The folder is this user's alone.
            guard unsafe Self.call(&address, { unsafe bind(descriptor, $0, $1) }) == 0, unsafe chmod(path, 0o600) == 0
            else { throw Self.failure("\(path.printable) can't be made") }
            guard listen(descriptor, 1024) == 0, let file = Self.identity(path) else {
                throw Self.failure("\(path.printable) can't be listened on")
            }
            self.file = file
        } catch {
            close(descriptor)
            throw error
        }
        self.descriptor = descriptor
        self.path = path
    }

    /// Another process listens on the socket.
    struct InUse: Error {
        let path: String

        var failure: CommandFailure {
            .status(
                .duplicateItem,
                "an agent listens at \(path.printable) already; use it: export SSH_AUTH_SOCK=\(path.printable)")
        }
    }

    /// The path for SSH_AUTH_SOCK.
    var shownPath: String { path ?? "" }

    /// Removes the socket file, if it is still this one.
    func remove() {
        guard let path, let now = Self.identity(path), now == file else { return }
        unsafe unlink(path)
        // The folder created for it, if it is empty.
        let folder = PathText(path).deletingLastPathComponent
        if PathText(folder).lastPathComponent.hasPrefix(Self.ownFolder) { unsafe rmdir(folder) }
    }

    private static func identity(_ path: String) -> (device: UInt64, number: UInt64)? {
        var status = stat()
        return unsafe lstat(path, &status) == 0 ? (UInt64(status.st_dev), UInt64(status.st_ino)) : nil
    }

    /// Ensures that no other user can access files in the folder.
    private static func checkFolder(_ folder: String) throws {
        if unsafe mkdir(folder, 0o700) != 0, errno != EEXIST {
            throw failure("the folder \(folder.printable) can't be made")
        }
        var status = stat()
        guard unsafe lstat(folder, &status) == 0, status.st_mode & S_IFMT == S_IFDIR else {
            throw CommandFailure.usage("\(folder.printable) is not a folder")
        }
        guard status.st_uid == geteuid(), status.st_mode & 0o077 == 0 else {
            throw CommandFailure.status(
                .parameter,
                "the folder \(folder.printable) is open to others; run: chmod 700 \(folder.printable.shellWord); or name a socket in another one with --socket"
            )
        }
    }

    /// Removes a stale socket, on which no process listens. A socket in use, or another file, stays.
    private static func removeStale(_ path: String, _ address: inout sockaddr_un) throws {
        var status = stat()
        guard unsafe lstat(path, &status) == 0 else { return }
        guard status.st_mode & S_IFMT == S_IFSOCK, status.st_uid == geteuid() else {
            throw CommandFailure.status(.duplicateItem, "\(path.printable) is there already, and no socket of yours")
        }
        let other = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
        defer { close(other) }
        prepare(other)
        let result = unsafe call(&address) { unsafe connect(other, $0, $1) }
        guard result != 0, errno == ECONNREFUSED else { throw InUse(path: path) }
        unsafe unlink(path)
    }

    private static func call(
        _ address: inout sockaddr_un, _ body: (UnsafePointer<sockaddr>, socklen_t) -> Int32
    ) -> Int32 {
        unsafe withUnsafePointer(to: &address) { pointer in
            unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                unsafe body($0, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
    }

    // MARK: In the background

    /// Restarts this program with these arguments and the socket as its standard input. Returns its process ID.
    func startInBackground(_ words: [String]) throws -> pid_t {
        var actions = unsafe posix_spawn_file_actions_t()
        unsafe posix_spawn_file_actions_init(&actions)
        defer { unsafe posix_spawn_file_actions_destroy(&actions) }
        unsafe posix_spawn_file_actions_adddup2(&actions, descriptor, 0)
        for output in [Int32(1), 2] {
            unsafe posix_spawn_file_actions_addopen(&actions, output, "/dev/null", O_WRONLY, 0)
        }
        var process: pid_t = 0
        let number = unsafe withTexts(["zamok"] + words) { texts in
            unsafe posix_spawn(&process, "/proc/self/exe", &actions, nil, texts, environ)
        }
        guard number == 0 else {
            errno = number
            throw Self.failure("the agent can't be started")
        }
        return process
    }

    /// Leaves the terminal and the session of the parent. The working directory stays, because paths in the environment
    /// may be relative to it.
    static func leaveSession() { setsid() }
}
