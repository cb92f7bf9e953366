// SPDX-License-Identifier: Apache-2.0

public import InterfaceProtection

/// How a terminal program protects what it shows.
public struct TerminalPolicy: Sendable {
    /// When to cover and lock. "In the background" is: without focus, stopped, or left alone too long.
    public var screen: PrivacyScreen.Policy
    /// Cover after this long without a key, with focus or without: nothing else protects the screen of a user who walks away from a window that
    /// keeps its focus, or from a terminal that never reports it. 60 s by default.
    public var coversAfterInactivity: Duration
    /// Lock after this long without a key, with focus or without; nil: never.
    public var locksAfterInactivity: Duration?
    /// Whether secrets may be copied; by default they may not.
    public var clipboard: ClipboardPolicy
    /// What to do in a terminal that keeps what scrolls off its screen.
    public var scrollback: ScrollbackPolicy
    /// The program's name, on the cover.
    public var title: String
    /// Draws the cover in place of the usual one; it must show nothing confidential.
    public var cover: (@Sendable (inout Canvas, CoverReason) -> Void)?

    /// A policy; all parts have their safest values unless they are given others.
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

/// What to do in a terminal without another screen, or one where that is switched off, as in GNU screen unless `altscreen` is on: what is
/// drawn there scrolls into what the terminal keeps, with each change of size. The terminal is asked; its name isn't trusted.
public enum ScrollbackPolicy: Sendable, Equatable {
    /// The program doesn't start there: `.noOtherScreen`.
    case refuse
    /// The program starts, and erases what it has drawn, and all that the terminal keeps above it, after each change of size and at its end
    /// (`CSI 3 J`). Of some terminals nothing can be erased: `PrivateTerminal.keepsScrollback` says that it is tried; warn the user.
    case erase
}

/// Why the screen is covered.
public enum CoverReason: Sendable, Equatable {
    /// The terminal lost its focus.
    case focus
    /// The program was stopped and goes on.
    case stopped
    /// Nobody pressed a key for a while.
    case inactivity
    /// The program asked for it.
    case request

    /// What the usual cover says.
    public var explanation: String {
        switch self {
        case .focus, .request: "Hidden while you are away."
        case .stopped: "Hidden since the program was stopped."
        case .inactivity: "Hidden since no key was pressed."
        }
    }
}
