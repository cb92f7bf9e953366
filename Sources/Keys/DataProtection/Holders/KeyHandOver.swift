// SPDX-License-Identifier: Apache-2.0

import Files
import Sealing
import SecretMemory

/// Keys that a process hands over to the programs it starts, for `zamok run`. Used where no kernel keyring keeps the
/// keys, or where an unlock is to apply to these programs only.
///
/// The keys are in a memory file that no other process can change, wrapped under a key in two halves. One half is in
/// the file. The other is in the home, where each lock replaces it. The groups that a lock makes void can't be
/// unwrapped any more. This holds even if the process that handed the keys over was killed before.
///
/// A program is unlocked if it inherits ``descriptor`` and finds its number in the environment variable ``variable``.
/// So are the programs that it starts. A lock by any process takes effect in all of them from their next call on.
///
/// Keep this object until the programs have ended: the file is wiped when this object is freed, and when the keys
/// become void.
public final class KeyHandOver: Sendable {
    /// The environment variable that contains the number of the descriptor, and nothing else.
    public static let variable = "ZAMOK_KEYS"

    /// The descriptor of the file. Programs must inherit it under this number. It is not close-on-exec.
    public var descriptor: Int32 { file.number }
    /// The environment variable to set for the programs.
    public var environment: (name: String, value: String) { (Self.variable, "\(descriptor)") }

    private let file: OpenFile
    private let mapping: WipedMapping

    /// Writes the groups. Wipes each group when it becomes void.
    init(_ groups: [KeyGroup], process: HomeProcess, place: KeybagLocation) throws {
        let locks = RuntimeLocks(location: HomeLocation(environment: place.environment, files: place.folder.files))
        let runtime = locks.prepare()
        var header = HandOverHeader(
            half: LockToken.random().bytes, runtimePath: runtime == nil ? nil : locks.location.runtimePath())
        header.parts = groups.map { HandOverPart($0.validity.role, HandOverPart.size(of: $0.payload.count)) }
        var file = header.bytes
        var places: [GroupRange] = []
        for group in groups {
            let role = group.validity.role
            // The tokens are read before the check: if a lock comes in between, no process can open what is written.
            let key = try header.key(group.validity.home, role: role, tokens: process.tokens(role, runtime))
            guard process.isGood(group.validity) else { continue }
            let wrapped = try HandOverPart.wrap(group.payload, under: key)
            places.append(GroupRange(range: file.count..<file.count + wrapped.count, validity: group.validity))
            file += wrapped
        }
        guard places.count == groups.count else { throw DataProtectionError.nothingToHandOver(place.folder) }
        let files = place.folder.files
        let memory = try files.memoryFile(file)
        mapping = try WipedMapping(memory, count: file.count)
        try files.sealForOwner(memory)
        self.file = memory
        watch(places, process)
    }

    private struct GroupRange {
        let range: Range<Int>
        let validity: KeyGroup.Validity
    }

    /// Wipes each group once it is void. A lock leaves the first-unlock group.
    private func watch(_ places: [GroupRange], _ process: HomeProcess) {
        let page = process.page
        _ = ThisProcess.startThread { [weak self] in
            var good = places
            while !good.isEmpty {
                let bell = page.bell
                // Not referenced while waiting: the keys are wiped with the last reference.
                guard let void = self?.wipe(good, process) else { return }
                good.removeAll { place in void.contains { $0.range == place.range } }
                page.wait(while: bell, nanoseconds: 900_000_000)
            }
        }
    }

    private func wipe(_ places: [GroupRange], _ process: HomeProcess) -> [GroupRange] {
        let void = places.filter { !process.isGood($0.validity) }
        for place in void { mapping.wipe(place.range) }
        return void
    }
}

extension Keybag {
    /// The current keys, for programs that this process starts. Nil for a home without a passcode, which needs none.
    ///
    /// Errors: `.locked`, `.notAvailable` (the system has no memory files), `.damaged` and the like, `.forked`.
    public func handOver() throws(DataProtectionError) -> KeyHandOver? {
        try mapping {
            let view = try view()
            guard view.file.hasPasscode else { return nil }
            let groups = try [KeyGroup.Role.firstUnlock, .complete].compactMap { try group($0, view) }
            guard groups.count == 2 else { throw DataProtectionError.nothingToHandOver(place.folder) }
            return try KeyHandOver(groups, process: process, place: place)
        }
    }

    /// Takes the keys that the parent process handed over, at the start of a program.
    func takeInheritedKeys() {
        guard let number = place.environment(KeyHandOver.variable).flatMap({ Int32($0) }), number > 2,
            let file = try? InheritedDescriptor(number).read(limit: HandOverHeader.fileLimit)
        else { return }
        for group in handedOver(file) { process.publish(group) }
    }

    /// The groups in a memory file. Groups of another home, or that are no longer valid, count as absent.
    func handedOver(_ file: [UInt8]) -> [KeyGroup] {
        guard let header = HandOverHeader(parsing: file), let keybag = try? view().file else { return [] }
        let runtime = header.runtimePath.flatMap { path in
            RuntimeLocks(
                location: HomeLocation(
                    environment: { $0 == "XDG_RUNTIME_DIR" ? path : nil }, files: place.folder.files)
            ).read()
        }
        var offset = header.bytes.count
        return header.parts.compactMap { part in
            defer { offset += part.size }
            // Checked after the group is opened, so that a lock in between is noticed.
            guard let key = try? header.key(home, role: part.role, tokens: process.tokens(part.role, runtime)),
                let payload = try? HandOverPart.unwrap(Array(file[offset..<offset + part.size]), under: key),
                let group = try? KeyGroup.parse(payload), group.validity.home == home,
                group.validity.role == part.role, process.isGood(group.validity), (try? group.fits(keybag)) == true
            else { return nil }
            return group
        }
    }
}

