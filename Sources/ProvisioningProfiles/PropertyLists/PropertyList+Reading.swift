// SPDX-License-Identifier: Apache-2.0

/// How large a property list may be. Checked while reading, before anything is built from it.
public struct PropertyListLimits: Sendable {
    /// Bytes of the file.
    public var bytes: Int
    /// Containers inside containers.
    public var depth: Int
    /// Values in all, counting each use of a shared one.
    public var values: Int

    /// Limits of one's own.
    public init(bytes: Int, depth: Int, values: Int) {
        self.bytes = bytes
        self.depth = depth
        self.values = values
    }

    /// Profiles, entitlements and Info.plist: 1 MiB, 32 levels, 100,000 values.
    public static let profile = PropertyListLimits(bytes: 1 << 20, depth: 32, values: 100_000)
    /// Xcode projects: 16 MiB, 32 levels, 1,000,000 values.
    public static let project = PropertyListLimits(bytes: 16 << 20, depth: 32, values: 1_000_000)
}

extension PropertyList {
    /// Reads a property list in XML, binary or the old style of Xcode projects, whichever it is.
    ///
    /// - Throws: ``ProfileError`` with code `tooLarge` or `propertyList`, saying at which byte.
    public init(bytes: [UInt8], limits: PropertyListLimits = .profile) throws(ProfileError) {
        try Self.check(bytes, limits)
        if bytes.starts(with: "bplist".utf8) {
            self = try BinaryPropertyListReader.read(bytes, limits)
        } else if Self.looksLikeXML(bytes) {
            self = try XMLPropertyListReader.read(bytes, limits)
        } else {
            self = try OldStylePropertyListReader.read(bytes, limits)
        }
    }

    /// Reads a property list in XML and nothing else, where no other form may stand.
    init(xml bytes: [UInt8], limits: PropertyListLimits = .profile) throws(ProfileError) {
        try Self.check(bytes, limits)
        self = try XMLPropertyListReader.read(bytes, limits)
    }

    private static func check(_ bytes: [UInt8], _ limits: PropertyListLimits) throws(ProfileError) {
        guard bytes.count <= limits.bytes else {
            throw ProfileError(.tooLarge, "a property list of \(bytes.count) bytes; the limit is \(limits.bytes)")
        }
    }

    private static func looksLikeXML(_ bytes: [UInt8]) -> Bool {
        let text = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? bytes[3...] : bytes[...]
        return text.first { !XMLPropertyListReader.isSpace($0) } == UInt8(ascii: "<")
    }
}

/// Counts values and depth for the three readers.
struct PropertyListBudget {
    let limits: PropertyListLimits
    private var values = 0
    private var depth = 0

    init(_ limits: PropertyListLimits) { self.limits = limits }

    mutating func value() throws(ProfileError) {
        values += 1
        guard values <= limits.values else {
            throw ProfileError(.tooLarge, "a property list of more than \(limits.values) values")
        }
    }

    mutating func enter() throws(ProfileError) {
        depth += 1
        guard depth <= limits.depth else {
            throw ProfileError(.tooLarge, "a property list of more than \(limits.depth) levels")
        }
    }

    mutating func leave() { depth -= 1 }
}
