// SPDX-License-Identifier: Apache-2.0

import Files
import SecretMemory

/// Where a home lies, as the kernel's keyring keeps it beside the home's groups: so that a lock finds them when the home itself can't say its name, and so that
/// what is left of a home that is gone can be told (Documentation/Formats/Keybag.md, "Key groups").
struct HomePlace: Equatable {
    private static let limit = 4096

    private let folder: FileIdentity
    /// Which tree of files the path is one of: names of the mount namespace and of the root folder.
    private let tree: String
    let path: String

    init(_ folder: HomeFolder) {
        self.folder = folder.identity
        tree = Self.ownTree(folder.files)
        path = folder.path
    }

    /// The payload of a key; nil if it is none.
    init?(_ payload: consuming SecretBytes) {
        guard let bytes = try? payload.exposingBytes(0..<payload.count) else { return nil }
        // By bytes, and then each part: splitting a text goes by whole characters.
        let parts = bytes.split(separator: UInt8(ascii: "\n"), maxSplits: 3, omittingEmptySubsequences: false)
            .map { String(decoding: $0, as: UTF8.self) }
        guard parts.count == 4, let device = UInt64(parts[0]), let inode = UInt64(parts[1]) else { return nil }
        folder = FileIdentity(device: device, inode: inode)
        tree = parts[2]
        path = parts[3]
    }

    private var payload: [UInt8] { Array("\(folder.device)\n\(folder.inode)\n\(tree)\n\(path)".utf8) }

    /// What the key is to hold; nil if it is there already.
    func keyToMake(_ home: UniqueIdentifier) throws -> SecretBytes? {
        if let key = try KernelKeyring.find(KernelKeyringHolder.placeName(home)),
            let known = try KernelKeyring.read(key, expected: payload.count), HomePlace(known) == self
        {
            return nil
        }
        return try SecretBytes(copying: payload)
    }

    func isOf(_ identity: FileIdentity?) -> Bool { folder == identity }

    /// Whether a home of that name lay there and lies there no more. Never, if that can't be seen from here.
    func isGone(_ home: String, _ files: FileHooks) -> Bool {
        guard !tree.isEmpty, tree == Self.ownTree(files) else { return false }
        do {
            let folder = try HomeFolder(lockingAt: path, in: files)
            guard try folder.exists(KeybagFile.fileName) else { return true }
            guard let found = HomeLocker.nameInHeader(folder) else { return folder.identity != self.folder }
            return found.hexadecimal != home
        } catch let error as FileError {
            return error.isMissing || error.isNoFolder
        } catch {
            return false
        }
    }

    private static func ownTree(_ files: FileHooks) -> String {
        guard let space = Places.mountNamespace(), let status = try? OpenFile.open("/", .folder, files).status()
        else { return "" }
        return "\(space) \(status.device) \(status.inode)"
    }
}
