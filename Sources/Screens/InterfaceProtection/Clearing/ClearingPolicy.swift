// SPDX-License-Identifier: Apache-2.0

/// When confidential content on a screen, or behind one, is cleared.
///
/// A change of user and a lock always clear it at once, under any policy.
public struct ClearingPolicy: Sendable, Equatable {
    /// What an event does to the content.
    public enum Answer: Sendable, Equatable {
        /// Clears it now.
        case clear
        /// Keeps it, masked, and clears it unless the user is back within this time.
        case clearAfter(Duration)
        /// Keeps it, masked.
        case keep
    }

    /// It was submitted, and accepted.
    public var submitted: Answer
    /// The user left the screen for good: it was popped, dismissed or closed.
    public var left: Answer
    /// The next screen was pushed over it.
    public var covered: Answer
    /// The user looks at another tab, or at a full screen above it. A sheet leaves it where it is.
    public var hidden: Answer
    /// The app went to the background.
    public var backgrounded: Answer

    /// A policy; the defaults are those of `standard`.
    public init(
        submitted: Answer = .clear,
        left: Answer = .clear,
        covered: Answer = .clear,
        hidden: Answer = .clearAfter(.seconds(60)),
        backgrounded: Answer = .clearAfter(.seconds(60))
    ) {
        self.submitted = submitted
        self.left = left
        self.covered = covered
        self.hidden = hidden
        self.backgrounded = backgrounded
    }

    /// Clears content that is submitted, left or covered by the next screen. Keeps it for 60 s behind another tab and
    /// in the background, where people copy a password or read a code.
    public static let standard = ClearingPolicy()

    /// Clears content as soon as it is submitted, left, covered, hidden or in the background.
    public static let strict = ClearingPolicy(hidden: .clear, backgrounded: .clear)
}

/// What happened to a screen or field that affects its content.
public enum ClearingEvent: Sendable, Equatable, CaseIterable {
    /// It was submitted, and accepted.
    case submitted
    /// The user left it for good.
    case left
    /// The next screen was pushed over it.
    case covered
    /// Another tab or a full screen hides it. A sheet doesn't: the screen below stays where it is, and is told nothing.
    case hidden
    /// It is seen again, after `covered` or `hidden`.
    case shown
    /// The app went to the background.
    case backgrounded
    /// The app is back in the foreground.
    case foregrounded
    /// Another user has taken over.
    case userChanged
    /// The app or the device was locked.
    case locked
}
