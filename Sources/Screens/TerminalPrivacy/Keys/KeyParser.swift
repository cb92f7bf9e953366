// SPDX-License-Identifier: Apache-2.0

import Readers
import SecretMemory

/// One key, as the terminal reports it.
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
    /// The keys that move further.
    case home, end, pageUp, pageDown
    /// A key that has no name here.
    case other
}

/// The input from a terminal.
enum TerminalInput: Sendable {
    case key(Key)
    case focus(Bool)
    /// A paste of at most 64 KiB.
    case paste(Secret)
    case pasteRefused(PasteRefusal)
    /// The clipboard's content in Base64, on request.
    case clipboard(Secret)
    /// The cursor's position, on request; counted from 1.
    case cursor(row: Int, column: Int)
}

/// Reads keys, reports and pastes from a terminal's bytes, in pieces of any size. A paste is kept as a
/// secret throughout.
///
/// Memory is bounded: no input makes it keep more than 64 KiB. Time is bounded too: it never waits for an end that
/// doesn't arrive, neither after keys that look like a beginning nor after half a report. It reports changes of focus
/// and Control-C in the middle of any other input but a position of the mouse, where each byte is a value.
struct KeyParser {
    private enum State {
        case ground
        case escape
        /// ESC O.
        case singleShift
        /// ESC [ and what follows.
        case control
        /// ESC [ [: a function key of Linux's console, whose letter follows (F1 to F5, keyboard maps of kbd).
        case consoleKey
        /// A report of the mouse in its oldest forms begins: ESC [ M, then a button, then a position.
        case button
        /// The rest of such a report: two values after ESC [ M and a button (X10) and after ESC [ t, six after ESC [ T
        /// (mode 1001). A value is any byte, or a code point of two (mode 1005). After a value of two bytes, ESC begins
        /// the next sequence: the two were the column and the row of an X10 report. Columns from 224 on are control
        /// characters where a terminal cuts off the higher bits, and NUL in xterm.
        case mouse(rest: Int, isLead: Bool, wasPair: Bool)
        /// Between the marks of a paste. Bytes that no paste contains make it invalid; from then on the parser only
        /// looks for its end. Given up: the end did not come in time and the paste was refused, so what still comes of
        /// it is dropped.
        case paste(matched: Int, isSpoilt: Bool, isGivenUp: Bool)
        /// ESC ] and what follows, up to BEL or ESC \.
        case command(wasEscape: Bool)
        /// A string of another kind (ECMA-48, 8.3): DCS, SOS, PM or APC, that is ESC and P, X, ^ or _, up to ESC \.
        /// Nothing in it is a key.
        case string(introducer: UInt8, isEmpty: Bool, wasEscape: Bool)

        /// Whether anything may follow for long.
        var isString: Bool {
            switch self {
            case .command, .string: true
            default: false
            }
        }

        /// The maximum time for the rest, from the last byte on.
        var patience: Duration? {
            switch self {
            case .ground: nil
            case .escape: .milliseconds(30)
            case .singleShift, .control, .consoleKey, .button, .mouse: .milliseconds(500)
            case .command, .string: KeyParser.stringPatience
            // If the parser gave up too early, the rest of the paste would be read as keys.
            case .paste(_, _, isGivenUp: false): .seconds(3)
            case .paste: KeyParser.restPatience
            }
        }
    }

    static let limit = 65_536
    private static let stringPatience = Duration.seconds(1)
    /// How long the rest of a paste that was given up is waited for, and keys are dropped.
    private static let restPatience = Duration.seconds(30)
    private static let pasteEnd = Array("\u{1B}[201~".utf8)

    private var state = State.ground
    /// The parameters of a control sequence, or the first bytes of a code point.
    private var pending: [UInt8] = []
    /// Whether one control character (C1) began the sequence, in place of ESC and a letter.
    private var isShort = false
    private var parts: [Secret] = []
    private var partsCount = 0
    /// The first three bytes of a command, which name it.
    private var commandStart: [UInt8] = []
    /// When a string that has no end is given up: a second after it began.
    private var stringEnd = ContinuousClock.Instant.now
    /// When ESC was last taken for a key, since nothing followed it in time.
    private var escapedAt: ContinuousClock.Instant?
    /// Whether the sequence continues such an ESC.
    private var isAfterEscape = false
    /// How late the rest of a sequence may come.
    private static let lateness = Duration.milliseconds(500)

