// SPDX-License-Identifier: Apache-2.0
//
// What a file has beside its content: owner, group, mode, access lists, extended attributes, times.

import CPlatform

/// What could not be given to a file that was made from another one, or back to it.
public struct LostMetadata: OptionSet, Sendable {
    /// The bits.
    public let rawValue: UInt8

    /// Those of these bits.
    public init(rawValue: UInt8) { self.rawValue = rawValue }

    /// The owner: giving files away takes a privilege.
    public static let owner = LostMetadata(rawValue: 1)
    /// The group, which this process's user is no member of.
    public static let group = LostMetadata(rawValue: 2)
    /// The mode: the new file is its owner's alone.
    public static let mode = LostMetadata(rawValue: 4)
    /// The access control list.
    public static let accessList = LostMetadata(rawValue: 8)
    /// Extended attributes.
    public static let attributes = LostMetadata(rawValue: 16)
}

extension OpenFile {
    /// Gives this file, which nobody else has yet, what `source` has beside its content. `status` is that of `source` from before it was read. What the file system, or this
    /// user, can't give is left out and returned; then nobody gets more access than `source` gave. `withAccess` false: owner, mode and access lists stay as they are; `withTimes`: the times.
    package func takeMetadata(
        of source: OpenFile, _ status: FileStatus, withAccess: Bool = true, withTimes: Bool = true,
        except own: [[UInt8]] = []
    ) throws(FileError) -> LostMetadata {
        try hooks.pass(.metadata, path)
        var lost = withAccess ? try takeOwner(status) : []
        // Before the mode: some may be set only by who may write to the file.
        lost.formUnion(try takeAttributes(of: source, withAccess: withAccess, except: own))
        if withAccess { try setMode(Self.mode(status.permissions, lost)) }
        if withTimes { try setTimes(as: status) }
        return lost
    }

    /// Sets the times of the last reading and of the last change of content to those of `status`.
    package func setTimes(as status: FileStatus) throws(FileError) {
        let (read, modified) = (status.accessed.time, status.modifiedTime)
        try check(
            zamok_set_times(number, read.seconds, read.rest, modified.seconds, modified.rest), operation: .metadata,
            path: path)
    }

    /// Sets the permissions and the time of the last change of content. False where the file system, or this user, can't.
    package func set(permissions: UInt32, modified: FileTime) throws(FileError) -> Bool {
        let read = try status().accessed.time
        try hooks.pass(.metadata, path)
        guard try isGiven(zamok_set_times(number, read.seconds, read.rest, modified.seconds, modified.rest)) else {
            return false
        }
        return try isGiven(zamok_set_mode(number, permissions))
    }

    private func takeOwner(_ wanted: FileStatus) throws(FileError) -> LostMetadata {
        let now = try status()
        if now.owner == wanted.owner, now.group == wanted.group { return [] }
        if try setOwner(wanted.owner, wanted.group) { return [] }
        // Whoever is a member of a group may give it that one.
        var lost: LostMetadata = now.owner == wanted.owner ? [] : .owner
        if now.group != wanted.group, try !setOwner(UInt32.max, wanted.group) { lost.insert(.group) }
        return lost
    }

    private func setOwner(_ owner: UInt32, _ group: UInt32) throws(FileError) -> Bool {
        try isGiven(zamok_set_owner(number, owner, group))
    }

    /// The bits that let a program run as the owner or group hold for these only; where the group is another one, who belongs to either gets what both had. An access list
    /// may have denied somebody what the bits allow: without it the file is its owner's alone.
    private static func mode(_ mode: UInt32, _ lost: LostMetadata) -> UInt32 {
        var mode = mode
        if lost.contains(.owner) { mode &= ~0o4000 }
        if lost.contains(.group) { mode &= ~0o2000 }
        if lost.contains(.accessList) { return mode & ~0o077 }
        guard lost.contains(.group) else { return mode }
        let both = mode >> 3 & mode & 0o7
        return mode & ~0o077 | both << 3 | both
    }

