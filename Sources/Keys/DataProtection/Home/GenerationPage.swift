// SPDX-License-Identifier: Apache-2.0

import Files
import SecretMemory

/// The counters that all processes of a home share (Documentation/Formats/Keybag.md, `generation`). They are only hints, and open nothing.
///
/// Read without a system call, and without ending the process when somebody cuts the file. The mapped file may no longer be the one of that name:
/// `isStill()` finds out, and maps the one that is there.
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
    /// The file that is mapped; nil: none.
    private let mapped: Locked<FileIdentity?>

    /// Maps the page; nil if there is none, or one that this version can't use. `forLocking`: of whatever mode.
    init?(mappingIn folder: HomeFolder, _ name: String = fileName, forLocking: Bool = false) throws {
        guard let (file, isWritable) = try Self.open(folder, name, forLocking: forLocking) else { return nil }
        let status = try file.status()
        page = try MappedPage(of: file, isWritable: isWritable)
        self.folder = folder
        self.name = name
        place = folder.at(name)
        mapped = Locked(status.identity)
    }

    /// The file, if it has the form of a page; where it can't be written to, for reading.
    private static func open(
        _ folder: HomeFolder, _ name: String, forLocking: Bool
    ) throws -> (file: OpenFile, isWritable: Bool)? {
        func open(_ mode: OpenFile.Mode) throws -> OpenFile? {
            forLocking ? try folder.openForLocking(name, mode) : try folder.openFile(name, mode)
        }
        var isWritable = true
        let file: OpenFile?
        do { file = try open(.change) } catch let error as FileError {
            // A lock that could not be made known would be none.
            guard error.isReadOnly, !forLocking else { throw error }
            isWritable = false
            file = try open(.read)
        }
        guard let file, try file.status().size == size, try file.read(count: 16) == nativeMagic else { return nil }
        return (file, isWritable)
    }

    /// Maps the page, and makes it first where there is none. The lock is held by the caller.
    static func makeIfNeeded(in folder: HomeFolder) throws -> GenerationPage {
        for _ in 0..<4 {
            if let page = try GenerationPage(mappingIn: folder) { return page }
            try folder.replaceBesideOthers(fileName, with: fresh(nil))
        }
        throw DataProtectionError(.io, "\(folder.path)/\(fileName) could not be made")
    }

    /// A page that nobody has seen: values from an earlier page never fit it.
    static func fresh(_ home: UniqueIdentifier?) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: size)
        bytes.replaceSubrange(0..<16, with: nativeMagic)
        if let home { bytes.replaceSubrange(Int(Self.home)..<Int(Self.home) + 16, with: home.bytes) }
        for offset in [Int(lock), Int(leave)] {
            for index in offset..<offset + LockToken.size { bytes[index] = UInt8.random(in: 0...255) }
        }
        // Above every count of an earlier page: nobody makes a change each nanosecond.
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

    /// Whether the page is whole: it was not cut, and not overwritten with something else.
    private var isWhole: Bool { [0, 8].allSatisfy { page.load64($0) == Self.word(Self.nativeMagic, Int($0)) } }

    /// Eight bytes as a load from memory sees them.
    fileprivate static func word(_ bytes: [UInt8], _ offset: Int) -> UInt64 {
        isLittleEndian
            ? bytes[offset..<offset + 8].reversed().reduce(0) { $0 << 8 | UInt64($1) }
            : bytes[offset..<offset + 8].reduce(0) { $0 << 8 | UInt64($1) }
    }

    /// Whether what is mapped is still the whole file of that name. If not, the one that is there is mapped, or none: what was valid by the old
    /// counters is no longer valid, whatever the new ones say.
    func isStill() -> Bool {
        mapped.withLock { mapped in
            let present = try? OpenFile.status(of: place, folder.files)
            let found = present?.identity
            if found != nil, found == mapped, present?.size == Self.size, isWhole { return true }
            guard let (file, isWritable) = try? Self.open(folder, name, forLocking: true),
                let status = try? file.status(), page.replace(with: file, isWritable: isWritable)
            else {
                // Nothing was there before either, which was reported then.
                if mapped == nil { return true }
                page.forget()
                mapped = nil
                return false
            }
            mapped = status.identity
            return false
        }
    }

    /// Makes a new page where there is none that can be used. The lock is held by the caller.
    func repair() throws {
        _ = isStill()
        guard mapped.withLock({ $0 == nil }) else { return }
        try folder.replaceBesideOthers(name, with: Self.fresh(nil))
        _ = isStill()
    }

    // MARK: What it says

    /// The home's name, written by whoever last opened the home with all checks; nil: nobody did.
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

    /// The generation of the keybag; 0 when nobody has written it yet.
    var keybagGeneration: UInt64 { page.load64(Self.keybag) }
    var lockCount: UInt64 { page.load64(Self.lock) }
    var leaveCount: UInt64 { page.load64(Self.leave) }
    var bell: UInt32 { page.load32(Self.bell) }

    func setKeybagGeneration(_ generation: UInt64) {
        page.store64(Self.keybag, generation)
        ring()
    }

    /// The token that is there until the next lock (`complete`), or the next time the user is left (`firstUnlock`).
    func token(_ role: KeyGroup.Role) -> LockToken {
        let offset = role == .complete ? Self.lock : Self.leave
        return LockToken(words: (0..<4).map { page.load64(offset + 8 * $0) })
    }

    /// Makes every group of this role void, in every process, and answers the count of those that come after. What was handed over under the token of
    /// before opens no more.
    @discardableResult
    func count(_ role: KeyGroup.Role) -> UInt64 {
        guard role != .device else { return 0 }
        let offset = role == .complete ? Self.lock : Self.leave
        let token = LockToken.random()
        // The first word is written last: groups are compared with it.
        for index in [3, 2, 1, 0] { page.store64(offset + 8 * UInt(index), token.words[index]) }
        ring()
        return token.words[0]
    }

    // MARK: What lies in a kernel's keyring

    /// Notes that a group is about to be put into the keyring of `space`, a user namespace.
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

    /// The user namespaces in whose keyrings groups of a role may be.
    func published(_ role: KeyGroup.Role, now: BootInstant) -> Set<UInt64> {
        PublishedNote.live(role, now: now) { page.load64($0) }
    }

    /// The same from a page that can't be mapped, since the home can't be written to; nil: nobody knows.
    static func published(
        _ role: KeyGroup.Role, now: BootInstant, in folder: HomeFolder
    ) -> Set<UInt64>? {
        guard let file = try? folder.openForLocking(fileName, .read),
            let bytes = try? file.read(count: size), bytes.count == size,
            Array(bytes.prefix(16)) == nativeMagic
        else { return nil }
        return PublishedNote.live(role, now: now) { word(bytes, Int($0)) }
    }

    /// Notes that nothing of a role is in the keyring of `space` any more.
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

/// 32 random bytes that each lock replaces. The first eight are the count that groups carry; all of them are one half of the key that handed-over keys are wrapped under.
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
    /// The settings of the app and not of a user.
    case device = 4
    /// Settings of the access log.
    case log = 5
}

/// The counters of a home's shared page that say whether what a store has in memory is still current. Read without a system call.
package struct SharedCounters: Sendable {
    /// What the counters were at one moment, for one process. Two equal stamps: nothing happened between them.
    package struct Stamp: Equatable, Sendable {
        /// The generation of the keybag.
        package let generation: UInt64
        /// How often the home was left or locked completely.
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