    /// The deadline for the rest of an incomplete sequence; nil if there is none.
    private(set) var due: ContinuousClock.Instant?

    /// If the deadline has passed at `now`, reads the incomplete sequence as keys, or drops it.
    mutating func decide(at now: ContinuousClock.Instant = .now) -> [TerminalInput] {
        guard let due, now >= due else { return [] }
        if case .paste(let matched, let isSpoilt, let isGivenUp) = state {
            abandon()
            self.due = nil
            guard !isGivenUp else { return [] }
            // After Control-C, what follows is the user's.
            guard !isSpoilt else { return [.pasteRefused(.interrupted)] }
            state = .paste(matched: matched, isSpoilt: true, isGivenUp: true)
            stringEnd = now + Self.restPatience
            self.due = stringEnd
            return [.pasteRefused(.interrupted)]
        }
        if case .escape = state { escapedAt = now }
        let keys: [Key] =
            switch state {
            case .escape: [.escape]
            case _ where isShort: []
            case .singleShift: [.escape, .character("O")]
            case .control where pending.isEmpty: isAfterEscape ? [.character("[")] : [.escape, .character("[")]
            case .command where partsCount == 0: [.escape, .character("]")]
            case .string(let introducer, isEmpty: true, _): [.escape, .character(Unicode.Scalar(introducer))]
            default: []
            }
        abandon()
        self.due = nil
        return keys.map { .key($0) }
    }

    /// Whether a command begins as the clipboard's content does, as far as it is there.
    private var isClipboard: Bool {
        guard case .command = state else { return false }
        return commandStart == Array("52;".utf8)
    }

    private var isGivenUp: Bool { if case .paste(_, _, isGivenUp: true) = state { true } else { false } }

    private mutating func abandon() {
        (state, pending, parts, partsCount) = (.ground, [], [], 0)
        isAfterEscape = false
    }

    /// A slow connection may deliver ESC, which then counts as a key, and the rest of its sequence later. Read as keys,
    /// the rest of an arrow would be a letter, and a command of the program.
    private mutating func resumeEscape(_ bytes: Span<UInt8>, at now: ContinuousClock.Instant) {
        defer { if bytes.count > 0 { escapedAt = nil } }
        guard let escapedAt, now < escapedAt + Self.lateness, case .ground = state, pending.isEmpty,
            bytes.count > 0, bytes[0] == UInt8(ascii: "[") || Self.isArrow(bytes)
        else { return }
        (state, isAfterEscape) = (.escape, true)
    }

    /// Whether the bytes are the rest of an arrow after ESC O, which arrives in one piece. A typed O arrives alone.
    private static func isArrow(_ bytes: Span<UInt8>) -> Bool {
        bytes.count == 2 && bytes[0] == UInt8(ascii: "O") && cursorKeys[bytes[1]] != nil
    }

