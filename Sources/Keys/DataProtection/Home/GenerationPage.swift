// SPDX-License-Identifier: Apache-2.0

import Files
import SecretMemory

/// The counters that all processes of a home share (Documentation/Formats/Keybag.md, `generation`). They are only
/// hints, and open nothing.
///
/// Reading needs no system call, and doesn't end the process if another process truncates the file. The mapped file may
/// no longer be the one with that name. `isStill()` detects this, and maps the present one.
final class GenerationPage: Sendable {
    static let fileName = "generation"
    private static let size = 4096
    private static let magic = Array("zamokgen".utf8) + [1, 0, 0, 0, 0, 0, 0, 0]
    private static let home: UInt = 16
    private static let keybag: UInt = 64
    private static let lock: UInt = 128
    private static let leave: UInt = 192
    private static let bell: UInt = 256
    private static let changes: UInt = 320

    private let page: MappedPage
    private let folder: HomeFolder
    private let name: String
    /// Needed at every use, so made once.
    private let place: FileLocation
    /// The mapped file; nil: none.
    private let mapped: Locked<FileIdentity?>

    /// Maps the page; nil if there is none that this version can use. `forLocking`: accepts any file mode.
    init?(mappingIn folder: HomeFolder, _ name: String = fileName, forLocking: Bool = false) throws {
        guard let (file, isWritable) = try Self.open(folder, name, forLocking: forLocking) else { return nil }
        let status = try file.status()
        page = try MappedPage(of: file, isWritable: isWritable)
        self.folder = folder
        self.name = name
        place = folder.at(name)
        mapped = Locked(status.identity)
    }

    /// The file, if it has the format of a page. A read-only file is opened for reading.
    private static func open(
        _ folder: HomeFolder, _ name: String, forLocking: Bool
    ) throws -> (file: OpenFile, isWritable: Bool)? {
        func open(_ mode: OpenFile.Mode) throws -> OpenFile? {
            forLocking ? try folder.openForLocking(name, mode) : try folder.openFile(name, mode)
        }
        var isWritable = true
        let file: OpenFile?
        do { file = try open(.change) } catch let error as FileError {
            // A lock that can't be announced would have no effect.
            guard error.isReadOnly, !forLocking else { throw error }
            isWritable = false
            file = try open(.read)
        }
        guard let file, try file.status().size == size, try file.read(count: 16) == nativeMagic else { return nil }
        return (file, isWritable)
    }

    /// Maps the page, and makes it first if there is none. The caller holds the lock.
    static func makeIfNeeded(in folder: HomeFolder) throws -> GenerationPage {
        for _ in 0..<4 {
            if let page = try GenerationPage(mappingIn: folder) { return page }
            try folder.replaceBesideOthers(fileName, with: fresh(nil))
        }
        throw DataProtectionError(.io, "\(folder.path)/\(fileName) could not be made")
    }

