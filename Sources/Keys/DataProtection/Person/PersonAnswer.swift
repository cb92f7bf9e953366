// SPDX-License-Identifier: Apache-2.0

import SecretMemory

/// The access-control key that the user's answer to a passcode prompt opened. A lock, a change of the keybag and the
/// end of a timed unlock wipe the key, even if this object is still referenced.
package final class PersonAnswer: Sendable {
    let validity: KeyGroup.Validity
    /// When the user answered, on the boot clock.
    let moment: UInt64
    // Keeps the watcher alive, which wipes the key.
    private let process: HomeProcess
    private let key: Locked<AccessControlKey?>

    init(_ key: AccessControlKey, validity: KeyGroup.Validity, at moment: UInt64, process: HomeProcess) {
        self.key = Locked(key)
        self.validity = validity
        self.moment = moment
        self.process = process
    }

    /// The key, for one operation; nil once it is wiped.
    package var accessControlKey: AccessControlKey? { key.withLock { $0 } }

    /// Whether the answer is still valid.
    var isGood: Bool { process.isGood(validity) && accessControlKey != nil }

    func wipe() { key.withLock { $0 = nil } }
}

/// The answers that a process watches.
struct KeptAnswers: Sendable {
    private struct Kept: Sendable {
        weak var answer: PersonAnswer?
        /// The answer while other contexts can reuse it.
        var lent: PersonAnswer?
        var lentUntil: UInt64 = 0
    }

    private var kept: [Kept] = []

    var isEmpty: Bool { kept.isEmpty }
    mutating func add(_ answer: PersonAnswer, lending window: UInt64) {
        kept.removeAll { $0.answer == nil }
        kept.append(
            Kept(answer: answer, lent: window > 0 ? answer : nil, lentUntil: answer.moment &+ window)
        )
    }

    /// The latest answer that other contexts can reuse and that is younger than `window`.
    func lent(
        _ home: UniqueIdentifier, now: UInt64, within window: UInt64, where isGood: (KeyGroup.Validity) -> Bool
    ) -> PersonAnswer? {
        kept.last { kept in
            guard let answer = kept.lent else { return false }
            return now < kept.lentUntil && now < answer.moment &+ window && answer.validity.home == home
                && isGood(answer.validity)
        }?.lent
    }

    /// Wipes void answers, and ends the reuse of those whose period is over.
    mutating func drop(now: UInt64, where isGood: (KeyGroup.Validity) -> Bool) {
        for index in kept.indices {
            if let answer = kept[index].answer, !isGood(answer.validity) {
                answer.wipe()
                kept[index] = Kept()
            } else if now >= kept[index].lentUntil {
                kept[index].lent = nil
            }
        }
        kept.removeAll { $0.answer == nil }
    }
}