    /// The meaning of `bytes`, together with the bytes before.
    mutating func parse(_ bytes: Span<UInt8>, at now: ContinuousClock.Instant = .now) throws -> [TerminalInput] {
        if !state.isString, !isGivenUp { stringEnd = now + Self.stringPatience }
        defer {
            due = state.patience.map { now + $0 }
            // Keys are not to prolong the wait for an end that never comes. A long clipboard may.
            if state.isString, !isClipboard { due = min(now + Self.stringPatience, stringEnd) }
            if case .paste(_, _, isGivenUp: true) = state { due = stringEnd }
        }
        var inputs: [TerminalInput] = []
        resumeEscape(bytes, at: now)
        var start = 0
        for index in bytes.indices {
            let byte = bytes[index]
            switch state {
            case .ground: ground(byte, into: &inputs)
            case .escape: escape(byte, into: &inputs)
            case .singleShift where byte >= 0x20:
                state = .ground
                inputs.append(.key(Self.cursorKeys[byte] ?? .other))
            case .control where byte >= 0x20: control(byte, into: &inputs)
            case .consoleKey where byte >= 0x20:
                state = .ground
                inputs.append(.key(.other))
            case .mouse(_, isLead: true, _) where byte & 0xC0 == 0x80: endMouseValue(isPair: true)
            case .mouse(rest: 0, _, _):
                state = .ground
                ground(byte, into: &inputs)
            case .mouse(_, _, wasPair: true) where byte == 0x1B: (state, isAfterEscape) = (.escape, false)
            case .mouse(let rest, _, _): mouseValue(byte, rest)
            case .button where byte >= 0x20: mouseValue(byte, 3)
            case .singleShift, .control, .consoleKey, .button:
                // No sequence contains a control character: the incomplete one has no end.
                abandon()
                ground(byte, into: &inputs)
            case .paste(let matched, let isSpoilt, let isGivenUp):
                let isNext = byte == Self.pasteEnd[matched]
                let now = isNext ? matched + 1 : byte == Self.pasteEnd[0] ? 1 : 0
                let stranger = stranger(byte, after: matched)
                if let stranger { inputs.append(stranger) }
                if isGivenUp, byte == 0x03 {
                    abandon()
                    break
                }
                state = .paste(matched: now, isSpoilt: isSpoilt || stranger != nil, isGivenUp: isGivenUp)
                guard now == Self.pasteEnd.count else { continue }
                if isGivenUp {
                    abandon()
                    break
                }
                try add(bytes.extracting(start...index))
                let paste = try take(droppingFirst: 0, last: now)
                inputs.append(
                    isSpoilt ? .pasteRefused(.interrupted) : paste.map { .paste($0) } ?? .pasteRefused(.tooLong))
                state = .ground
            case .string(let introducer, let isEmpty, let wasEscape):
                string(byte, introducer, isEmpty: isEmpty, wasEscape: wasEscape, into: &inputs)
            case .command(let wasEscape):
                let isEnd = byte == 0x07 || (wasEscape && byte == UInt8(ascii: "\\"))
                if !isEnd, wasEscape || (byte < 0x20 && byte != 0x1B) {
                    // As above: a report, a key or another sequence.
                    abandon()
                    if wasEscape { escape(byte, into: &inputs) } else { ground(byte, into: &inputs) }
                    break
                }
                state = .command(wasEscape: byte == 0x1B)
                if commandStart.count < 3 { commandStart.append(byte) }
                guard isEnd else { continue }
                try add(bytes.extracting(start...index))
                if let answer = try clipboard(terminator: byte == 0x07 ? 1 : 2) { inputs.append(.clipboard(answer)) }
                state = .ground
            }
            // The content of a paste or a command begins with the next byte.
            start = index + 1
        }
        switch state {
        case .paste(_, _, isGivenUp: true): break
        case .paste, .command: if start < bytes.count { try add(bytes.extracting(start..<bytes.count)) }
        default: break
        }
        return inputs
    }

    private mutating func mouseValue(_ byte: UInt8, _ rest: Int) {
        let isLead = (0xC2...0xDF).contains(byte)
        state = .mouse(rest: rest - 1, isLead: isLead, wasPair: false)
        if !isLead { endMouseValue() }
    }

    private mutating func endMouseValue(isPair: Bool = false) {
        guard case .mouse(let rest, _, _) = state else { return }
        state = rest > 0 ? .mouse(rest: rest, isLead: false, wasPair: isPair) : .ground
    }

    /// Input to report during a paste, since the paste may have no end. `matched` bytes of its end mark came before.
    private func stranger(_ byte: UInt8, after matched: Int) -> TerminalInput? {
        switch (byte, matched) {
        case (0x03, _): .key(.control("c"))
        case (UInt8(ascii: "I"), 2): .focus(true)
        case (UInt8(ascii: "O"), 2): .focus(false)
        default: nil
        }
    }

    private mutating func string(
        _ byte: UInt8, _ introducer: UInt8, isEmpty: Bool, wasEscape: Bool, into inputs: inout [TerminalInput]
    ) {
        switch byte {
        case UInt8(ascii: "\\") where wasEscape: state = .ground
        case _ where wasEscape:
            // Another sequence: this one has no end. Without content it was a key with Alt.
            if isEmpty, !isShort { inputs += [.key(.escape), .key(.character(Unicode.Scalar(introducer)))] }
            escape(byte, into: &inputs)
        case 0x1B: state = .string(introducer: introducer, isEmpty: isEmpty, wasEscape: true)
        case 0x03:
            state = .ground
            inputs.append(.key(.control("c")))
        // CAN and SUB end every sequence without effect.
        case 0x18, 0x1A: state = .ground
        default: state = .string(introducer: introducer, isEmpty: false, wasEscape: false)
        }
    }

