// SPDX-License-Identifier: Apache-2.0

public import InterfaceProtection

/// How a terminal program protects its content.
public struct TerminalPolicy: Sendable {
    /// When to cover and lock. "In the background" means without focus, stopped, or idle for too long. Of a stop by a
    /// signal only the end is known: it counts from the moment when the program last ran, up to 15 s before.
    public var screen: PrivacyScreen.Policy
    /// Cover after this long without a key, with focus or without; 60 s by default; zero or less counts as 1 s.
    /// Nothing else protects the screen when the user walks away from a window that keeps its focus, or from a terminal
    /// that never reports it.
    public var coversAfterInactivity: Duration
    /// Lock after this long without a key, with focus or without; nil: never; zero or less counts as 1 s.
    public var locksAfterInactivity: Duration?
    /// Whether secrets may be copied; off by default.
    public var clipboard: ClipboardPolicy
    /// What to do in a terminal that keeps lines scrolled off its screen.
    public var scrollback: ScrollbackPolicy
    /// The program's name, shown on the cover.
    public var title: String
    /// Draws the cover in place of the default one; it must show nothing confidential.
    public var cover: (@Sendable (inout Canvas, CoverReason) -> Void)?

    /// A policy. By default it covers, refuses a terminal that keeps what is drawn, and never locks: set
    /// `locksAfterInactivity`, or `locksAfter` of `screen`, for that.
    public init(
        screen: PrivacyScreen.Policy = .standard,
        coversAfterInactivity: Duration = .seconds(60),
        locksAfterInactivity: Duration? = nil,
        clipboard: ClipboardPolicy = .off,
        scrollback: ScrollbackPolicy = .refuse,
        title: String = "",
        cover: (@Sendable (inout Canvas, CoverReason) -> Void)? = nil
    ) {
        self.screen = screen
        self.coversAfterInactivity = coversAfterInactivity
        self.locksAfterInactivity = locksAfterInactivity
        self.clipboard = clipboard
        self.scrollback = scrollback
        self.title = title
        self.cover = cover
    }
}

/// What to do in a terminal without an alternate screen, or with it switched off, as in GNU screen unless `altscreen`
/// is on. There drawn content scrolls into the terminal's scrollback at each change of size. The terminal is asked; its
/// name isn't trusted.
public enum ScrollbackPolicy: Sendable, Equatable {
    /// The program doesn't start there: `.noOtherScreen`.
    case refuse
    /// The program starts. After each change of size and at its end it erases what it has drawn and the terminal's
    /// whole scrollback (`CSI 3 J`). Some terminals can't erase it. `PrivateTerminal.keepsScrollback` shows that
    /// erasing is tried: warn the user then.
    case erase
}

/// Why the screen is covered.
public enum CoverReason: Sendable, Equatable {
    /// The terminal lost its focus.
    case focus
    /// The program was stopped and continues.
    case stopped
    /// No key was pressed for a while.
    case inactivity
    /// The program requested it.
    case request

    /// The text of the default cover.
    public var explanation: String {
        switch self {
        case .focus, .request: "Hidden while you are away."
        case .stopped: "Hidden since the program was stopped."
        case .inactivity: "Hidden since no key was pressed."
        }
    }
}
