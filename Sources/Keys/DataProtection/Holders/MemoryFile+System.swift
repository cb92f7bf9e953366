// SPDX-License-Identifier: Apache-2.0

import CPlatform
package import Files
import SecretMemory

extension FileHooks {
    private static let memoryName: FileLocation = "zamok-keys"

    /// Makes a memory file that contains `bytes`. Programs that this process starts inherit it.
    package func memoryFile(_ bytes: [UInt8]) throws -> OpenFile {
        try pass(.make, Self.memoryName)
        let number = unsafe zamok_memory_file(Self.memoryName.text, 0)
        guard number >= 0 else {
            throw DataProtectionError(
                .notAvailable, "the system has no memory files to hand keys over in (error \(-number))")
        }
        let file = OpenFile(number, path: Self.memoryName, hooks: self)
        try file.write(bytes)
        return file
    }

    /// Seals the file: from here on no process can change it, except through an existing mapping.
    func sealForOwner(_ file: OpenFile) throws(FileError) {
        let result = zamok_seal_memory_file_for_owner(file.number)
        if result < 0 { throw FileError(-result, operation: .make, path: Self.memoryName) }
    }
}

/// The owner's mapping of a memory file, through which it is wiped.
@safe
final class WipedMapping: Sendable {
    // A number, because pointers aren't Sendable. Wiping twice at the same time does no harm.
    private let address: UInt
    private let count: Int

    init(_ file: OpenFile, count: Int) throws(FileError) {
        var failure: Int32 = 0
        guard let base = unsafe zamok_map_shared(file.number, count, 1, &failure) else {
            throw FileError(abs(failure), operation: .map, path: file.path)
        }
        address = UInt(bitPattern: base)
        self.count = count
    }

    func wipe(_ range: Range<Int>) {
        let range = range.clamped(to: 0..<count)
        unsafe zamok_wipe(UnsafeMutableRawPointer(bitPattern: address + UInt(range.lowerBound)), range.count)
    }

    deinit {
        wipe(0..<count)
        _ = unsafe zamok_unmap(UnsafeMutableRawPointer(bitPattern: address), count)
    }
}

/// A descriptor that this process inherited from its parent, and leaves open for the programs that it starts.
struct InheritedDescriptor {
    private let number: Int32

    init(_ number: Int32) { self.number = number }

    /// The content of a sealed memory file; nil for anything else.
    func read(limit: Int) throws -> [UInt8]? {
        var status = zamok_file_status()
        guard zamok_is_sealed_for_owner(number) == 0, unsafe zamok_status(number, &status) == 0,
            status.owner == zamok_user(), status.size > 0, status.size <= Int64(limit)
        else { return nil }
        let count = Int(status.size)
        let bytes = unsafe [UInt8](unsafeUninitializedCapacity: count) { buffer, used in
            used = max(0, Int(unsafe zamok_read_at(number, buffer.baseAddress, count, 0)))
        }
        return bytes.count == count ? bytes : nil
    }
}
