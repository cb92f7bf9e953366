// SPDX-License-Identifier: Apache-2.0

import InterfaceProtection
import Testing

@Suite("Leaving a screen")
struct LeavingStateTests {
    @Test(
        "clears at the end of the transition, and only masks at its beginning",
        arguments: [ClearingEvent.left, .covered, .hidden])
    func completed(reason: ClearingEvent) {
        var state = LeavingState()
        #expect(state.handle(.willDisappear(reason)) == .mask)
        #expect(state.handle(.didDisappear(reason)) == .tell(reason))
        #expect(state.handle(.didAppear) == .tell(.shown))
    }

    @Test("clears nothing when the gesture is called off")
    func cancelled() {
        var state = LeavingState()
        var clearing = ClearingState()
        for _ in 0..<3 {
            #expect(state.handle(.willDisappear(.left)) == .mask)
            guard case .tell(let event) = state.handle(.didAppear) else { return #expect(Bool(false)) }
            #expect(clearing.handle(event, at: .now) == .none)
        }
        // What was called off is not remembered: the next end has its own reason.
        #expect(state.handle(.willDisappear(.hidden)) == .mask)
        #expect(state.handle(.didDisappear(.hidden)) == .tell(.hidden))
    }

    @Test("goes by the graver reason when the end knows less than the beginning")
    func graver() {
        for (first, second, result) in [
            (ClearingEvent.left, ClearingEvent.hidden, ClearingEvent.left), (.hidden, .left, .left),
            (.covered, .hidden, .covered), (.covered, .left, .left),
        ] {
            var state = LeavingState()
            _ = state.handle(.willDisappear(first))
            #expect(state.handle(.didDisappear(second)) == .tell(result))
        }
        var sudden = LeavingState()
        #expect(sudden.handle(.didDisappear(.hidden)) == .tell(.hidden))
    }
}
