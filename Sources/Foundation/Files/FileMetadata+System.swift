// SPDX-License-Identifier: Apache-2.0
//
// File metadata: owner, group, mode, access control lists, extended attributes, times.

import CPlatform

/// Metadata that could not be copied to a file made from another one, or back to it.
public struct LostMetadata: OptionSet, Sendable {
    /// The bits.
    public let rawValue: UInt8

    /// The set of these bits.
    public init(rawValue: UInt8) { self.rawValue = rawValue }

    /// The owner: changing it takes a privilege.
    public static let owner = LostMetadata(rawValue: 1)
    /// The group: this process's user is not a member of it.
    public static let group = LostMetadata(rawValue: 2)
    /// The mode: only the owner has access to the new file.
    public static let mode = LostMetadata(rawValue: 4)
    /// The access control list.
    public static let accessList = LostMetadata(rawValue: 8)
    /// Extended attributes.
    public static let attributes = LostMetadata(rawValue: 16)
}

extension OpenFile {
    /// Copies the metadata of `source` to this file, which no other process has yet. What the file system or this
    /// user's permissions don't allow is left out and returned; the result never grants more access than `source`.
    ///
    /// - Parameters:
    ///   - status: The status of `source` from before it was read.
    ///   - withAccess: False keeps owner, mode and access control lists unchanged.
    ///   - withTimes: False keeps the times unchanged.
    ///   - own: Attributes that are left out.
    package func takeMetadata(
        of source: OpenFile, _ status: FileStatus, withAccess: Bool = true, withTimes: Bool = true,
        except own: [[UInt8]] = []
    ) throws(FileError) -> LostMetadata {
        try hooks.pass(.metadata, path)
        var lost = withAccess ? try takeOwner(status) : []
        // Before the mode: some attributes can be set only with write permission.
        lost.formUnion(try takeAttributes(of: source, withAccess: withAccess, except: own))
        if withAccess { try setMode(Self.mode(status.permissions, lost)) }
        if withTimes { try setTimes(as: status) }
        return lost
    }

    /// Sets the times of last access and last modification to those of `status`.
    package func setTimes(as status: FileStatus) throws(FileError) {
        let (read, modified) = (status.accessed.time, status.modifiedTime)
        try check(
            zamok_set_times(number, read.seconds, read.rest, modified.seconds, modified.rest), operation: .metadata,
            path: path)
    }

    /// Sets the permissions and the modification time. False if the file system, or this user's permissions, don't
    /// allow it.
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
        // A member of a group may give the file that group.
        var lost: LostMetadata = now.owner == wanted.owner ? [] : .owner
        if now.group != wanted.group, try !setOwner(UInt32.max, wanted.group) { lost.insert(.group) }
        return lost
    }

    private func setOwner(_ owner: UInt32, _ group: UInt32) throws(FileError) -> Bool {
        try isGiven(zamok_set_owner(number, owner, group))
    }

    /// Without the owner or group, the set-user-ID or set-group-ID bit is dropped. With another group, group and others
    /// both get only the bits that both had. An access control list may deny what the bits allow: without it, only the
    /// owner has access.
    private static func mode(_ mode: UInt32, _ lost: LostMetadata) -> UInt32 {
        var mode = mode
        if lost.contains(.owner) { mode &= ~0o4000 }
        if lost.contains(.group) { mode &= ~0o2000 }
        if lost.contains(.accessList) { return mode & ~0o077 }
        guard lost.contains(.group) else { return mode }
        let both = mode >> 3 & mode & 0o7
        return mode & ~0o077 | both << 3 | both
    }

    /// False if this user's permissions, or the file system, don't allow it.
    private func isGiven(_ result: Int32) throws(FileError) -> Bool {
        let refusals: [Int32] = [EPERM, EACCES, EOPNOTSUPP, ENOTSUP, EINVAL, ENOSPC, EDQUOT, E2BIG, ERANGE, ENOSYS]
        if refusals.contains(-result) { return false }
        try check(result, operation: .metadata, path: path)
        return true
    }
}

// MARK: Metadata that is kept elsewhere

