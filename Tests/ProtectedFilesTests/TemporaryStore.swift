// SPDX-License-Identifier: Apache-2.0

import DataProtection
import Files
import Foundation
import SecretMemory
import TestSupport

@testable import ProtectedFiles

/// A home and a folder for files, both removed with this object. The folder is on the disk, or in memory where the
/// disk isn't what is tested.
final class TemporaryStore: Sendable {
    let temporary = TemporaryHome()
    let home: Home
    let store: ProtectedFileStore
    let folder: FileLocation

    init(
        passcode: String? = nil, configuration: ProtectedFileStore.Configuration = .sealed, inMemory: Bool = false,
        _ change: (inout Home.Configuration) -> Void = { _ in }
    ) throws {
        home = try temporary.open(change)
        if let passcode { try home.keybag.setPasscode(try SecretBytes(copying: Array(passcode.utf8))) }
        store = ProtectedFileStore(home: home, configuration: configuration)
        let name = "zamok-files-\(UUID().uuidString)"
        let disk = FileManager.default.temporaryDirectory
        let memory = URL(fileURLWithPath: "/dev/shm")
        let isThere = inMemory && FileManager.default.isWritableFile(atPath: memory.path)
        let path = (isThere ? memory : disk).appendingPathComponent(name).path
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
        folder = FileLocation(path)
    }

    deinit { try? FileManager.default.removeItem(atPath: folder.description) }

    func path(_ name: String) -> FileLocation { folder.appending(name) }

    /// Another store of the same home, as another process would have it.
    func another(_ configuration: ProtectedFileStore.Configuration = .sealed) throws -> ProtectedFileStore {
        ProtectedFileStore(home: try temporary.open(), configuration: configuration)
    }

    func unlock(_ passcode: String = "correct horse") throws {
        try home.keybag.unlock(passcode: try SecretBytes(copying: Array(passcode.utf8)))
    }

    /// The bytes of the file itself.
    func raw(_ path: FileLocation) throws -> [UInt8] {
        Array(try Data(contentsOf: URL(fileURLWithPath: path.description)))
    }

    func setRaw(_ path: FileLocation, _ bytes: [UInt8]) throws {
        try Data(bytes).write(to: URL(fileURLWithPath: path.description))
    }

    /// Removes what failed calls, or processes that are gone, left in the folder. Its locks may live on for an instant.
    /// A process that another test starts has copies of this one's open files until it runs its own program. So it
    /// tries again, for 10 s at most, while a temporary is still there.
    func removeLeftovers(_ store: ProtectedFileStore) {
        let end = ContinuousClock.now + .seconds(10)
        repeat {
            store.temporaries.leftovers.remove(in: folder)
            guard names.contains(where: { TemporaryName.matches(Array($0.utf8)) }) else { return }
            Thread.sleep(forTimeInterval: 0.01)
        } while ContinuousClock.now < end
    }

    /// The names in the folder.
    var names: [String] {
        ((try? FileManager.default.contentsOfDirectory(atPath: folder.description)) ?? []).sorted()
    }
}

extension ProtectedFileStore.Configuration {
    /// The defaults.
    static var sealed: Self { Self() }

    static func sealed(_ change: (inout Self) -> Void) -> Self {
        var configuration = Self.sealed
        change(&configuration)
        return configuration
    }
}

/// Bytes that differ from position to position and from seed to seed.
func pattern(_ count: Int, seed: UInt64 = 1) -> [UInt8] {
    var generator = SeededGenerator(seed: seed)
    // By words: of megabytes this is most of what a test without optimisation does.
    let words = (0..<(count + 7) / 8).map { _ in generator.next().littleEndian }
    return unsafe [UInt8](unsafeUninitializedCapacity: count) { bytes, size in
        unsafe words.withUnsafeBytes {
            unsafe UnsafeMutableRawBufferPointer(bytes).copyMemory(from: UnsafeRawBufferPointer(rebasing: $0[..<count]))
        }
        size = count
    }
}

func code(_ body: () throws -> Void) -> ProtectedFileError.Code? {
    failure(ProtectedFileError.self, body)?.code
}

let chunk = FileFormat.chunkSize
