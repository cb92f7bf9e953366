// SPDX-License-Identifier: Apache-2.0

import CPlatform
import SecretMemory

/// A failure of the kernel's key service. `number` is an errno value.
struct KeyringError: Error, Equatable {
    let number: Int32

    /// A key was added but can't be found or read.
    static let invisible = KeyringError(number: EACCES)
    /// The keyring changed each time while it was read.
    static let endless = KeyringError(number: EAGAIN)
    /// A lock came before the keys were in place.
    static let overtaken = KeyringError(number: ECANCELED)

    /// The error as text for the user.
    var text: String {
        let name =
            switch number {
            case EPERM: "EPERM"
            case ENOSYS: "ENOSYS"
            case EACCES: "EACCES"
            case EDQUOT: "EDQUOT"
            default: "error \(number)"
            }
        return unsafe "\(name), \(String(cString: strerror(number)))"
    }

    /// The system has no key service for this process, or no room in it. The process-local holder takes over.
    var isRefusal: Bool { [EPERM, ENOSYS, EACCES, EDQUOT].contains(number) }
    /// The key does not exist, or no longer exists.
    var isAbsence: Bool { number == ENOENT || zamok_keyring_is_absence(number) != 0 }
}

/// The kernel's key service, in the thinnest form that Swift can call.
enum KernelKeyring {
    /// The serial of the keyring that all processes of this user share.
    static func userKeyring() throws(KeyringError) -> Int32 { try check(zamok_keyring_serial(ZAMOK_KEYRING_USER, 1)) }

    /// Makes a key that all processes of this user, in any session, can read after `link` into the user's keyring.
    ///
    /// The key is made in the process's keyring, where its maker possesses it and may set its permissions. Only then is
    /// it linked to the user's keyring. If a session without a link to that keyring adds a key there directly, no
    /// process can read it, not even its maker.
    static func make(_ name: String, _ payload: borrowing SecretBytes) throws -> Int32 {
        let key = try payload.withBytes { span in
            try unsafe span.withUnsafeBytes { bytes in
                try check(unsafe zamok_key_add("user", name, bytes.baseAddress, bytes.count, ZAMOK_KEYRING_PROCESS))
            }
        }
        return try shared(key)
    }

    /// Makes a keyring for one key of its name, like `make`. Nothing can be linked into a revoked keyring.
    static func makeRing(_ name: String) throws -> Int32 {
        try shared(try check(unsafe zamok_key_add("keyring", name, nil, 0, ZAMOK_KEYRING_PROCESS)))
    }

    private static func shared(_ key: Int32) throws -> Int32 {
        do {
            let user = ZAMOK_KEY_VIEW | ZAMOK_KEY_READ | ZAMOK_KEY_WRITE | ZAMOK_KEY_SEARCH
            try check(zamok_key_set_permissions(key, ZAMOK_KEY_ALL << 24 | user << 16))
            return key
        } catch {
            drop(key)
            throw error
        }
    }

    /// Sets the timeout of a key that was made here.
    static func expire(_ key: Int32, in seconds: UInt32) throws(KeyringError) {
        try check(zamok_key_set_timeout(key, seconds))
    }

    /// Links a key or a keyring that was made here into the user's keyring, or a key into such a keyring. It replaces
    /// another of the same type and name.
    static func link(_ key: Int32, into ring: Int32 = ZAMOK_KEYRING_USER) throws(KeyringError) {
        try check(zamok_key_link(key, ring))
    }

    /// Unlinks a linked key from the process's keyring.
    static func letGo(_ key: Int32) { _ = zamok_key_unlink(key, ZAMOK_KEYRING_PROCESS) }

    /// Destroys a key that was made here, linked or not.
    static func drop(_ key: Int32) {
        _ = zamok_key_revoke(key)
        letGo(key)
    }

    /// Makes and links a key.
    static func add(_ name: String, _ payload: borrowing SecretBytes, expiringIn seconds: UInt32?) throws -> Int32 {
        let key = try make(name, payload)
        do {
            if let seconds { try expire(key, in: seconds) }
            try link(key)
        } catch {
            drop(key)
            throw error
        }
        letGo(key)
        return key
    }

    /// The key of this name, in the user's keyring or in a keyring that it contains.
    static func find(_ name: String) throws(KeyringError) -> Int32? {
        try found(unsafe zamok_key_search(ZAMOK_KEYRING_USER, "user", name, 0))
    }

    /// The empty keyring of this name. A keyring that contains a revoked key does not count as empty.
    static func findEmptyRing(_ name: String) throws(KeyringError) -> Int32? {
        guard let ring = try found(unsafe zamok_key_search(ZAMOK_KEYRING_USER, "keyring", name, 0)) else { return nil }
        return try serials(in: ring).isEmpty ? ring : nil
    }

