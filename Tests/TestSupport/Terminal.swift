// SPDX-License-Identifier: Apache-2.0

import CTestSupport
package import Foundation

/// A pseudo terminal, seen from where the person sits.
package final class Terminal {
    package struct Failure: Error, CustomStringConvertible {
        package let description: String
    }

    /// What a program opens as its terminal.
    package let path: String
    private let outer: Int32
    private var shown: [UInt8] = []

    package init() throws {
        var name = [CChar](repeating: 0, count: 256)
        outer = unsafe tools_open_terminal(&name, name.count, 0, 0)
        guard outer >= 0 else { throw Failure(description: "no pseudo terminal: error \(-outer)") }
        path = String(decoding: name.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
    }

    deinit { close(outer) }

    /// Whether it shows what is typed.
    package var echoes: Bool { tools_terminal_echoes(outer) == 1 }

    /// How many bytes were typed that no program has read.
    package var waiting: Int32 { unsafe tools_terminal_waiting(path) }

    /// As any process of another session may set it.
    package var settings: termios {
        get {
            withInner { inner in
                var settings = termios()
                _ = unsafe tcgetattr(inner, &settings)
                return settings
            }
        }
        set {
            withInner { inner in
                var settings = newValue
                _ = unsafe tcsetattr(inner, TCSANOW, &settings)
            }
        }
    }

    /// Has it take no more output, from any process.
    package func stopOutput() { _ = withInner { tcflow($0, TCOOFF) } }

    private func withInner<R>(_ body: (Int32) -> R) -> R {
        let inner = unsafe open(path, O_RDWR | O_NOCTTY | O_CLOEXEC)
        defer { close(inner) }
        return body(inner)
    }

    /// Everything that it has shown since the last call that waited.
    package var screen: String { String(decoding: shown, as: UTF8.self) }

    package func type(_ text: String) throws { try type(Array(text.utf8)) }

    package func type(_ bytes: [UInt8]) throws {
        guard unsafe write(outer, bytes, bytes.count) == bytes.count else { throw Failure(description: "can't type") }
    }

    /// Waits until it shows `text`, and forgets everything up to there.
    package func wait(for text: String) throws {
        while true {
            if let found = screen.range(of: text) {
                shown = Array(screen[found.upperBound...].utf8)
                return
            }
            try read()
        }
    }

    /// Takes in what is shown by now.
    package func look() throws {
        var state = pollfd(fd: outer, events: Int16(POLLIN), revents: 0)
        while unsafe poll(&state, 1, 0) > 0, Int32(state.revents) & POLLIN != 0 { try read() }
    }

    private func read() throws {
        var state = pollfd(fd: outer, events: Int16(POLLIN), revents: 0)
        guard unsafe poll(&state, 1, 300_000) > 0 else { throw Failure(description: "shows only “\(screen)”") }
        var bytes = [UInt8](repeating: 0, count: 4096)
        let count = unsafe Foundation.read(outer, &bytes, bytes.count)
        guard count > 0 else { throw Failure(description: "closed after “\(screen)”") }
        shown += bytes.prefix(count)
    }
}

/// Settings that a terminal may have been left with, each of which changes what is typed or what a key does.
package enum OddSettings: CaseIterable, Sendable {
    case editedElsewhere, sevenBits, lowerCase, marksErrors, returnForLineFeed, ignoresReturn, keepsReturn, endsAtLetter
    case raw, withoutSignals, keysAreLetters, keysAreReturn, keysAreLineFeed, withoutInterrupt

    private static let keys = [
        VINTR, VQUIT, VSUSP, VSTART, VSTOP, VERASE, VKILL, VEOF, VWERASE, VLNEXT, VREPRINT, VDISCARD,
    ]

    package func set(_ settings: inout termios) {
        switch self {
        case .editedElsewhere: settings.c_lflag |= tcflag_t(EXTPROC)
        case .sevenBits: settings.c_iflag |= tcflag_t(ISTRIP)
        case .lowerCase: settings.c_iflag |= tcflag_t(IUCLC)
        case .marksErrors: settings.c_iflag |= tcflag_t(PARMRK)
        case .returnForLineFeed: settings.c_iflag |= tcflag_t(INLCR)
        case .ignoresReturn: settings.c_iflag |= tcflag_t(IGNCR)
        case .keepsReturn: settings.c_iflag &= ~tcflag_t(ICRNL)
        case .endsAtLetter:
            settings.set(VEOL, to: "s")
            settings.set(VEOL2, to: "s")
        case .raw: unsafe cfmakeraw(&settings)
        case .withoutSignals: settings.c_lflag &= ~tcflag_t(ISIG)
        case .keysAreLetters: for key in Self.keys { settings.set(key, to: "s") }
        case .keysAreReturn: for key in Self.keys + [VEOL, VEOL2] { settings.set(key, to: "\r") }
        case .keysAreLineFeed: for key in Self.keys + [VEOL, VEOL2] { settings.set(key, to: "\n") }
        case .withoutInterrupt: settings.set(VINTR, to: "\0")
        }
    }
}

extension termios {
    fileprivate mutating func set(_ key: Int32, to letter: Unicode.Scalar) {
        unsafe withUnsafeMutableBytes(of: &c_cc) { keys in
            unsafe keys[Int(key)] = UInt8(truncatingIfNeeded: letter.value)
        }
    }

    /// Whether input, output and keys are set as in `other`.
    package func isSet(as other: termios) -> Bool {
        let keys = unsafe withUnsafeBytes(of: c_cc) { unsafe Array($0) }
        return keys == (unsafe withUnsafeBytes(of: other.c_cc) { unsafe Array($0) }) && c_iflag == other.c_iflag
            && c_oflag == other.c_oflag && c_lflag == other.c_lflag
    }
}