/// The metadata of a file, apart from it: to be stored, and given to a file again.
package struct FileMetadata: Sendable, Equatable {
    package let owner, group, permissions: UInt32
    package let accessed, modified: FileTime
    /// The extended attributes, access control lists among them.
    package let attributes: [Attribute]

    /// An extended attribute.
    package struct Attribute: Sendable, Equatable {
        package let name, value: [UInt8]

        package init(name: [UInt8], value: [UInt8]) { (self.name, self.value) = (name, value) }
    }

    package init(
        owner: UInt32, group: UInt32, permissions: UInt32, accessed: FileTime, modified: FileTime,
        attributes: [Attribute]
    ) {
        (self.owner, self.group, self.permissions) = (owner, group, permissions)
        (self.accessed, self.modified, self.attributes) = (accessed, modified, attributes)
    }
}

extension OpenFile {
    /// Its metadata. `status`: from before it was read.
    package func metadata(_ status: FileStatus) throws(FileError) -> FileMetadata {
        var attributes: [FileMetadata.Attribute] = []
        for name in try attributeNames() where !Self.notKept.contains(where: { name.starts(with: $0) }) {
            guard let value = try attribute(name) else { continue }
            attributes.append(.init(name: name, value: value))
        }
        return FileMetadata(
            owner: status.owner, group: status.group, permissions: status.permissions, accessed: status.accessed.time,
            modified: status.modifiedTime, attributes: attributes)
    }

    /// Gives this file, which no other process has yet, such metadata. What can't be given is returned, as by
    /// `takeMetadata`.
    package func give(_ metadata: FileMetadata) throws(FileError) -> LostMetadata {
        try hooks.pass(.metadata, path)
        var lost: LostMetadata = []
        let now = try status()
        if now.owner != metadata.owner || now.group != metadata.group, try !setOwner(metadata.owner, metadata.group) {
            if now.owner != metadata.owner { lost.insert(.owner) }
            if now.group != metadata.group, try !setOwner(UInt32.max, metadata.group) { lost.insert(.group) }
        }
        let wanted = metadata.attributes.map(\.name)
        for name in try attributeNames() where name.starts(with: Self.system) && !wanted.contains(name) {
            let isGone = try isGiven(unsafe name.withText { unsafe zamok_remove_attribute(number, $0) })
            if !isGone { lost.insert(.accessList) }
        }
        for each in metadata.attributes where try attribute(each.name) != each.value {
            if try setAttribute(each.name, each.value) { continue }
            lost.insert(each.name.starts(with: Self.system) ? .accessList : .attributes)
        }
        try setMode(Self.mode(metadata.permissions, lost))
        let (read, modified) = (metadata.accessed, metadata.modified)
        try check(
            zamok_set_times(number, read.seconds, read.rest, modified.seconds, modified.rest), operation: .metadata,
            path: path)
        return lost
    }
}

// MARK: Extended attributes

extension OpenFile {
    /// The prefix of access control lists, which are attributes.
    private static let system = Array("system.".utf8)
    /// The kernel's measurements of the content, and attributes that belong to a layer of an overlay file system.
    private static let notKept = ["security.ima", "security.evm", "trusted.overlay."].map { Array($0.utf8) }

    /// The names of its extended attributes; none if the file system doesn't support them.
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

    /// Nil if there is no such attribute, or this user can't read it.
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

    /// False if this user's permissions, or the file system, don't allow it.
    package func setAttribute(_ name: [UInt8], _ value: [UInt8]) throws(FileError) -> Bool {
        let result = unsafe value.withUnsafeBytes { value in
            unsafe name.withText { unsafe zamok_set_attribute(number, $0, value.baseAddress, value.count) }
        }
        return try isGiven(result)
    }

    /// Owner, group, mode and access control lists, in a form to compare.
    package func access() throws(FileError) -> [UInt8] {
        let status = try status()
        var bytes: [UInt8] = []
        func add(_ number: UInt32) { bytes += (0..<4).map { UInt8(truncatingIfNeeded: number >> (24 - 8 * $0)) } }
        // A write clears the set-user-ID and set-group-ID bits.
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
        // Entries inherited from the folder's default access control list would take effect with the mode.
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