    private mutating func ground(_ byte: UInt8, into inputs: inout [TerminalInput]) {
        // The rest of a code point is missing: this is the next character.
        if byte & 0xC0 != 0x80 { pending = [] }
        if pending.isEmpty, beginsShort(byte) { return }
        if !pending.isEmpty || byte >= 0x80 {
            pending.append(byte)
            text(into: &inputs)
            return
        }
        switch byte {
        case 0x1B: (state, isAfterEscape) = (.escape, false)
        case 0x0D, 0x0A: inputs.append(.key(.enter))
        case 0x09: inputs.append(.key(.tab))
        case 0x08, 0x7F: inputs.append(.key(.backspace))
        case 0x01...0x1A: inputs.append(.key(.control(Unicode.Scalar(byte + 0x60))))
        case 0x20...0x7E: inputs.append(.key(.character(Unicode.Scalar(byte))))
        default: inputs.append(.key(.other))
        }
    }

    /// A code point of several bytes; invalid bytes are dropped.
    private mutating func text(into inputs: inout [TerminalInput]) {
        let width =
            switch pending[0] {
            case 0xC2...0xDF: 2
            case 0xE0...0xEF: 3
            case 0xF0...0xF4: 4
            default: 1
            }
        guard pending.count >= width else { return }
        if let string = String(validUTF8: pending) {
            // U+0080 to U+009F are control characters (C1): never text.
            for scalar in string.unicodeScalars where !beginsShort(UInt8(truncatingIfNeeded: scalar.value), of: scalar)
            {
                inputs.append(.key((0x80...0x9F).contains(scalar.value) ? .other : .character(scalar)))
            }
        }
        pending = []
    }

    /// Whether `byte`, alone or as a code point, is a C1 control character that begins a sequence (ECMA-48, 5.3: ESC
    /// and a byte less by 0x40).
    private mutating func beginsShort(_ byte: UInt8, of scalar: Unicode.Scalar? = nil) -> Bool {
        guard (scalar?.value ?? UInt32(byte)) == UInt32(byte),
            [0x8F, 0x90, 0x98, 0x9B, 0x9D, 0x9E, 0x9F].contains(byte)
        else { return false }
        var none: [TerminalInput] = []
        escape(byte - 0x40, into: &none)
        isShort = true
        return true
    }

    private mutating func escape(_ byte: UInt8, into inputs: inout [TerminalInput]) {
        (state, isShort) = (.ground, false)
        switch byte {
        case UInt8(ascii: "["): state = .control
        case UInt8(ascii: "O"): state = .singleShift
        case UInt8(ascii: "]"): (state, commandStart) = (.command(wasEscape: false), [])
        case UInt8(ascii: "P"), UInt8(ascii: "X"), UInt8(ascii: "^"), UInt8(ascii: "_"):
            state = .string(introducer: byte, isEmpty: true, wasEscape: false)
        default:
            inputs.append(.key(.escape))
            ground(byte, into: &inputs)
        }
    }

    private mutating func control(_ byte: UInt8, into inputs: inout [TerminalInput]) {
        guard (0x40...0x7E).contains(byte) else {
            if pending.count < 32 { pending.append(byte) }
            return
        }
        let parameters = pending
        pending = []
        state = .ground
        switch byte {
        case UInt8(ascii: "I") where parameters.isEmpty: inputs.append(.focus(true))
        case UInt8(ascii: "O") where parameters.isEmpty: inputs.append(.focus(false))
        case UInt8(ascii: "Z"): inputs.append(.key(.backTab))
        case UInt8(ascii: "~"):
            let number = Int(String(decoding: parameters.prefix { $0 != UInt8(ascii: ";") }, as: UTF8.self))
            if number == 200 {
                state = .paste(matched: 0, isSpoilt: false, isGivenUp: false)
            } else if !Self.isReport(parameters) {
                inputs.append(.key(Self.numberedKeys[number ?? 0] ?? .other))
            }
        case UInt8(ascii: "R"):
            let numbers = String(decoding: parameters, as: UTF8.self).split(separator: ";").compactMap { Int($0) }
            if numbers.count == 2 { inputs.append(.cursor(row: numbers[0], column: numbers[1])) }
        case UInt8(ascii: "y"), UInt8(ascii: "c"), UInt8(ascii: "n"): break
        // A report of the mouse, which a former program may have switched on. M is Enter on the keypad alone (ESC O M).
        case UInt8(ascii: "M") where parameters.isEmpty: state = .button
        case UInt8(ascii: "t") where parameters.isEmpty: state = .mouse(rest: 2, isLead: false, wasPair: false)
        case UInt8(ascii: "T") where parameters.isEmpty: state = .mouse(rest: 6, isLead: false, wasPair: false)
        case UInt8(ascii: "M"): break
        case UInt8(ascii: "[") where parameters.isEmpty: state = .consoleKey
        case _ where Self.keyLetters.contains(byte) && !Self.isReport(parameters):
            inputs.append(.key(Self.cursorKeys[byte] ?? .other))
        // Of what terminals report, no list is whole: a letter that no key sends means nothing.
        default: break
        }
    }

