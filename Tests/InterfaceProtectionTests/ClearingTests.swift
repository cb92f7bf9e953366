// SPDX-License-Identifier: Apache-2.0

import InterfaceProtection
import Testing

@Suite("Clearing")
struct ClearingTests {
    let start = ContinuousClock.Instant.now

    // Rule: leaving a screen for good clears its fields | only masked | also "holds the password nowhere after the screen was left" (found in the
    //   memory of the process)
    @Test(
        "does by default what people expect of a password field",
        arguments: [
            (ClearingEvent.submitted, ClearingState.Action.clear), (.left, .clear), (.covered, .clear),
            (.hidden, .mask),
            (.shown, .none), (.backgrounded, .mask), (.foregrounded, .none), (.userChanged, .clear), (.locked, .clear),
        ])
    func standard(event: ClearingEvent, action: ClearingState.Action) {
        var state = ClearingState()
        #expect(state.handle(event, at: start) == action)
    }

    @Test(
        "keeps what another tab hides for 60 s, and not a moment longer",
        arguments: [
            (0, ClearingState.Action.none), (59, .none), (60, .clear), (61, .clear),
        ])
    func tabSwitch(seconds: Int, action: ClearingState.Action) {
        var state = ClearingState()
        _ = state.handle(.hidden, at: start)
        #expect(state.deadline == start + .seconds(60))
        #expect(state.handle(.shown, at: start + .seconds(seconds)) == action)
        #expect(state.deadline == nil)
    }

    // Rule: a repeated event prolongs nothing | the later time taken
    @Test("counts the shorter of two times, and a repeated event prolongs nothing")
    func deadlines() {
        let policy = ClearingPolicy(hidden: .clearAfter(.seconds(60)), backgrounded: .clearAfter(.seconds(10)))
        var state = ClearingState(policy: policy)
        _ = state.handle(.hidden, at: start)
        _ = state.handle(.hidden, at: start + .seconds(30))
        #expect(state.deadline == start + .seconds(60))
        _ = state.handle(.backgrounded, at: start + .seconds(40))
        #expect(state.deadline == start + .seconds(50))
        #expect(state.handle(.foregrounded, at: start + .seconds(45)) == .none)
        #expect(state.deadline == start + .seconds(60))
        #expect(!state.isDue(after: .seconds(59), from: start))
        #expect(state.isDue(after: .seconds(60), from: start))
    }

    // Rule: a lock and a change of user clear, whatever the policy | only masked | also "is cleared with all others …", "tells secrets of a lock"
    @Test(
        "clears at once on a change of user or a lock, whatever the policy",
        arguments: [ClearingEvent.userChanged, .locked])
    func atOnce(event: ClearingEvent) {
        let keep = ClearingPolicy(submitted: .keep, left: .keep, covered: .keep, hidden: .keep, backgrounded: .keep)
        var state = ClearingState(policy: keep)
        #expect(state.handle(.left, at: start) == .mask)
        #expect(state.handle(event, at: start) == .clear)
    }

    @Test("with the strict policy clears on everything that takes the user away")
    func strict() {
        for event in [ClearingEvent.submitted, .left, .covered, .hidden, .backgrounded] {
            var state = ClearingState(policy: .strict)
            #expect(state.handle(event, at: start) == .clear)
        }
    }

    @Test("reaches every living screen and field, and keeps none alive")
    func contents() {
        let contents = ConfidentialContents()
        let log = Log()
        let screen = ConfidentialScreen(in: contents) { log.add("\($0)") }
        var other: ConfidentialScreen? = ConfidentialScreen(in: contents) { log.add("other \($0)") }
        weak let weakOther = other
        contents.maskAll()
        #expect(log.lines == ["mask", "other mask"])
        other = nil
        #expect(weakOther == nil)
        contents.handle(.hidden, at: start)
        #expect(contents.deadline == start + .seconds(60))
        contents.expire(at: start + .seconds(59))
        contents.expire(at: start + .seconds(60))
        #expect(log.lines == ["mask", "other mask", "mask", "clear"])
        #expect(screen.deadline == nil)
    }
}

extension ClearingState {
    fileprivate func isDue(after time: Duration, from start: ContinuousClock.Instant) -> Bool {
        var copy = self
        return copy.expire(at: start + time)
    }
}