    /// A new page: values from an earlier page never match it.
    static func fresh(_ home: UniqueIdentifier?) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: size)
        bytes.replaceSubrange(0..<16, with: nativeMagic)
        if let home { bytes.replaceSubrange(Int(Self.home)..<Int(Self.home) + 16, with: home.bytes) }
        for offset in [Int(lock), Int(leave)] {
            for index in offset..<offset + LockToken.size { bytes[index] = UInt8.random(in: 0...255) }
        }
        // Above every count of an earlier page, because changes are rarer than one per nanosecond.
        let now = UInt64(max(0, ThisProcess.wallTime))
        let start = (0..<8).map { UInt8(truncatingIfNeeded: now >> (8 * $0)) }
        for counter in ChangeCounter.allCases {
            let offset = Int(changes) + 64 * Int(counter.rawValue)
            bytes.replaceSubrange(offset..<offset + 8, with: isLittleEndian ? start : start.reversed())
        }
        return bytes
    }

    private static var isLittleEndian: Bool { UInt64(littleEndian: 1) == 1 }
    private static var nativeMagic: [UInt8] {
        isLittleEndian ? magic : magic.prefix(8) + magic.suffix(8).reversed()
    }

    // MARK: The file of its name

    /// The present file, to read, and its folder; nil: it can't be opened.
    var openFile: (file: OpenFile, folder: OpenFile)? {
        (try? folder.openForLocking(name, .read)).flatMap(\.self).map { ($0, folder.file) }
    }

    /// Whether the page is whole: not truncated, and not overwritten with something else.
    private var isWhole: Bool { [0, 8].allSatisfy { page.load64($0) == Self.word(Self.nativeMagic, Int($0)) } }

    /// Eight bytes as a load from memory sees them.
    fileprivate static func word(_ bytes: [UInt8], _ offset: Int) -> UInt64 {
        isLittleEndian
            ? bytes[offset..<offset + 8].reversed().reduce(0) { $0 << 8 | UInt64($1) }
            : bytes[offset..<offset + 8].reduce(0) { $0 << 8 | UInt64($1) }
    }

    /// Whether the mapped file is still the whole file of that name. If not, this maps the present file, or none. What
    /// was valid by the old counters is then no longer valid, regardless of the new ones.
    func isStill() -> Bool {
        mapped.withLock { mapped in
            let present = try? OpenFile.status(of: place, folder.files)
            let found = present?.identity
            if found != nil, found == mapped, present?.size == Self.size, isWhole { return true }
            guard let (file, isWritable) = try? Self.open(folder, name, forLocking: true),
                let status = try? file.status(), page.replace(with: file, isWritable: isWritable)
            else {
                // There was no file before either. That was reported then.
                if mapped == nil { return true }
                page.forget()
                mapped = nil
                return false
            }
            mapped = status.identity
            return false
        }
    }

    /// Makes a new page if there is no usable one. The caller holds the lock.
    func repair() throws {
        _ = isStill()
        guard mapped.withLock({ $0 == nil }) else { return }
        try folder.replaceBesideOthers(name, with: Self.fresh(nil))
        _ = isStill()
    }

    // MARK: What it says

    /// The home's identifier, written by the process that last opened the home with all checks; nil if none did.
    var homeIdentifier: UniqueIdentifier? {
        let identifier = UniqueIdentifier(
            high: UInt64(bigEndian: page.load64(Self.home)), low: UInt64(bigEndian: page.load64(Self.home + 8)))
        return identifier == UniqueIdentifier(high: 0, low: 0) ? nil : identifier
    }

    func setHomeIdentifier(_ home: UniqueIdentifier) {
        guard homeIdentifier != home else { return }
        page.store64(Self.home, home.halves.high.bigEndian)
        page.store64(Self.home + 8, home.halves.low.bigEndian)
    }

    /// The generation of the keybag; 0 if no process has written it yet.
    var keybagGeneration: UInt64 { page.load64(Self.keybag) }
    var lockCount: UInt64 { page.load64(Self.lock) }
    var leaveCount: UInt64 { page.load64(Self.leave) }
    var bell: UInt32 { page.load32(Self.bell) }

    func setKeybagGeneration(_ generation: UInt64) {
        page.store64(Self.keybag, generation)
        ring()
    }

    /// The token that is valid until the next lock (`complete`), or until the user next leaves (`firstUnlock`).
    func token(_ role: KeyGroup.Role) -> LockToken {
        let offset = role == .complete ? Self.lock : Self.leave
        return LockToken(words: (0..<4).map { page.load64(offset + 8 * $0) })
    }

    /// Makes every group of this role void, in every process, and returns the count for later groups. Keys that were
    /// handed over under the former token can't be opened any more.
    @discardableResult
    func count(_ role: KeyGroup.Role) -> UInt64 {
        guard role != .device else { return 0 }
        let offset = role == .complete ? Self.lock : Self.leave
        let token = LockToken.random()
        // The first word is written last, because groups are compared with it.
        for index in [3, 2, 1, 0] { page.store64(offset + 8 * UInt(index), token.words[index]) }
        ring()
        return token.words[0]
    }

    // MARK: What lies in a kernel's keyring

    /// Records that a group is about to be put into the keyring of `space`, a user namespace.
    func notePublished(_ validity: KeyGroup.Validity, in space: UInt64, now: BootInstant) {
        let notes = PublishedNote.all(validity.role) { page.load64($0) }
        let index =
            notes.firstIndex { $0.space == space } ?? notes.firstIndex { !$0.isLive(now) } ?? PublishedNote.limit - 1
        let isRoom = notes[index].space == space || !notes[index].isLive(now)
        let note = PublishedNote(
            boot: validity.boot, space: isRoom ? space : PublishedNote.manySpaces,
            deadline: isRoom ? validity.deadline ?? 0 : 0)
        for (offset, word) in zip(PublishedNote.offsets(validity.role, index), note.words) {
            page.store64(offset, word)
        }
    }

    /// The user namespaces whose keyrings may contain groups of a role.
    func published(_ role: KeyGroup.Role, now: BootInstant) -> Set<UInt64> {
        PublishedNote.live(role, now: now) { page.load64($0) }
    }

    /// Like the other `published`, for a page that can't be mapped because the home is read-only; nil if it can't
    /// be known.
    static func published(
        _ role: KeyGroup.Role, now: BootInstant, in folder: HomeFolder
    ) -> Set<UInt64>? {
        guard let file = try? folder.openForLocking(fileName, .read),
            let bytes = try? file.read(count: size), bytes.count == size,
            Array(bytes.prefix(16)) == nativeMagic
        else { return nil }
        return PublishedNote.live(role, now: now) { word(bytes, Int($0)) }
    }

    /// Records that the keyring of `space` no longer contains a group of a role.
    func forgetPublished(_ role: KeyGroup.Role, in space: UInt64) {
        for (index, note) in PublishedNote.all(role, { page.load64($0) }).enumerated() where note.space == space {
            for offset in PublishedNote.offsets(role, index) { page.store64(offset, 0) }
        }
    }

    /// Wakes the watchers.
    func ring() { page.ring(Self.bell) }

    func wait(while seen: UInt32, nanoseconds: Int64) { page.wait(Self.bell, while: seen, nanoseconds: nanoseconds) }

    func changeCount(_ counter: ChangeCounter) -> UInt64 { page.load64(Self.changes + 64 * UInt(counter.rawValue)) }

    @discardableResult
    func countChange(_ counter: ChangeCounter) -> UInt64 { page.add64(Self.changes + 64 * UInt(counter.rawValue)) }
}

