// SPDX-License-Identifier: Apache-2.0

import SecretMemory

/// One key, as the terminal tells it.
public enum Key: Sendable, Hashable {
    /// A character, one code point at a time.
    case character(Unicode.Scalar)
    /// Control and a letter, in lower case.
    case control(Unicode.Scalar)
    /// The return key.
    case enter
    /// The tabulator.
    case tab
    /// Shift and tabulator.
    case backTab
    /// Deletes to the left.
    case backspace
    /// Deletes to the right.
    case delete
    /// Escape.
    case escape
    /// The arrows.
    case up, down, left, right
    /// The keys that go further.
    case home, end, pageUp, pageDown
    /// A key that has no name here.
    case other
}

/// What a terminal sends.
enum TerminalInput: Sendable {
    case key(Key)
    case focus(Bool)
    /// What was pasted, of at most 64 KiB.
    case paste(Secret)
    /// The clipboard's content in Base64, asked for before.
    case clipboard(Secret)
    /// Where the cursor is, asked for before; counted from 1.
    case cursor(row: Int, column: Int)
}
