// SPDX-License-Identifier: Apache-2.0

import SecretMemory

/// Keys that a process hands to the programs it starts, for `zamok run`: where no kernel keyring keeps them, or where an unlock shall
/// hold for these programs only.
///
/// They lie in a memory file that nobody else can change. A program that inherits ``descriptor``, and finds its number in the environment
/// as ``variable`` says, is unlocked; so are the programs that it starts. A lock, by whatever process, binds them all from their next call on and
/// wipes the memory file. Keep this object until the programs have ended: the file is wiped with it.
public final class KeyHandOver: Sendable {
    /// The environment variable that holds the number of the descriptor, and nothing else.
    public static let variable = "ZAMOK_KEYS"

    /// To be inherited under this very number; it is not close-on-exec.
    public var descriptor: Int32 { file.number }
    /// The environment variable to set for the programs.
    public var environment: (name: String, value: String) { (Self.variable, "\(descriptor)") }

    private let file: Descriptor
    private let mapping: WipedMapping

    /// Writes the groups; wipes them when one of them is void.
    init(_ groups: [KeyGroup], _ process: HomeProcess, _ files: FileSystem) throws {
        var places: [Place] = []
        var size = 0
        for group in groups {
            places.append(Place(range: size + 4..<size + 4 + group.payload.count, validity: group.validity))
            size += 4 + group.payload.count
        }
        let payload = try SecretBytes(count: size) { span in
            for (group, place) in zip(groups, places) {
                let length = UInt32(place.range.count).bigEndian
                span.storeBytes(of: length, toByteOffset: place.range.lowerBound - 4, as: UInt32.self)
                try group.payload.copy(into: &span, at: place.range.lowerBound)
            }
        }
        let file = try files.memoryFile(payload)
        mapping = try WipedMapping(file, count: size)
        try files.sealForOwner(file)
        self.file = file
        watch(places, process)
    }

    private struct Place {
        let range: Range<Int>
        let validity: KeyGroup.Validity
    }

    /// Wipes each group once it is void: a lock leaves the first-unlock group.
    private func watch(_ places: [Place], _ process: HomeProcess) {
        let page = process.page
        _ = ThisProcess.startThread { [weak self] in
            var good = places
            while !good.isEmpty {
                let bell = page.bell
                // Not held while waiting: the keys go with the last reference.
                guard let void = self?.wipe(good, process) else { return }
                good.removeAll { place in void.contains { $0.range == place.range } }
                page.wait(while: bell, nanoseconds: 900_000_000)
            }
        }
    }

    private func wipe(_ places: [Place], _ process: HomeProcess) -> [Place] {
        let void = places.filter { !process.isGood($0.validity) }
        for place in void { mapping.wipe(place.range) }
        return void
    }
}

extension Keybag {
    /// The keys that are there now, for programs that this process starts; nil for a home without a passcode, which needs none.
    ///
    /// Errors: `.locked`, `.notAvailable` (the system has no memory files), `.damaged` and the like, `.forked`.
    public func handOver() throws(DataProtectionError) -> KeyHandOver? {
        try door {
            let view = try view()
            guard view.file.hasPasscode else { return nil }
            let groups = try [KeyGroup.Role.firstUnlock, .complete].compactMap { try group($0, view) }
            guard groups.count == 2 else {
                throw DataProtectionError(.locked, "locked: there are no keys to hand over; run: zamok unlock")
            }
            return try KeyHandOver(groups, process, place.folder.files)
        }
    }

    /// At the start of a program: keys that its parent handed over. What isn't of this home, or not good any more, is as if it weren't there.
    func takeInheritedKeys() {
        guard let number = place.environment(KeyHandOver.variable).flatMap({ Int32($0) }), number > 2,
            let payload = try? InheritedDescriptor(number).read(limit: 2 * (4 + KeyGroup.sizeLimit))
        else { return }
        guard let file = try? view().file else { return }
        var offset = 0
        while let size = try? payload.withBytes({ $0.bigEndian(at: offset, as: UInt32.self) }),
            let part = try? payload.part(offset + 4..<offset + 4 + Int(size))
        {
            offset += 4 + Int(size)
            // Wiped only after it went void: what is good after reading was whole while reading.
            guard let group = try? KeyGroup.parse(part), group.validity.home == home, group.validity.role != .device,
                process.isGood(group.validity), (try? group.fits(file)) == true
            else { continue }
            process.publish(group)
        }
    }
}
