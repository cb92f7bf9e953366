// SPDX-License-Identifier: Apache-2.0

/// The counters that all processes of a home share (Documentation/Formats/Keybag.md, `generation`). A hint only: it opens nothing.
final class GenerationPage: Sendable {
    static let fileName = "generation"
    private static let size = 4096
    private static let magic = Array("zamokgen".utf8) + [1, 0, 0, 0, 0, 0, 0, 0]
    private static let keybag: UInt = 64
    private static let lock: UInt = 128
    private static let leave: UInt = 192
    private static let bell: UInt = 256
    private static let changes: UInt = 320

    private let page: MappedPage
    /// Of the file.
    let identity: HomeFolder.Identity

    /// Maps the page; nil if there is none, or one that this version can't use.
    init?(mappingIn folder: HomeFolder) throws {
        guard let file = try folder.openFile(Self.fileName, .readAndWrite) else { return nil }
        let status = try folder.files.status(of: file, Self.fileName)
        guard status.size == Self.size,
            try folder.files.read(file, Self.fileName, count: 16) == Self.nativeMagic
        else { return nil }
        identity = HomeFolder.Identity(device: status.device, inode: status.inode)
        page = try MappedPage(of: file, Self.fileName, size: Self.size, in: folder.files)
    }

    /// Maps the page, and makes it first where there is none. The lock is held by the caller.
    static func makeIfNeeded(in folder: HomeFolder) throws -> GenerationPage {
        if let page = try GenerationPage(mappingIn: folder) { return page }
        var bytes = [UInt8](repeating: 0, count: size)
        bytes.replaceSubrange(0..<16, with: nativeMagic)
        // Random starts: what was captured from an earlier page never seems to be of this one.
        for offset in [Int(lock), Int(leave)] {
            for index in offset..<offset + 8 { bytes[index] = UInt8.random(in: 0...255) }
        }
        try folder.replace(fileName, with: bytes)
        guard let page = try GenerationPage(mappingIn: folder) else {
            throw DataProtectionError(.io, "\(folder.path)/\(fileName) could not be made")
        }
        return page
    }

    private static var nativeMagic: [UInt8] {
        UInt64(1) == UInt64(1).littleEndian ? magic : magic.prefix(8) + magic.suffix(8).reversed()
    }

    /// Generation of the keybag; 0 when nobody has said it yet.
    var keybagGeneration: UInt64 { page.load64(Self.keybag) }
    var lockCount: UInt64 { page.load64(Self.lock) }
    var leaveCount: UInt64 { page.load64(Self.leave) }
    var bell: UInt32 { page.load32(Self.bell) }

    func setKeybagGeneration(_ generation: UInt64) {
        page.store64(Self.keybag, generation)
        ring()
    }

    /// Makes every group of this role void, in every process.
    func count(_ role: KeyGroup.Role) {
        switch role {
        case .complete: _ = page.add64(Self.lock)
        case .firstUnlock: _ = page.add64(Self.leave)
        case .device: break
        }
        ring()
    }

    /// Wakes the watchers.
    func ring() { page.ring(Self.bell) }

    func wait(while seen: UInt32, nanoseconds: Int64) { page.wait(Self.bell, while: seen, nanoseconds: nanoseconds) }

    func changeCount(_ counter: ChangeCounter) -> UInt64 { page.load64(Self.changes + 64 * UInt(counter.rawValue)) }

    @discardableResult
    func countChange(_ counter: ChangeCounter) -> UInt64 { page.add64(Self.changes + 64 * UInt(counter.rawValue)) }
}

/// What a change counter of the shared page counts: committed writes to one store of the home.
package enum ChangeCounter: UInt8, Sendable, CaseIterable {
    case keychain = 0
    case preferences = 1
    case files = 2
    case users = 3
    /// The settings of the app and not of a user.
    case device = 4
}
