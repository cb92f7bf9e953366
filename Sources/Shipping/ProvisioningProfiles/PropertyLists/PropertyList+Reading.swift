// SPDX-License-Identifier: Apache-2.0

import Foundation
import Readers

/// Limits on the size of a property list. Checked during reading, before anything is built from it.
public struct PropertyListLimits: Sendable {
    /// Bytes of the file.
    public var bytes: Int
    /// The levels of nested containers.
    public var depth: Int
    /// The total number of values, counting each use of a shared one.
    public var values: Int

    /// Custom limits.
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
    /// Reads a property list in any form: XML, binary or the old style of Xcode projects.
    ///
    /// - Throws: ``ProfileError`` with code `tooLarge` or `propertyList`, with the byte position.
    public init(bytes: [UInt8], limits: PropertyListLimits = .profile) throws(ProfileError) {
        self = try Self.read(bytes, forms: .all, limits: limits)
    }

    /// Reads a property list that must be in XML.
    init(xml bytes: [UInt8], limits: PropertyListLimits = .profile) throws(ProfileError) {
        self = try Self.read(bytes, forms: .xml, limits: limits)
    }

    private static func read(
        _ bytes: [UInt8], forms: PropertyListReading.Forms, limits: PropertyListLimits
    ) throws(ProfileError) -> PropertyList {
        do {
            return try PropertyListReading.value(in: bytes, forms, limits.whileReading)
        } catch {
            throw ProfileError(error, failingAs: .propertyList)
        }
    }
}

extension PropertyListLimits {
    fileprivate var whileReading: ReadingLimits {
        ReadingLimits(bytes: bytes, depth: depth, values: values, unfolded: 4 * bytes)
    }
}

extension PropertyList: PropertyListNode {
    package static func moment(_ seconds: Double) -> PropertyList {
        .date(Date(timeIntervalSinceReferenceDate: seconds))
    }
}
