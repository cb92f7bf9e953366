// SPDX-License-Identifier: Apache-2.0

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

extension ApplicationIdentity {
    /// The identity of this program.
    ///
    /// 0. `$ZAMOK_APPLICATION`, where it is set: application identifier and only access group. So a server finds what was stored for it, whatever its
    ///    file is called.
    /// 1. `<executable>.entitlements` beside the executable: keys `application-identifier` and `keychain-access-groups`. A
    ///    file with neither means that the program may use no group.
    /// 2. Else the bundle identifier of the `X.app` that the executable lies in (`X.app/Info.plist` or `X.app/Contents/Info.plist`) or
    ///    that lies beside it under its name; the same two keys are read there too.
    /// 3. Else the executable's file name.
    ///
    /// Errors: `.invalidArgument` for a file that can't be read as a property list.
    public static func discover() throws(DataProtectionError) -> ApplicationIdentity {
        try discover(
            executable: Places.executable(), files: FileSystem(), named: Places.environmentValue(environmentVariable))
    }

    static let environmentVariable = "ZAMOK_APPLICATION"

    static func discover(
        executable: String, files: FileSystem, named: String? = nil
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

    private static func read(_ path: String, _ files: FileSystem) throws(DataProtectionError) -> IdentityPropertyList? {
        do {
            guard let file = try files.openIfPresent(path, .readThroughLinks) else { return nil }
            guard try files.status(of: file, path).kind == .file else { return nil }
            let limit = 1 << 20
            let bytes = try files.read(file, path, count: limit + 1)
            guard bytes.count <= limit else { throw IdentityPropertyList.TooLong() }
            return try PropertyListDecoder().decode(IdentityPropertyList.self, from: Data(bytes))
        } catch let error as FileError where !error.isMissing {
            return nil
        } catch {
            throw DataProtectionError(
                .invalidArgument, "\(path) is not a property list with entitlements", cause: error)
        }
    }
}

/// What of an entitlements file or an Info.plist counts here.
struct IdentityPropertyList: Decodable {
    struct TooLong: Error {}

    let applicationIdentifier: String?
    let accessGroups: [String]?
    let bundleIdentifier: String?

    enum CodingKeys: String, CodingKey {
        case applicationIdentifier = "application-identifier"
        case accessGroups = "keychain-access-groups"
        case bundleIdentifier = "CFBundleIdentifier"
    }

    var namesSomeone: Bool { applicationIdentifier != nil || accessGroups != nil || bundleIdentifier != nil }
}
