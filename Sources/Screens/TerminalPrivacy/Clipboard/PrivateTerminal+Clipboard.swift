// SPDX-License-Identifier: Apache-2.0

import InterfaceProtection
public import SecretMemory

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// A copy that is under way, and its own text in Base64, to recognize it by.
struct ClipboardState {
    enum Step {
        /// Copied; the terminal was asked what its clipboard holds.
        case asked
        /// It answered with our copy; its time runs.
        case waiting
        /// The time is over; it was asked again.
        case askedAgain
    }
    let ours: Secret
    var step: Step
    var due: ContinuousClock.Instant
}

extension PrivateTerminal {
    private static let answerTime = Duration.milliseconds(300)

    /// Copies `secret` to the user's clipboard, if the policy and the terminal allow it. What became of it follows as an event
    /// `.clipboard`, and once more when it was cleared. Errors: `.noMemory`.
    public func copy(_ secret: Secret) throws(TerminalError) {
        if let refusal = policy.clipboard.refusal(in: multiplexer) {
            events.append(.clipboard(refusal))
            return
        }
        do {
            let ours = Secret(try Base64.encode(secret))
            device.entrust(ours)
            device.write("\u{1B}]52;c;")
            try ours.withSecretBytes { try device.write($0) }
            device.write("\u{07}")
            clipboard = ClipboardState(ours: ours, step: .asked, due: .now + Self.answerTime)
            askForClipboard()
        } catch {
            throw TerminalError(.noMemory, "no memory for the copy")
        }
    }

    private func askForClipboard() { device.write("\u{1B}]52;c;?\u{07}") }

    /// The terminal reported what its clipboard holds.
    func noteClipboard(_ content: Secret) {
        guard var state = clipboard else { return }
        let isOurs = (try? content.isEqual(to: state.ours)) ?? false
        switch state.step {
        case .asked where isOurs:
            state.step = .waiting
            state.due = .now + policy.clipboard.clearsAfter
            clipboard = state
            events.append(.clipboard(.copied(clearedAfter: policy.clipboard.clearsAfter)))
        case .askedAgain:
            if isOurs { device.write("\u{1B}]52;c;\u{07}") }
            clipboard = nil
            events.append(.clipboard(isOurs ? .cleared : .replaced))
        case .asked, .waiting: break
        }
    }

    /// The program ends: a copy that is still ours is cleared now, if the terminal says in time what its clipboard holds.
    func endClipboard() {
        guard clipboard != nil else { return }
        askForClipboard()
        let end = ContinuousClock.now + Self.answerTime
        clipboard?.step = .askedAgain
        while clipboard != nil, ContinuousClock.now < end {
            guard let wakeup = try? device.wait(end - .now), wakeup.contains(.input), let bytes = try? device.read(),
                let inputs = try? bytes.withBytes({ try parser.parse(Span(_bytes: $0)) })
            else { continue }
            for case .clipboard(let content) in inputs { noteClipboard(content) }
        }
    }

    func seeToClipboard(at now: ContinuousClock.Instant) throws(TerminalError) {
        guard var state = clipboard, now >= state.due else { return }
        switch state.step {
        case .asked, .askedAgain:
            clipboard = nil
            events.append(.clipboard(.copiedForGood))
        case .waiting:
            state.step = .askedAgain
            state.due = now + Self.answerTime
            clipboard = state
            askForClipboard()
        }
    }
}

/// What became of a copy. Show each to the user, in the program's words or by `explanation`.
public enum ClipboardOutcome: Sendable, Equatable {
    /// Copying is off.
    case off
    /// Not copied: tmux or screen would keep it in a buffer of its own, which nobody clears.
    case refused(multiplexer: String)
    /// Copied. This terminal shows what its clipboard holds, so that the copy is cleared in time, if it is still ours; when the program is
    /// killed, by its supervisor (`supervised`). Without one, or where both are killed, it stays.
    case copied(clearedAfter: Duration)
    /// Copied, and never cleared: this terminal doesn't show what its clipboard holds, and to clear it blindly could take away
    /// what the user has copied since.
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

/// Base64 from secret to secret.
enum Base64 {
    private static let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)

    static func encode(_ secret: Secret) throws -> SecretBytes {
        try secret.withBytes { span in
            let bytes = Span<UInt8>(_bytes: span)
            return try SecretBytes(count: (bytes.count + 2) / 3 * 4) { text in
                for group in 0..<(bytes.count + 2) / 3 {
                    var bits: UInt32 = 0
                    for offset in 0..<3 {
                        let index = group * 3 + offset
                        bits = bits << 8 | (index < bytes.count ? UInt32(bytes[index]) : 0)
                    }
                    for place in 0..<4 {
                        let isPadding = group * 3 + place > bytes.count
                        let character =
                            isPadding ? UInt8(ascii: "=") : alphabet[Int(bits >> UInt32(18 - 6 * place) & 63)]
                        text.storeBytes(of: character, toByteOffset: group * 4 + place, as: UInt8.self)
                    }
                }
            }
        }
    }
}

/// The variables of this process.
enum ProcessEnvironment {
    static var current: [String: String] { ProcessInfo.processInfo.environment }
}
