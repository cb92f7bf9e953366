// SPDX-License-Identifier: Apache-2.0

import Crypto
import DataProtection
import Foundation
import Meter
import ProtectedFiles

/// What is measured, on Zamok's public API alone.
struct Work {
    let folder: String
    let store: ProtectedFileStore

    init(_ folder: String, threads: Int = 1) throws {
        self.folder = folder
        var home = Home.Configuration()
        home.folder = folder + "/home"
        home.holder = .process
        var configuration = ProtectedFileStore.Configuration()
        configuration.threads = threads
        store = ProtectedFileStore(home: try Home(home), configuration: configuration)
    }

    func path(_ name: String) -> FileLocation { FileLocation(folder + "/" + name) }

    static func makeInput(_ path: String, megabytes: Int) throws {
        if (try? FileManager.default.attributesOfItem(atPath: path)[.size] as? Int) == megabytes << 20 { return }
        _ = FileManager.default.createFile(atPath: path, contents: nil)
        let file = try FileHandle(forWritingTo: URL(fileURLWithPath: path))
        var generator = SystemRandomNumberGenerator()
        for _ in 0..<megabytes {
            let words = (0..<1 << 17).map { _ in generator.next() }
            try words.withUnsafeBytes { try file.write(contentsOf: Data($0)) }
        }
        try file.close()
    }

    // MARK: Whole files

    func protect() throws -> Double {
        try? FileManager.default.removeItem(atPath: folder + "/sealed")
        return try Meter.seconds {
            try store.protect(contentsOf: path("plain"), to: path("sealed"), protection: ProtectionClass.none)
        }
    }

    func open() throws -> Double {
        try? FileManager.default.removeItem(atPath: folder + "/opened")
        return try Meter.seconds { try store.open(path("sealed"), toPlaintextAt: path("opened")) }
    }

    /// The same loop without cryptography.
    func copy() throws -> Double {
        try? FileManager.default.removeItem(atPath: folder + "/copied")
        return try Meter.seconds {
            let source = Glibc.open(folder + "/plain", O_RDONLY)
            let target = Glibc.open(folder + "/copied", O_RDWR | O_CREAT, 0o600)
            let buffer = UnsafeMutableRawPointer.allocate(byteCount: 1 << 15, alignment: 4096)
            var offset = 0
            while true {
                let count = pread(source, buffer, 1 << 15, off_t(offset))
                guard count > 0 else { break }
                guard pwrite(target, buffer, count, off_t(offset)) == count else {
                    throw Meter.Failed(command: ["copy"])
                }
                offset += count
            }
            buffer.deallocate()
            close(source)
            close(target)
        }
    }

    // MARK: Positions and small files

    /// Median microseconds of a read of 4 KiB through a handle, and of the bare read of a chunk.
    func random(megabytes: Int) throws -> (sealed: Double, bare: Double) {
        let handle = try store.handle(forReadingFrom: path("sealed"))
        let blocks = megabytes << 8
        var generator = SystemRandomNumberGenerator()
        // Warm: every node and page was read once.
        for block in stride(from: 0, to: blocks, by: 4) { _ = try handle.read(count: 1, at: block << 12) }
        let offsets = (0..<20_000).map { _ in Int.random(in: 0..<blocks, using: &generator) << 12 }
        let sealed = try Meter.median(offsets.count) { _ = try handle.read(count: 4096, at: offsets[$0]) }
        return (sealed, try Self.randomReads(of: folder + "/sealed", count: 1 << 15, megabytes: megabytes))
    }

    /// Median microseconds of a bare read of so many bytes at random multiples of them.
    static func randomReads(of path: String, count: Int, megabytes: Int) throws -> Double {
        let file = Glibc.open(path, O_RDONLY)
        guard file >= 0 else { throw Meter.Failed(command: ["open", path]) }
        defer { close(file) }
        let buffer = UnsafeMutableRawPointer.allocate(byteCount: count, alignment: 4096)
        defer { buffer.deallocate() }
        var generator = SystemRandomNumberGenerator()
        let blocks = megabytes << 20 / count
        for block in stride(from: 0, to: blocks, by: 2) { _ = pread(file, buffer, count, off_t(block * count)) }
        let offsets = (0..<5000).map { _ in Int.random(in: 0..<blocks, using: &generator) * count }
        return Meter.median(offsets.count) { _ = pread(file, buffer, count, off_t(offsets[$0])) }
    }

