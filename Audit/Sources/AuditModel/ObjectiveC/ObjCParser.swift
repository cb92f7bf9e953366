// SPDX-License-Identifier: Apache-2.0

import Findings

/// Finds methods, calls, assignments and constants in the words of an Objective-C file.
struct ObjCParser {
    private let path: String
    private let tokens: [ObjCToken]
    /// For each opening bracket the position of its closing one, and the other way round.
    private let partner: [Int?]
    private(set) var constants: [ObjCFile.Constant] = []
    private(set) var methods: [ObjCFile.Method] = []
    private(set) var calls: [ObjCFile.Call] = []
    private(set) var assignments: [ObjCFile.Assignment] = []

    init(path: String, tokens: [ObjCToken]) {
        self.path = path
        self.tokens = tokens
        partner = ObjCBrackets(tokens).partner
    }

    private func place(_ position: Int) -> Place {
        Place(file: path, line: tokens[position].line, column: tokens[position].column)
    }

    private func isMark(_ position: Int, _ mark: String) -> Bool {
        tokens.indices.contains(position) && tokens[position].isMark(mark)
    }

    private func isName(_ position: Int) -> Bool { tokens.indices.contains(position) && tokens[position].kind == .name }

    /// The closing bracket of the one that stands here.
    private func closing(_ position: Int) -> Int? {
        guard tokens.indices.contains(position), let end = partner[position], end > position else { return nil }
        return end
    }

    mutating func parse() {
        findMethods()
        var method: Int?
        var next = 0
        for position in tokens.indices {
            if let current = method, position >= methods[current].body.upperBound { method = nil }
            if method == nil, next < methods.count, position >= methods[next].body.lowerBound {
                method = next
                next += 1
            }
            if isMark(position, "[") {
                message(at: position, in: method)
            } else if isName(position), isMark(position + 1, "("), !Self.keywords.contains(tokens[position].text) {
                call(at: position, in: method)
            } else if isMark(position, "=") {
                assignment(at: position, in: method)
            }
        }
    }

    private static let keywords: Set<String> = [
        "if", "while", "for", "switch", "return", "sizeof", "catch",
    ]

    // MARK: Methods

    private mutating func findMethods() {
        var owner = ""
        var isImplementation = false
        var position = 0
        while position < tokens.count {
            let token = tokens[position]
            if token.kind == .directive {
                if token.text == "@implementation" || token.text == "@interface" {
                    isImplementation = token.text == "@implementation"
                    owner = position + 1 < tokens.count ? tokens[position + 1].text : ""
                } else if token.text == "@end" {
                    (owner, isImplementation) = ("", false)
                }
            } else if isImplementation, token.isMark("-") || token.isMark("+"), isMark(position + 1, "(") {
                position = method(of: owner, at: position)
                continue
            } else if token.isMark("{"), let end = closing(position) {
                function(before: position, end: end)
                position = end
            }
            position += 1
        }
    }

    /// Reads one method from its `-` or `+`; the position behind it.
    private mutating func method(of owner: String, at start: Int) -> Int {
        var position = (closing(start + 1) ?? start + 1) + 1
        var name = ""
        var parameters: [String] = []
        while position < tokens.count, !isMark(position, "{"), !isMark(position, ";") {
            if let end = closing(position) {
                position = end + 1
                if isName(position) { parameters.append(tokens[position].text) }
            } else if isName(position), name.isEmpty || isMark(position + 1, ":") {
                name += tokens[position].text
                if isMark(position + 1, ":") {
                    name += ":"
                    position += 1
                }
            }
            position += 1
        }
        // A body may have a semicolon before it.
        if isMark(position, ";"), isMark(position + 1, "{") { position += 1 }
        guard let end = closing(position) else { return position + 1 }
        methods.append(
            ObjCFile.Method(
                owner: owner, name: name, parameters: parameters, body: (position + 1)..<end, place: place(start)))
        return end + 1
    }

    /// A function of C whose body begins here.
    private mutating func function(before brace: Int, end: Int) {
        guard isMark(brace - 1, ")"), let open = partner[brace - 1], isName(open - 1) else { return }
        let parameters = (open..<brace).filter { isName($0) && (isMark($0 + 1, ",") || isMark($0 + 1, ")")) }
        methods.append(
            ObjCFile.Method(
                owner: "", name: tokens[open - 1].text, parameters: parameters.map { tokens[$0].text },
                body: (brace + 1)..<end,
                place: place(open - 1)))
    }

    // MARK: Calls

    private static let wordsBeforeMessage: Set<String> = ["return", "in", "else", "case"]

