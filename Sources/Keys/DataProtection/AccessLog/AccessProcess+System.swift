// SPDX-License-Identifier: Apache-2.0

import CPlatform

/// What the kernel reports about processes, for the access log.
struct AccessProcess: Sendable {
    let identifier: UInt32
    let user: UInt32
    let path: String

    /// This process.
    static let own = AccessProcess()

    private init() {
        identifier = UInt32(bitPattern: ThisProcess.identifier)
        user = ThisProcess.user
        path = Places.executable()
    }

    static var parent: UInt32 { UInt32(bitPattern: getppid()) }

    /// The path of a process's program. If it can't be read, the short name in brackets. If neither can be read, empty.
    static func path(of process: UInt32) -> String {
        if let path = link("/proc/\(process)/exe") { return path }
        guard let name = firstBytes("/proc/\(process)/comm"), !name.isEmpty else { return "" }
        return "[" + String(decoding: name.prefix { $0 != 10 }, as: UTF8.self) + "]"
    }

    private static func link(_ path: String) -> String? {
        let bytes = unsafe [CChar](unsafeUninitializedCapacity: 4096) { buffer, used in
            unsafe used = max(0, Int(zamok_read_link(AT_FDCWD, path, buffer.baseAddress, buffer.count)))
        }
        return bytes.isEmpty ? nil : String(decoding: bytes.map(UInt8.init(bitPattern:)), as: UTF8.self)
    }

    private static func firstBytes(_ path: String) -> [UInt8]? {
        let file = unsafe zamok_open(AT_FDCWD, path, O_RDONLY, 0)
        guard file >= 0 else { return nil }
        defer { _ = zamok_close(file) }
        return unsafe [UInt8](unsafeUninitializedCapacity: 64) { buffer, used in
            unsafe used = max(0, Int(zamok_read_some(file, buffer.baseAddress, buffer.count, 0)))
        }
    }
}
