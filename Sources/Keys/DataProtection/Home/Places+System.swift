// SPDX-License-Identifier: Apache-2.0

import CPlatform
import SecretMemory

/// What the system reports about this program and its user.
enum Places {
    /// A variable of this process's environment.
    static func environmentValue(_ name: String) -> String? {
        guard let value = unsafe getenv(name) else { return nil }
        return unsafe String(cString: value)
    }

    /// The home folder of this user's account, for processes without HOME (services).
    static func accountFolder() -> String? { unsafe text { unsafe zamok_account_folder($0, $1) } }

    /// The path of this program's file, with links resolved.
    static func executable() -> String {
        let mark = " (deleted)"
        guard let path = unsafe text({ unsafe zamok_executable_path($0, $1) }) else {
            return ProcessArguments.words.first.map { String(decoding: $0, as: UTF8.self) } ?? ""
        }
        return path.hasSuffix(mark) ? String(path.dropLast(mark.count)) : path
    }

    /// The kernel's name of this process's mount namespace; nil without /proc.
    static func mountNamespace() -> String? {
        unsafe text { bytes, count in
            guard let bytes = unsafe bytes else { return -1 }
            return unsafe Int64(readlink("/proc/self/ns/mnt", bytes, count))
        }
    }

    /// The number of the user namespace; 0 if unknown. Each user namespace has its own keyrings.
    static func userNamespace() -> UInt64 {
        let name = unsafe text { bytes, count in
            guard let bytes = unsafe bytes else { return -1 }
            return unsafe Int64(readlink("/proc/self/ns/user", bytes, count))
        }
        return name.flatMap { UInt64($0.filter(\.isNumber)) } ?? 0
    }

    private static func text(_ read: (UnsafeMutablePointer<CChar>?, Int) -> Int64) -> String? {
        let bytes = unsafe [CChar](unsafeUninitializedCapacity: 4096) { buffer, used in
            unsafe used = max(0, Int(read(buffer.baseAddress, buffer.count)))
        }
        return bytes.isEmpty ? nil : String(decoding: bytes.map(UInt8.init(bitPattern:)), as: UTF8.self)
    }
}
