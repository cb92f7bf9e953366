// SPDX-License-Identifier: Apache-2.0

/// Tells a screen that is left from one whose leaving was called off: a back-swipe or the drag of a sheet that the user doesn't finish
/// begins like one that is finished.
///
/// What destroys waits for the end of the transition; what only masks doesn't.
public struct LeavingState: Sendable {
    /// What the system says of a screen; `reason` is what its controllers say at that moment: left, covered or hidden.
    public enum Step: Sendable, Equatable {
        /// It may disappear.
        case willDisappear(ClearingEvent)
        /// It has disappeared.
        case didDisappear(ClearingEvent)
        /// It has appeared, or stayed after all.
        case didAppear
    }

    /// What to do with its content.
    public enum Answer: Sendable, Equatable {
        /// Show it no longer in clear; keep it.
        case mask
        /// Tell it what happened.
        case tell(ClearingEvent)
    }

    private var announced: ClearingEvent?

    /// A screen that is seen.
    public init() {}

    /// What follows from `step`.
    public mutating func handle(_ step: Step) -> Answer {
        switch step {
        case .willDisappear(let reason):
            announced = reason
            return .mask
        case .didDisappear(let reason):
            // A controller may know less at the end than at the beginning: the graver of the two reasons stands.
            let reasons = [announced, reason]
            announced = nil
            return .tell([ClearingEvent.left, .covered].first(where: reasons.contains) ?? .hidden)
        case .didAppear:
            announced = nil
            return .tell(.shown)
        }
    }
}
