// SPDX-License-Identifier: Apache-2.0

import InterfaceProtection
public import SecretMemory

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// A copy in progress, with its own text in Base64 to recognize it.
struct ClipboardState {
    enum Step {
        /// Copied; the terminal was asked for the content of its clipboard.
        case asked
        /// The answer was our copy; its time runs.
        case waiting
        /// The time is over; the terminal was asked again.
        case askedAgain
    }
    let ours: Secret
    var step: Step
    var due: ContinuousClock.Instant
}

extension PrivateTerminal {
    private static let answerTime = Duration.milliseconds(300)

    /// Copies `secret` to the user's clipboard, if the policy and the terminal allow it. The outcome follows as an
    /// event `.clipboard`, and again when the copy was cleared. Errors: `.noMemory`.
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

    /// Handles the terminal's report of its clipboard.
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

    /// Ends with the program: clears a copy that is still ours, if the terminal reports its clipboard in time.
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

/// The outcome of a copy. Show each to the user, in the program's own words or with `explanation`.
public enum ClipboardOutcome: Sendable, Equatable {
    /// Copying is off.
    case off
    /// Not copied: tmux or screen would keep it in a buffer of its own, which is never cleared.
    case refused(multiplexer: String)
    /// Copied, and cleared in time if the copy is still ours: this terminal reports the content of its clipboard. If
    /// the program is killed, its supervisor clears the copy (`supervised`). Without a supervisor, or if both are
    /// killed, the copy stays.
    case copied(clearedAfter: Duration)
    /// Copied, and never cleared: this terminal doesn't report the content of its clipboard. Clearing it blindly could
    /// remove what the user has copied since.
    case copiedForGood
    /// The time is over: the copy was still there, and is now cleared.
    case cleared
    /// The time is over: the clipboard now holds something else, which stays there.
    case replaced

    /// The outcome in English.
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
    /// Why a copy must not be tried inside this multiplexer; nil if it may be tried.
    func refusal(in multiplexer: String?) -> ClipboardOutcome? {
        guard isAllowed else { return .off }
        return multiplexer.map { .refused(multiplexer: $0) }
    }
}

/// Encodes a secret in Base64, as a secret.
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

/// The environment variables of this process.
enum ProcessEnvironment {
    static var current: [String: String] { ProcessInfo.processInfo.environment }
}