    static let classes: [ProtectionClass] = [
        .complete, .completeUnlessOpen, .completeUntilFirstUserAuthentication, .none,
    ]

    private func small(_ protection: ProtectionClass) -> FileLocation { path("small-\(protection)") }

    /// Makes a file of 1 KiB of each class, and one in clear, and lets the folder rest: what changed a moment ago is looked through at each opening.
    func makeSmall() throws {
        let content = [UInt8](repeating: 7, count: 1024)
        for protection in Self.classes { try store.write(content, to: small(protection), protection: protection) }
        _ = FileManager.default.createFile(atPath: folder + "/small", contents: Data(content))
        usleep(300_000)
    }

    func readSmall(_ protection: ProtectionClass) throws { _ = try store.read(from: small(protection)) }

    func readPlain() {
        let file = Glibc.open(folder + "/small", O_RDONLY)
        _ = [UInt8](unsafeUninitializedCapacity: 1024) { $1 = pread(file, $0.baseAddress, 1024, 0) }
        close(file)
    }

    /// Median microseconds of opening and reading in a folder in which something else is made before each time.
    func readAmongChanges(_ protection: ProtectionClass) throws -> Double {
        Meter.median(
            try (0..<2000).map { _ in
                close(Glibc.open(folder + "/other", O_RDWR | O_CREAT, 0o600))
                unlink(folder + "/other")
                return try Meter.seconds { try readSmall(protection) }
            })
    }

    /// Opens and reads a file of 1 KiB of the class so often.
    func repeatedly(_ name: String, _ count: Int) throws {
        guard let protection = Self.classes.first(where: { "\($0)" == name }) else {
            throw Meter.Failed(command: [name])
        }
        try makeSmall()
        for _ in 0..<count { try readSmall(protection) }
    }

    // MARK: Memory

    /// GB/s of sealing and opening chunks of 32 KiB with swift-crypto, called as the files do.
    static func memory() throws -> (seal: Double, open: Double) {
        let key = SymmetricKey(size: .bits256)
        let plain = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 15, alignment: 4096)
        plain.initializeMemory(as: UInt8.self, repeating: 7)
        defer { plain.deallocate() }
        let authenticated = [UInt8](repeating: 1, count: 46)
        let chunks = 1 << 14
        let bytes = Double(chunks << 15)
        var sum = 0
        let seal = try Meter.best(5) {
            var nonces: [UInt8] = []
            for chunk in 0..<chunks {
                // As the files do: random nonces, drawn from the system for many chunks at once.
                if chunk & 63 == 0 {
                    nonces = SymmetricKey(size: .init(bitCount: 64 * 96)).withUnsafeBytes { Array($0) }
                }
                let nonce = try AES.GCM.Nonce(data: nonces[(chunk & 63) * 12..<(chunk & 63) * 12 + 12])
                let box = try AES.GCM.seal(
                    UnsafeRawBufferPointer(plain), using: key, nonce: nonce, authenticating: authenticated)
                sum += box.combined?.count ?? 0
            }
        }
        let box = try AES.GCM.seal(UnsafeRawBufferPointer(plain), using: key, authenticating: authenticated)
        let ciphertext = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 15, alignment: 4096)
        defer { ciphertext.deallocate() }
        box.ciphertext.copyBytes(to: ciphertext)
        let (nonce, tag) = (box.nonce, Array(box.tag))
        let open = try Meter.best(5) {
            for _ in 0..<chunks {
                let sealed = try AES.GCM.SealedBox(
                    nonce: nonce, ciphertext: UnsafeRawBufferPointer(ciphertext), tag: tag)
                sum += try AES.GCM.open(sealed, using: key, authenticating: authenticated).count
            }
        }
        guard sum > 0 else { throw Meter.Failed(command: ["memory"]) }
        return (bytes / seal / 1e9, bytes / open / 1e9)
    }
}
