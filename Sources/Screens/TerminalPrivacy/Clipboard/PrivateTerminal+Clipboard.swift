// SPDX-License-Identifier: Apache-2.0

import InterfaceProtection
public import SecretMemory

/// A copy that is under way, and its own text in Base64 to know it again.
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

    /// The terminal told what its clipboard holds.
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
