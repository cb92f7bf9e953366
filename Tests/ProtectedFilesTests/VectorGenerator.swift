// SPDX-License-Identifier: Apache-2.0

import Foundation
import Sealing
import SecretMemory
import TestSupport
import Testing

@testable import DataProtection
@testable import ProtectedFiles

/// Writes Tests/Vectors/ProtectedFile anew: `ZAMOK_WRITE_VECTORS=1 swift test --filter VectorGenerator`. Not part of
/// a run of the tests.
@Suite(
    .enabled(
        if: ProcessInfo.processInfo.environment["ZAMOK_WRITE_VECTORS"] != nil, "vectors are written by request only"))
struct VectorGenerator {
    @Test("the vectors are written anew") func write() throws {
        try? FileManager.default.removeItem(at: Vector.folder)
        try FileManager.default.createDirectory(at: Vector.folder, withIntermediateDirectories: true)
        let files = try TemporaryStore()
        try bases(files)
        try FileManager.default.createDirectory(
            at: Vector.folder.appendingPathComponent("home"), withIntermediateDirectories: true
        )
        for name in ["device-secret", "epoch", "keybag"] {
            let bytes = try files.raw(FileLocation(files.temporary.path).appending(name))
            try Data(bytes).write(to: Vector.folder.appendingPathComponent("home/\(name)"))
        }
        for (name, text) in Self.vectors {
            try Data((text + "\n").utf8).write(to: Vector.folder.appendingPathComponent(name + ".txt"))
        }
    }

    private func save(_ files: TemporaryStore, _ path: FileLocation, as name: String) throws {
        try Data(try files.raw(path)).write(to: Vector.folder.appendingPathComponent(name + ".bin"))
    }

    private func bases(_ files: TemporaryStore) throws {
        let path = files.path("file")
        for name in ["empty", "one", "other"] {
            try files.store.write(Vector.content(name), to: path)
            try save(files, path, as: name)
        }
        try files.store.write(Vector.content("one"), to: path, protection: .completeUnlessOpen)
        try save(files, path, as: "unless-open")
        try forge(files, path)
        try files.store.remove(path)
        try files.store.setIndexed(true, folder: files.folder)
        try files.store.write(Vector.content("three-older"), to: path)
        try save(files, path, as: "three-older")
        let handle = try files.store.handle(forUpdating: path)
        try handle.write(pattern(100, seed: 13), at: chunk + 100)
        try handle.close()
        try save(files, path, as: "three")
        try save(files, files.folder.appending(FolderRecord.fileName), as: "index")
        let open = try files.store.handle(forUpdating: path)
        try open.append(pattern(3 * chunk))
        try open.discardChanges()
        try save(files, path, as: "unsettled")
    }

    /// A file of completeUnlessOpen as it can be made by writing to the disk: with the public key, without the
    /// authenticity key.
    private func forge(_ files: TemporaryStore, _ path: FileLocation) throws {
        let slot = try #require(files.home.keybag.view().file.current(.classKeyPair, KeyClass(.completeUnlessOpen)))
        let publicKey = try #require(slot.publicKey)
        let fileID = FreshFile.randomIdentifier()
        let pair = try KeyAgreement.generate()
        let shared = try KeyAgreement.sharedSecret(of: pair.privateKey, with: publicKey)
        var context = ByteWriter()
        context.append([KeyClass(.completeUnlessOpen).code])
        context.integer(slot.id.value)
        context.append(pair.publicKey + publicKey + fileID)
        let wrapping = try KeyDerivation.derive(
            from: shared, salt: [], label: .completeUnlessOpen, context: context.bytes
        )
        let fileKey = try SecretBytes.random(count: 32)
        let key = SealedFileKey(
            form: .agreed, classKeyID: slot.id.value, ephemeralPublicKey: pair.publicKey,
            wrapped: try KeyWrap.wrap(fileKey, under: wrapping)
        )
        let header = FileHeader(
            protection: .completeUnlessOpen, fileID: fileID, home: files.home.keybag.homeIdentifier, key: key)
        let keys = try FileKeys(from: fileKey, fileID, .completeUnlessOpen)
        let bytes = try keys.slot(header)
        try files.setRaw(path, bytes + bytes + [UInt8](repeating: 0, count: 4096 - 1024))
        try save(files, path, as: "forged")
    }
}