extension DataProtectionError {
    fileprivate static func nothingToHandOver(_ folder: HomeFolder) -> DataProtectionError {
        DataProtectionError(.locked, "locked: there are no keys to hand over; run: \(folder.command("unlock"))")
    }
}

/// The header before the wrapped groups of a memory file (Documentation/Formats/Keybag.md, "Handed over").
struct HandOverHeader {
    private static let magic = Array("zkh1".utf8)
    private static let pathLimit = 4096
    static let fileLimit = 2 * HandOverPart.size(of: KeyGroup.sizeLimit) + 64 + pathLimit

    /// One half of the key that the groups are wrapped under.
    let half: [UInt8]
    /// The runtime folder that contains a part of the other half; nil: all of it is in the home.
    let runtimePath: String?
    var parts: [HandOverPart] = []

    init(half: [UInt8], runtimePath: String?) {
        self.half = half
        self.runtimePath = runtimePath
    }

    /// Nil if `file` is not a whole memory file.
    init?(parsing file: [UInt8]) {
        var reader = ByteReader(file)
        do {
            guard try reader.read(4) == Self.magic else { return nil }
            let length = Int(try reader.integer(UInt16.self))
            let count = Int(try reader.integer(UInt16.self))
            guard length <= Self.pathLimit, count <= 2 else { return nil }
            self.init(
                half: try reader.read(LockToken.size),
                runtimePath: length == 0 ? nil : String(decoding: try reader.read(length), as: UTF8.self))
            for _ in 0..<count {
                guard let role = KeyGroup.Role(rawValue: UInt8(clamping: try reader.integer(UInt32.self))),
                    role != .device
                else { return nil }
                parts.append(HandOverPart(role, Int(try reader.integer(UInt32.self))))
            }
        } catch {
            return nil
        }
        guard parts.allSatisfy({ $0.size <= file.count }),
            bytes.count + parts.reduce(0, { $0 + $1.size }) == file.count
        else { return nil }
    }

    var bytes: [UInt8] {
        var writer = ByteWriter()
        let path = Array((runtimePath ?? "").utf8)
        writer.append(Self.magic)
        writer.integer(UInt16(clamping: path.count))
        writer.integer(UInt16(clamping: parts.count))
        writer.append(half + path)
        for part in parts {
            writer.integer(UInt32(part.role.rawValue))
            writer.integer(UInt32(clamping: part.size))
        }
        return writer.bytes
    }

    /// The key that a group is wrapped under while these tokens are current.
    func key(_ home: UniqueIdentifier, role: KeyGroup.Role, tokens: [UInt8]) throws -> SecretBytes {
        try KeyDerivation.derive(
            from: try SecretBytes(copying: half + tokens), salt: home.bytes, label: .handOver,
            context: [role.rawValue])
    }
}

/// The role and the wrapped size of a group.
struct HandOverPart {
    let role: KeyGroup.Role
    let size: Int

    init(_ role: KeyGroup.Role, _ size: Int) {
        self.role = role
        self.size = size
    }

    // In pieces as long as a key: for these, the library is known to leave nothing in freed memory.
    private static let piece = 32
    private static let wrappedPiece = piece + KeyWrap.overhead

    static func size(of count: Int) -> Int { (4 + count + piece - 1) / piece * wrappedPiece }

    /// Wraps the group, preceded by its length in four bytes and padded with 0xFF bytes.
    static func wrap(_ payload: borrowing SecretBytes, under key: borrowing SecretBytes) throws -> [UInt8] {
        let count = payload.count
        let whole = try SecretBytes(count: size(of: count) / wrappedPiece * piece) { span in
            for offset in 0..<span.byteCount { span.storeBytes(of: 0xFF, toByteOffset: offset, as: UInt8.self) }
            span.storeBytes(of: UInt32(count).bigEndian, toByteOffset: 0, as: UInt32.self)
            try payload.copy(into: &span, at: 4)
        }
        var wrapped: [UInt8] = []
        for offset in stride(from: 0, to: whole.count, by: piece) {
            guard let part = try whole.part(offset..<offset + piece) else { throw SealingError.malformed }
            wrapped += try KeyWrap.wrap(part, under: key)
        }
        return wrapped
    }

    static func unwrap(_ wrapped: [UInt8], under key: borrowing SecretBytes) throws -> SecretBytes {
        guard !wrapped.isEmpty, wrapped.count % wrappedPiece == 0 else { throw SealingError.malformed }
        let count = wrapped.count / wrappedPiece
        let whole = try SecretBytes(count: count * piece) { span in
            for index in 0..<count {
                let part = try KeyWrap.unwrap(
                    Array(wrapped[index * wrappedPiece..<(index + 1) * wrappedPiece]), under: key)
                guard part.count == piece else { throw SealingError.malformed }
                try part.copy(into: &span, at: index * piece)
            }
        }
        let length = try whole.withBytes { $0.bigEndian(at: 0, as: UInt32.self) } ?? 0
        guard let payload = try whole.part(4..<4 + Int(length)) else { throw SealingError.malformed }
        return payload
    }
}