    /// The last letters of keys' sequences: arrows, Home, End, keypad 5 (A to H), F1 to F4 with modifiers (P to S),
    /// with Shift or Control in rxvt (a to d, ^, @), and all keys in kitty's protocol (u).
    private static let keyLetters = Set("ABCDEFGHPQSabd^@u".utf8)

    /// Whether these are parameters of a report: with a private mark or an intermediate byte (ECMA-48, 5.4), or of a
    /// key's release in kitty's protocol (event type 3).
    private static func isReport(_ parameters: [UInt8]) -> Bool {
        if parameters.contains(where: { (0x3C...0x3F).contains($0) || (0x20...0x2F).contains($0) }) { return true }
        let fields = parameters.split(separator: UInt8(ascii: ";"), omittingEmptySubsequences: false)
        return fields.count > 1 && fields[1].split(separator: UInt8(ascii: ":")).dropFirst().first?.first == 0x33
    }

    private static let cursorKeys: [UInt8: Key] = [
        UInt8(ascii: "A"): .up, UInt8(ascii: "B"): .down, UInt8(ascii: "C"): .right, UInt8(ascii: "D"): .left,
        UInt8(ascii: "H"): .home, UInt8(ascii: "F"): .end, UInt8(ascii: "M"): .enter,
    ]
    private static let numberedKeys: [Int: Key] = [
        1: .home, 3: .delete, 4: .end, 5: .pageUp, 6: .pageDown, 7: .home, 8: .end,
    ]

    // The collected pieces of a paste or a command.

    private mutating func add(_ bytes: Span<UInt8>) throws {
        partsCount += bytes.count
        guard partsCount <= Self.limit else {
            parts = []
            return
        }
        parts.append(
            Secret(
                try SecretBytes(count: bytes.count) { new in
                    for index in bytes.indices { new.storeBytes(of: bytes[index], toByteOffset: index, as: UInt8.self) }
                }))
    }

    /// All pieces as one, without the first and last bytes; nil if the whole is too long.
    private mutating func take(droppingFirst head: Int, last tail: Int) throws -> Secret? {
        let (parts, total) = (parts, partsCount)
        (self.parts, partsCount) = ([], 0)
        guard total <= Self.limit, head + tail <= total else { return nil }
        let whole = try SecretBytes(count: total - head - tail) { new in
            var position = -head
            for part in parts {
                try part.withBytes { span in
                    let bytes = Span<UInt8>(_bytes: span)
                    for index in bytes.indices {
                        if position >= 0, position < total - head - tail {
                            new.storeBytes(of: bytes[index], toByteOffset: position, as: UInt8.self)
                        }
                        position += 1
                    }
                }
            }
        }
        return Secret(whole)
    }

    /// The content of "52;c;CONTENT" with its terminator; nil for any other command.
    private mutating func clipboard(terminator: Int) throws -> Secret? {
        let prefix = Array("52;c;".utf8)
        var isClipboard = partsCount >= prefix.count + terminator
        var position = 0
        for part in parts where position < prefix.count {
            try part.withBytes { span in
                let bytes = Span<UInt8>(_bytes: span)
                for index in bytes.indices where position < prefix.count {
                    if bytes[index] != prefix[position] { isClipboard = false }
                    position += 1
                }
            }
        }
        let content = try take(droppingFirst: isClipboard ? prefix.count : 0, last: terminator)
        return isClipboard ? content : nil
    }
}