/// 32 random bytes that each lock replaces. The first eight are the count that groups carry. All of them are one half
/// of the key that handed-over keys are wrapped under.
struct LockToken: Equatable, Sendable {
    static let size = 32
    let words: [UInt64]

    static func random() -> LockToken { LockToken(words: (0..<4).map { _ in UInt64.random(in: 1...UInt64.max) }) }

    var bytes: [UInt8] { words.flatMap { word in (0..<8).map { UInt8(truncatingIfNeeded: word >> (8 * $0)) } } }
}

/// What a change counter of the shared page counts: committed writes to one store of the home.
package enum ChangeCounter: UInt8, Sendable, CaseIterable {
    case keychain = 0
    case preferences = 1
    case files = 2
    case users = 3
    /// The settings of the app, not of a user.
    case device = 4
    /// Settings of the access log.
    case log = 5
}

/// The counters in a home's shared page that tell whether a store's cached data is current. Read without a system call.
package struct SharedCounters: Sendable {
    /// The counters at one moment, for one process. If two stamps are equal, nothing happened between them.
    package struct Stamp: Equatable, Sendable {
        /// The generation of the keybag.
        package let generation: UInt64
        /// Changes whenever the user leaves the home or locks it completely.
        package let leaves: UInt64
        /// Committed writes to the store.
        package let changes: UInt64
        /// A child after fork must not answer from what its parent read.
        let process: Int32
    }

    private let page: GenerationPage
    private let counter: ChangeCounter

    package init(_ keybag: Keybag, _ counter: ChangeCounter) {
        page = keybag.process.page
        self.counter = counter
    }

    package var stamp: Stamp {
        Stamp(
            generation: page.keybagGeneration, leaves: page.leaveCount, changes: page.changeCount(counter),
            process: ThisProcess.identifier)
    }
}