    private mutating func message(at start: Int, in method: Int?) {
        // After a name or a bracket it is a subscript, after `@` a literal array.
        if isName(start - 1) && !Self.wordsBeforeMessage.contains(tokens[start - 1].text) || isMark(start - 1, "]")
            || isMark(start - 1, "@")
        {
            return
        }
        guard let end = closing(start), start + 2 < end else { return }
        let receiverEnd = endOfReceiver(start + 1, before: end)
        guard receiverEnd < end, isName(receiverEnd) else { return }
        let (name, arguments) = selector(receiverEnd, before: end)
        let receiver = (start + 1)..<receiverEnd
        calls.append(
            ObjCFile.Call(
                isMessage: true, receiver: receiver.count > 64 ? "" : joined(receiver), receiverRange: receiver,
                name: name,
                arguments: arguments, range: start..<(end + 1), isStatement: isStatement(start..<(end + 1)),
                method: method,
                place: place(start)))
    }

    /// The parts of a selector and what stands behind each.
    private func selector(_ start: Int, before end: Int) -> (name: String, arguments: [Range<Int>]) {
        guard isMark(start + 1, ":") else { return (tokens[start].text, []) }
        var name = ""
        var arguments: [Range<Int>] = []
        var argument = start
        var questions = 0
        var position = start
        while position < end {
            if let close = closing(position) {
                position = close + 1
                continue
            }
            if isName(position), isMark(position + 1, ":"), questions == 0 {
                if !name.isEmpty { arguments.append(argument..<position) }
                name += tokens[position].text + ":"
                argument = position + 2
                position = argument
                continue
            }
            if isMark(position, "?") { questions += 1 }
            if isMark(position, ":") { questions = max(0, questions - 1) }
            position += 1
        }
        arguments.append(argument..<max(argument, end))
        return (name, arguments)
    }

    private func joined(_ range: Range<Int>) -> String {
        tokens[range].map { $0.kind == .text ? "\"\($0.text)\"" : $0.text }.joined()
    }

    /// Behind the words of a message's receiver: a bracket with what follows it, or a name with its members.
    private func endOfReceiver(_ start: Int, before end: Int) -> Int {
        var position = start
        // A cast before the rest: `[(Type *)name message]`.
        if isMark(start, "("), let close = closing(start), close + 2 < end, isName(close + 1) || isMark(close + 1, "["),
            !isMark(close + 2, ":")
        {
            position = close + 1
        }
        while position < end {
            position = (closing(position) ?? position) + 1
            guard position < end else { break }
            if isMark(position, ".") || isMark(position, "->") {
                position += 1
            } else if !isMark(position, "["), !isMark(position, "(") {
                break
            }
        }
        return min(position, end)
    }

    private mutating func call(at start: Int, in method: Int?) {
        guard let end = closing(start + 1) else { return }
        var arguments: [Range<Int>] = []
        var first = start + 2
        var position = first
        while position < end {
            if isMark(position, ",") {
                arguments.append(first..<position)
                first = position + 1
            }
            position = (closing(position) ?? position) + 1
        }
        if first < end { arguments.append(first..<end) }
        calls.append(
            ObjCFile.Call(
                isMessage: false, receiver: "", receiverRange: start..<start, name: tokens[start].text,
                arguments: arguments,
                range: start..<(end + 1), isStatement: isStatement(start..<(end + 1)), method: method,
                place: place(start)))
    }

    /// Whether nothing takes the value: it stands between the ends of statements, or a cast to void says so.
    private func isStatement(_ range: Range<Int>) -> Bool {
        guard isMark(range.upperBound, ";") else { return false }
        let before = range.lowerBound - 1
        guard before >= 0 else { return true }
        if isMark(before, ")"), let open = partner[before] {
            if open + 2 == before, tokens[open + 1].text == "void" { return true }
            return open > 0 && ["if", "while", "for"].contains(tokens[open - 1].text)
        }
        return [";", "{", "}"].contains { isMark(before, $0) } || tokens[before].text == "else"
    }

    // MARK: Assignments

    private mutating func assignment(at position: Int, in method: Int?) {
        var end = position + 1
        let limit = min(tokens.count, position + 2_000)
        while end < limit, !isMark(end, ";"), !isMark(end, "}"), !isMark(end, ")") { end = (closing(end) ?? end) + 1 }
        end = min(end, tokens.count)
        guard position + 1 < end, isName(position - 1) else { return }
        var start = position - 1
        var target = tokens[start].text
        while isMark(start - 1, ".") || isMark(start - 1, "->"), isName(start - 2) {
            target = tokens[start - 2].text + "." + target
            start -= 2
        }
        let value = (position + 1)..<end
        assignments.append(ObjCFile.Assignment(target: target, value: value, method: method, place: place(start)))
        if value.count == 1, tokens[position + 1].kind == .text, method == nil {
            constants.append(ObjCFile.Constant(name: target, text: tokens[position + 1].text, place: place(start)))
        }
    }
}
