// SPDX-License-Identifier: Apache-2.0

import Foundation

/// A session of commands with what each prints, kept in a file under `transcripts`.
///
///     # a comment
///     ! requires kernel-keyring      skipped, aloud, where the system has none
///     $ command                      run by sh, without a terminal
///     % command                      run by sh at a terminal
///     > more                         the next line of the command above
///     Prompt: <<reply                what is typed at a prompt and not shown
///     Prompt: <<<reply               what is typed at a prompt and shown
///     what it prints                 `[..]` matches anything within a line, `...` alone any lines
///     text without newline (no-eol)  the end of an output that does not end its line
///     [44]                           the exit status, where it isn't 0
struct Transcript {
    struct Step {
        var number: Int
        var command: String
        var atTerminal: Bool
        var expected: [String] = []
        var status: Int32 = 0

        var replies: [Reply] {
            expected.compactMap { line in
                guard let mark = line.firstRange(of: "<<") else { return nil }
                let text = line[mark.upperBound...]
                let isShown = text.hasPrefix("<")
                // The text behind the last `[..]` is what is waited for.
                let prompt = String(line[..<mark.lowerBound]).components(separatedBy: "[..]").last ?? ""
                return Reply(
                    prompt: prompt, text: String(isShown ? text.dropFirst() : text),
                    isShown: isShown
                )
            }
        }
    }

    var steps: [Step] = []
    var requirements: [String] = []

    init(_ text: String) {
        for (index, line) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
            if line.hasPrefix("! requires ") {
                requirements.append(String(line.dropFirst("! requires ".count)))
            } else if line.hasPrefix("$ ") || line.hasPrefix("% ") {
                let command = String(line.dropFirst(2))
                steps.append(Step(number: index + 1, command: command, atTerminal: line.hasPrefix("%")))
            } else if let last = steps.indices.last, line == ">" || line.hasPrefix("> ") {
                steps[last].command += "\n" + line.dropFirst(2)
            } else if line.hasPrefix("# ") || line.isEmpty {
                continue
            } else if !steps.isEmpty {
                if line.first == "[", line.last == "]", let status = Int32(line.dropFirst().dropLast()) {
                    steps[steps.count - 1].status = status
                } else {
                    steps[steps.count - 1].expected.append(String(line))
                }
            }
        }
    }
}

extension Transcript.Step {
    /// What a process printed, as lines of a transcript.
    static func lines(of output: [UInt8]) -> [String] {
        guard !output.isEmpty else { return [] }
        var text = ""
        for scalar in String(decoding: output, as: UTF8.self).unicodeScalars {
            switch scalar {
            case "\n", "\t", " "..."~": text.unicodeScalars.append(scalar)
            case let other where other.value < 0xA0: text += "\\x" + String(other.value, radix: 16)
            default: text.unicodeScalars.append(scalar)
            }
        }
        var lines = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        let last = lines.removeLast()
        return last.isEmpty ? lines : lines + [last + " (no-eol)"]
    }

    /// Whether lines are what the transcript says. Empty lines don't count.
    func matches(_ lines: [String]) -> Bool {
        Self.match(expected[...], lines.filter { !$0.isEmpty }[...])
    }

    private static func match(_ patterns: ArraySlice<String>, _ lines: ArraySlice<String>) -> Bool {
        guard let pattern = patterns.first else { return lines.isEmpty }
        if pattern == "..." {
            return (lines.startIndex...lines.endIndex).contains { match(patterns.dropFirst(), lines[$0...]) }
        }
        guard let line = lines.first, matches(line, pattern) else { return false }
        return match(patterns.dropFirst(), lines.dropFirst())
    }

    private static func matches(_ line: String, _ pattern: String) -> Bool {
        let parts = pattern.components(separatedBy: "[..]")
        guard parts.count > 1 else { return line == pattern }
        guard let first = parts.first, let last = parts.last, line.hasPrefix(first), line.hasSuffix(last),
            line.count >= first.count + last.count
        else { return false }
        var rest = line.dropFirst(first.count).dropLast(last.count)
        for part in parts.dropFirst().dropLast() where !part.isEmpty {
            guard let found = rest.firstRange(of: part) else { return false }
            rest = rest[found.upperBound...]
        }
        return true
    }
}