    private static func found(_ result: Int32) throws(KeyringError) -> Int32? {
        if result < 0, KeyringError(number: -result).isAbsence { return nil }
        return try check(result)
    }

    /// The payload; nil if the key no longer exists. `expected`: its size, as far as known.
    static func read(_ key: Int32, expected: Int) throws -> SecretBytes? {
        var size = expected
        while true {
            var result: Int64 = 0
            let payload = try SecretBytes(count: size) { span in
                unsafe span.withUnsafeMutableBytes { unsafe result = zamok_key_read(key, $0.baseAddress, $0.count) }
            }
            if result < 0 {
                let error = KeyringError(number: Int32(-result))
                if error.isAbsence { return nil }
                throw error
            }
            if result == size { return payload }
            if result > 0, result < size { return try payload.part(0..<Int(result)) }
            // A longer payload: read it again with room for all of it.
            guard result > 0, result <= Int64(KeyGroup.sizeLimit) else { return nil }
            size = Int(result)
        }
    }

    /// Destroys the key for every process. Unlinking alone would leave it to any process that knows its serial.
    /// Unlinking afterwards frees the name. `freeingName` must be false if another key already has the name, because
    /// the kernel unlinks by name.
    static func revoke(_ key: Int32, freeingName: Bool = true) throws(KeyringError) {
        let result = zamok_key_revoke(key)
        if freeingName { _ = zamok_key_unlink(key, ZAMOK_KEYRING_USER) }
        if result < 0, !KeyringError(number: -result).isAbsence { throw KeyringError(number: -result) }
    }

    /// A key or keyring whose name begins with a prefix.
    struct Named {
        let serial: Int32
        /// The rest of the name, after the prefix.
        let rest: [UInt8]
        /// Whether it is a keyring for one key.
        let isRing: Bool
    }

    /// All keys in the user's keyring whose names begin with `prefix`, keyrings with such names, and the keys in those.
    /// Finds all of them, however many other keys there are. Names are compared as bytes, since a lock looks at each.
    ///
    /// Errors: `.endless`, if other processes add keys faster than they can be read.
    static func keys(behind prefix: String) throws(KeyringError) -> [Named] {
        let prefix = Array(prefix.utf8)
        let all = try serials(in: ZAMOK_KEYRING_USER).compactMap { named($0, behind: prefix) }
        var inRings: [Named] = []
        for ring in all where ring.isRing {
            // A keyring that was revoked in the meantime contains nothing.
            inRings += ((try? serials(in: ring.serial)) ?? []).compactMap { named($0, behind: prefix) }
        }
        return all + inRings
    }

    /// The serials of all keys in a keyring. The kernel reports the size needed for all, and fills the available room.
    private static func serials(in ring: Int32) throws(KeyringError) -> [Int32] {
        var capacity = 256
        for _ in 0..<16 {
            var result: Int64 = 0
            let serials = unsafe [Int32](unsafeUninitializedCapacity: capacity) { buffer, used in
                unsafe result = zamok_key_read(ring, buffer.baseAddress, capacity * 4)
                used = max(0, min(capacity, Int(clamping: result) / 4))
            }
            let needed = Int(clamping: try check(result)) / 4
            if needed <= capacity { return serials }
            capacity = needed + needed / 2
        }
        throw .endless
    }

    /// A key or keyring whose name begins with `prefix`; nil for any other.
    private static func named(_ key: Int32, behind prefix: [UInt8]) -> Named? {
        unsafe withUnsafeTemporaryAllocation(of: CChar.self, capacity: 512) { buffer in
            let count = unsafe zamok_key_describe(key, buffer.baseAddress, buffer.count)
            guard count > 0 else { return nil }
            let text = unsafe UnsafeRawBufferPointer(rebasing: UnsafeRawBufferPointer(buffer)[..<min(512, Int(count))])
            // type;uid;gid;perm;description, and a NUL.
            let isRing = unsafe text.starts(with: Array("keyring;".utf8))
            guard let end = unsafe text.firstIndex(of: 0), unsafe isRing || text.starts(with: Array("user;".utf8))
            else {
                return nil
            }
            var begin = 0
            for _ in 0..<4 {
                guard let next = unsafe text[begin..<end].firstIndex(of: UInt8(ascii: ";")) else { return nil }
                begin = next + 1
            }
            guard unsafe text[begin..<end].starts(with: prefix) else { return nil }
            return unsafe Named(serial: key, rest: Array(text[(begin + prefix.count)..<end]), isRing: isRing)
        }
    }

    @discardableResult
    private static func check<I: FixedWidthInteger & SignedInteger>(_ result: I) throws(KeyringError) -> I {
        if result < 0 { throw KeyringError(number: Int32(-result)) }
        return result
    }
}
