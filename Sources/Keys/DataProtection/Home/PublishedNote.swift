// SPDX-License-Identifier: Apache-2.0

/// What the shared page says about a group in a kernel keyring. It prevents a lock that can't read the keyring from
/// reporting that nothing is left (Documentation/Formats/Keybag.md, `generation`).
struct PublishedNote {
    /// The boot to which it belongs; zero: nothing is recorded.
    var boot: UniqueIdentifier
    /// The user namespace that the keyring belongs to.
    var space: UInt64
    /// The deadline on the boot clock; 0: none.
    var deadline: UInt64

    /// How many user namespaces can be recorded for each role.
    static let limit = 8
    /// No namespace: there were more of them than the page can record.
    static let manySpaces = UInt64.max
    private static let start: UInt = 3584
    private static let size: UInt = 32

    /// The offsets of a note's words in the page.
    static func offsets(_ role: KeyGroup.Role, _ index: Int) -> [UInt] {
        let first = start + size * (UInt(index) + (role == .complete ? 0 : UInt(limit)))
        return (0..<4).map { first + 8 * $0 }
    }

    var words: [UInt64] { [deadline, boot.halves.high, boot.halves.low, space] }

    static func all(_ role: KeyGroup.Role, _ load: (UInt) -> UInt64) -> [PublishedNote] {
        (0..<limit).map { index in
            let words = offsets(role, index).map(load)
            return PublishedNote(
                boot: UniqueIdentifier(high: words[1], low: words[2]), space: words[3], deadline: words[0])
        }
    }

    /// The namespaces of the notes that may still be true.
    static func live(_ role: KeyGroup.Role, now: BootInstant, _ load: (UInt) -> UInt64) -> Set<UInt64> {
        Set(all(role, load).filter { $0.isLive(now) }.map(\.space))
    }

    func isLive(_ now: BootInstant) -> Bool {
        guard boot != BootInstant.unknownStart else { return false }
        guard now.isKnown else { return true }
        return boot == now.start && (deadline == 0 || now.nanoseconds < deadline)
    }
}