    /// False where this user, or the file system, can't do it.
    private func isGiven(_ result: Int32) throws(FileError) -> Bool {
        let refusals: [Int32] = [EPERM, EACCES, EOPNOTSUPP, ENOTSUP, EINVAL, ENOSPC, EDQUOT, E2BIG, ERANGE, ENOSYS]
        if refusals.contains(-result) { return false }
        try check(result, operation: .metadata, path: path)
        return true
    }
}

// MARK: Extended attributes

extension OpenFile {
    /// Access lists are attributes of this kind.
    private static let system = Array("system.".utf8)
    /// What the kernel says of the content, and what belongs to a layer of a file system.
    private static let notKept = ["security.ima", "security.evm", "trusted.overlay."].map { Array($0.utf8) }

    /// The names of its attributes; none where the file system has no such thing.
    package func attributeNames() throws(FileError) -> [[UInt8]] {
        let size = zamok_list_attributes(number, nil, 0)
        if size == 0 || [EOPNOTSUPP, ENOSYS, EPERM, EACCES].contains(Int32(-size)) { return [] }
        var result: Int64 = 0
        let names = unsafe [UInt8](unsafeUninitializedCapacity: 1 << 16) { buffer, used in
            let text = unsafe UnsafeMutableRawPointer(buffer.baseAddress)?.assumingMemoryBound(to: CChar.self)
            unsafe result = zamok_list_attributes(number, text, buffer.count)
            used = max(0, Int(result))
        }
        try check(result, operation: .metadata, path: path)
        return names.split(separator: 0).map(Array.init).sorted { $0.lexicographicallyPrecedes($1) }
    }

    /// Nil: there is none of that name, or it is kept from this user.
    package func attribute(_ name: [UInt8]) throws(FileError) -> [UInt8]? {
        var result: Int64 = 0
        let value = unsafe [UInt8](unsafeUninitializedCapacity: 1 << 16) { buffer, used in
            unsafe result = name.withText { unsafe zamok_get_attribute(number, $0, buffer.baseAddress, buffer.count) }
            used = max(0, Int(result))
        }
        if result < 0, [ENODATA, EPERM, EACCES, EOPNOTSUPP, ENOSYS].contains(Int32(-result)) { return nil }
        try check(result, operation: .metadata, path: path)
        return value
    }

    /// False where this user, or the file system, can't do it.
    package func setAttribute(_ name: [UInt8], _ value: [UInt8]) throws(FileError) -> Bool {
        let result = unsafe value.withUnsafeBytes { value in
            unsafe name.withText { unsafe zamok_set_attribute(number, $0, value.baseAddress, value.count) }
        }
        return try isGiven(result)
    }

    /// Owner, group, mode and access lists, in a form to compare.
    package func access() throws(FileError) -> [UInt8] {
        let status = try status()
        var bytes: [UInt8] = []
        func add(_ number: UInt32) { bytes += (0..<4).map { UInt8(truncatingIfNeeded: number >> (24 - 8 * $0)) } }
        // Whoever writes to a file takes its other bits away.
        for number in [status.owner, status.group, status.permissions & 0o777] { add(number) }
        for name in try attributeNames() where name.starts(with: Self.system) {
            let value = try attribute(name) ?? []
            for part in [name, value] {
                add(UInt32(part.count))
                bytes += part
            }
        }
        return bytes
    }

    private func takeAttributes(
        of source: OpenFile, withAccess: Bool, except own: [[UInt8]]
    ) throws(FileError) -> LostMetadata {
        func isTaken(_ name: [UInt8]) -> Bool {
            !own.contains(name) && !Self.notKept.contains { name.starts(with: $0) }
                && (withAccess || !name.starts(with: Self.system))
        }
        let wanted = try source.attributeNames().filter(isTaken)
        var lost: LostMetadata = []
        // What it has from the default list of its folder would come into force with the mode.
        for name in try attributeNames() where name.starts(with: Self.system) && isTaken(name) && !wanted.contains(name)
        {
            let isGone = try isGiven(unsafe name.withText { unsafe zamok_remove_attribute(number, $0) })
            if !isGone { lost.insert(.accessList) }
        }
        for name in wanted {
            if let value = try source.attribute(name) {
                if try attribute(name) == value { continue }
                if try setAttribute(name, value) { continue }
            }
            lost.insert(name.starts(with: Self.system) ? .accessList : .attributes)
        }
        return lost
    }
}
