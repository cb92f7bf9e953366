// SPDX-License-Identifier: Apache-2.0

import InterfaceProtection

/// What became of a copy. Each has to be told to the user, in the program's words or by `explanation`.
public enum ClipboardOutcome: Sendable, Equatable {
    /// Copying is off.
    case off
    /// Not copied: tmux or screen would keep it in a buffer of its own, which nobody clears.
    case refused(multiplexer: String)
    /// Copied. This terminal shows what its clipboard holds, so that the copy is cleared in time, if it is still ours; when the program is
    /// killed, by its supervisor (`supervised`). Without one, or where both are killed, it stays.
    case copied(clearedAfter: Duration)
    /// Copied, and never cleared: this terminal doesn't show what its clipboard holds, and to clear it blindly could take away
    /// what the user copied since.
    case copiedForGood
    /// The time is over: the copy was still there, and is gone.
    case cleared
    /// The time is over: something else is in the clipboard now, and stays there.
    case replaced

    /// In English.
    public var explanation: String {
        switch self {
        case .off: "Copying is switched off."
        case .refused(let multiplexer): "Not copied: \(multiplexer) would keep it in its own buffer."
        case .copied(let time):
            "Copied; cleared after \(time.components.seconds) s, or when the program ends"
                + (isSupervised ? "." : ", unless it is killed.")
        case .copiedForGood:
            "Copied. This terminal does not let us clear it: it stays in the clipboard until you copy something else."
        case .cleared: "The copy was cleared."
        case .replaced: "The clipboard holds something else by now; it was left alone."
        }
    }
}

extension ClipboardPolicy {
    /// Whether a copy is to be tried inside this multiplexer, and if not, why.
    func refusal(in multiplexer: String?) -> ClipboardOutcome? {
        guard isAllowed else { return .off }
        return multiplexer.map { .refused(multiplexer: $0) }
    }
}
