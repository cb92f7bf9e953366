// SPDX-License-Identifier: Apache-2.0

import Files
import Readers

/// The identity of a program, and the access groups that it may use.
public struct ApplicationIdentity: Sendable, Equatable {
    /// `application-identifier`, otherwise the bundle identifier, otherwise the executable's file name.
    public let applicationIdentifier: String
    /// The access groups in order; the first one is the default group. Empty: every call
    /// returns errSecMissingEntitlement.
    public let accessGroups: [String]
    /// Whether the program may see every group, as the `zamok` command may.
    public let seesAllGroups: Bool

    /// Creates an identity in code.
    public init(applicationIdentifier: String, accessGroups: [String], seesAllGroups: Bool = false) {
        self.applicationIdentifier = applicationIdentifier
        self.accessGroups = accessGroups
        self.seesAllGroups = seesAllGroups
    }
}

extension ApplicationIdentity {
    /// The identity of this program.
    ///
    /// 0. `$ZAMOK_APPLICATION`, if it is set: application identifier and only access group. So a server finds what was
    ///    stored for it, regardless of the name of its file.
    /// 1. `<executable>.entitlements` beside the executable: keys `application-identifier` and
    ///    `keychain-access-groups`. A file with neither means that the program may use no group.
    /// 2. Otherwise the bundle identifier of the `X.app` that contains the executable (`X.app/Info.plist` or
    ///    `X.app/Contents/Info.plist`) or that is beside it under its name. The same two keys are read there too.
    /// 3. Otherwise the executable's file name.
    ///
    /// Errors: `.invalidArgument` for a file that can't be read as a property list.
    public static func discover() throws(DataProtectionError) -> ApplicationIdentity {
        try discover(
            executable: Places.executable(), files: FileHooks(), named: Places.environmentValue(environmentVariable))
    }

    static let environmentVariable = "ZAMOK_APPLICATION"

    static func discover(
        executable: String, files: FileHooks, named: String? = nil
    ) throws(DataProtectionError) -> ApplicationIdentity {
        if let named, !named.isEmpty { return ApplicationIdentity(applicationIdentifier: named, accessGroups: [named]) }
        if let plist = try read("\(executable).entitlements", files) {
            return ApplicationIdentity(plist, otherwise: nil)
        }
        let name = String(executable.split(separator: "/").last ?? "")
        for path in infoPaths(executable, name) {
            if let plist = try read(path, files), plist.namesSomeone {
                return ApplicationIdentity(plist, otherwise: name)
            }
        }
        return ApplicationIdentity(applicationIdentifier: name, accessGroups: [name])
    }

    private static func infoPaths(_ executable: String, _ name: String) -> [String] {
        let folders = executable.split(separator: "/").dropLast().map(String.init)
        let path = { (parts: ArraySlice<String>) in "/" + parts.joined(separator: "/") }
        var paths: [String] = []
        if folders.last?.hasSuffix(".app") == true { paths.append(path(folders[...]) + "/Info.plist") }
        if folders.suffix(2) == ["Contents", "MacOS"], folders.dropLast(2).last?.hasSuffix(".app") == true {
            paths.append(path(folders.dropLast(1)) + "/Info.plist")
        }
        paths.append("\(executable).app/Info.plist")
        return paths
    }

    private init(_ plist: IdentityPropertyList, otherwise name: String?) {
        let identifier = plist.applicationIdentifier ?? plist.bundleIdentifier ?? name ?? ""
        var groups = plist.accessGroups ?? []
        // Apple's order: the listed groups, then the application identifier.
        let own = name == nil ? plist.applicationIdentifier : identifier
        if let own, !groups.contains(own) { groups.append(own) }
        self.init(applicationIdentifier: identifier, accessGroups: groups)
    }

    private static func read(_ path: String, _ files: FileHooks) throws(DataProtectionError) -> IdentityPropertyList? {
        do {
            guard let file = try OpenFile.openIfPresent(FileLocation(path), mode: .read, hooks: files),
                try file.status().kind == .file
            else { return nil }
            return try IdentityPropertyList(file.read(count: IdentityPropertyList.limits.bytes + 1))
        } catch let error as FileError where !error.isMissing {
            return nil
        } catch {
            throw DataProtectionError(
                .invalidArgument, "\(path) is not a property list with entitlements", cause: error)
        }
    }
}

/// The entries of an entitlements file or an Info.plist that matter here.
private struct IdentityPropertyList {
    let applicationIdentifier: String?
    let accessGroups: [String]?
    let bundleIdentifier: String?

    static let limits = ReadingLimits(bytes: 1 << 20, depth: 32, values: 100_000, unfolded: 4 << 20)

    /// Errors: an entry that matters has a value of another type.
    init(_ bytes: [UInt8]) throws(ReadingError) {
        guard case .dictionary(let values) = try PropertyListReading.value(of: Value.self, in: bytes, .all, Self.limits)
        else { throw .noDictionary }
        applicationIdentifier = try values["application-identifier"]?.text
        accessGroups = try values["keychain-access-groups"]?.texts
        bundleIdentifier = try values["CFBundleIdentifier"]?.text
    }

    var namesSomeone: Bool { applicationIdentifier != nil || accessGroups != nil || bundleIdentifier != nil }

    private enum Value: PropertyListNode {
        case string(String)
        case array([Value])
        case dictionary([String: Value])
        case other

        static func integer(_ value: Int64) -> Value { .other }
        static func real(_ value: Double) -> Value { .other }
        static func boolean(_ value: Bool) -> Value { .other }
        static func data(_ value: [UInt8]) -> Value { .other }
        static func moment(_ seconds: Double) -> Value { .other }

        var text: String {
            get throws(ReadingError) {
                guard case .string(let text) = self else { throw .malformed("a value that should be a text") }
                return text
            }
        }

        var texts: [String] {
            get throws(ReadingError) {
                guard case .array(let values) = self else { throw .malformed("a value that should be an array") }
                return try values.map { (value) throws(ReadingError) in try value.text }
            }
        }
    }
}
