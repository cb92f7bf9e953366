// SPDX-License-Identifier: Apache-2.0

import SecretMemory

/// What a terminal reports about itself. The environment describes what started the program, not where it is displayed.
/// It is wrong over ssh, under sudo, and in a window opened from tmux.
struct TerminalAnswers: Sendable, Equatable {
    /// Its name and version (XTVERSION).
    var version: String?
    /// Its kind (secondary device attributes): 84 is tmux, 83 GNU screen.
    var kind: Int?
    /// Whether it is on the alternate screen, by DECRQM: 1 and 3 yes, 2 and 4 no, 0 unknown.
    var mode: Int?
    /// The reported cursor positions, in order.
    var positions: [String] = []
    /// Whether the answer that every terminal gives has arrived: answers still missing then will not arrive.
    var isComplete = false

    /// The multiplexer that displays the program; nil if there is none. If the terminal doesn't identify itself,
    /// `environment` decides.
    func multiplexer(or environment: [String: String]) -> String? {
        if let version = version?.lowercased() {
            for name in ["tmux", "zellij", "screen"] where version.hasPrefix(name) { return name }
        }
        switch kind {
        case 84: return "tmux"
        case 83: return "screen"
        default: break
        }
        guard version == nil, kind == nil else { return nil }
        let terminal = environment["TERM"] ?? ""
        func isSet(_ name: String) -> Bool { !(environment[name] ?? "").isEmpty }
        if isSet("TMUX") || terminal.hasPrefix("tmux") { return "tmux" }
        if isSet("STY") || terminal.hasPrefix("screen") { return "screen" }
        return isSet("ZELLIJ") ? "zellij" : nil
    }

    /// Extracts the answers from the terminal's input. Ignores everything else in it, such as keys typed before the
    /// program started.
    init(_ bytes: [UInt8]) {
        var rest = bytes[...]
        while let start = rest.firstIndex(of: 0x1B) {
            rest = rest[(start + 1)...]
            switch rest.first {
            case UInt8(ascii: "["):
                guard let end = rest.dropFirst().firstIndex(where: { (0x40...0x7E).contains($0) }) else { return }
                note(String(decoding: rest[(start + 2)..<end], as: UTF8.self), final: rest[end])
                rest = rest[(end + 1)...]
            case UInt8(ascii: "P"):
                guard let end = rest.firstIndex(of: 0x1B) else { return }
                let text = String(decoding: rest[(start + 2)..<end], as: UTF8.self)
                if text.hasPrefix(">|") { version = String(text.dropFirst(2).prefix(100)) }
                rest = rest[end...]
            default: break
            }
        }
    }

    private mutating func note(_ parameters: String, final: UInt8) {
        switch final {
        case UInt8(ascii: "R"): positions.append(parameters)
        case UInt8(ascii: "y") where parameters.hasPrefix("?1049;") && parameters.hasSuffix("$"):
            mode = Int(parameters.dropFirst(6).dropLast())
        case UInt8(ascii: "c") where parameters.hasPrefix(">"):
            kind = parameters.dropFirst().split(separator: ";").first.flatMap { Int($0) }
        case UInt8(ascii: "c") where parameters.hasPrefix("?"): isComplete = true
        default: break
        }
    }
}

extension TerminalDevice {
    private static let answerTime = Duration.seconds(2)

    /// Asks the terminal what it is, and whether it has an alternate screen. The evidence is its report (DECRQM), or
    /// otherwise the cursor, which only an alternate screen returns to its old position. `hasOtherScreen` is nil if the
    /// terminal doesn't answer.
    func identify() throws(TerminalError) -> (answers: TerminalAnswers, hasOtherScreen: Bool?) {
        let before = try ask("\u{1B}[>0q\u{1B}[>c\u{1B}[6n\u{1B}[c")
        guard before.isComplete, let place = before.positions.last else { return (before, nil) }
        // To a different position.
        let away = place == "1;2" ? "1;3" : "1;2"
        let entered = try ask("\u{1B}[?1049h\u{1B}[?1049$p\u{1B}[\(away)H\u{1B}[?1049l\u{1B}[6n\u{1B}[c")
        if entered.positions.last != place {
            // Nothing was saved: restores the position, before anything is written in the wrong place.
            write("\u{1B}[\(place)H")
        }
        switch entered.mode {
        case 1, 3: return (before, true)
        case 2, 4: return (before, false)
        default: return (before, entered.positions.last.map { $0 == place })
        }
    }

    /// Sends `question`, whose last part every terminal answers, and collects the answers.
    private func ask(_ question: String) throws(TerminalError) -> TerminalAnswers {
        write(question)
        let end = ContinuousClock.now + Self.answerTime
        var bytes: [UInt8] = []
        defer { for index in bytes.indices { bytes[index] = 0 } }
        while bytes.count < 4096 {
            let left = end - .now
            guard left > .zero, try wait(left).contains(.input) || ContinuousClock.now < end else { break }
            guard let read = try read() else { break }
            do {
                try read.withBytes { span in
                    let span = Span<UInt8>(_bytes: span)
                    for index in span.indices { bytes.append(span[index]) }
                }
            } catch {
                throw TerminalError(.noMemory, "no memory for the terminal's answers")
            }
            let answers = TerminalAnswers(bytes)
            if answers.isComplete { return answers }
        }
        return TerminalAnswers(bytes)
    }
}
