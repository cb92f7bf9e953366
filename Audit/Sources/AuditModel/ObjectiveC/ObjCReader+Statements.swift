// SPDX-License-Identifier: Apache-2.0

extension ObjCReader {
    /// The statements between the brace that stands here and its partner.
    mutating func block(_ brace: Int) -> [Statement] {
        guard let end = closing(brace) else { return [] }
        guard depth < Self.deepest else {
            isCut = true
            return []
        }
        depth += 1
        let (oldAt, oldLimit) = (at, limit)
        (at, limit) = (brace + 1, end)
        defer { (at, limit, depth) = (oldAt, oldLimit, depth - 1) }
        var result: [Statement] = []
        while at < limit {
            let before = at
            statement(into: &result)
            if at <= before { at = before + 1 }
        }
        return result
    }

    /// The statement that a condition governs: a block, or one statement.
    private mutating func governed() -> [Statement] {
        if isMark(at, "{"), let end = closing(at) {
            let result = block(at)
            at = end + 1
            return result
        }
        guard depth < Self.deepest else {
            isCut = true
            at = limit
            return []
        }
        depth += 1
        defer { depth -= 1 }
        var result: [Statement] = []
        let before = at
        statement(into: &result)
        if at <= before { at = before + 1 }
        return result
    }

    private mutating func statement(into result: inout [Statement]) {
        let start = at
        func add(_ kind: Statement.Kind, _ end: Int) {
            result.append(Statement(kind: kind, span: span(from: start, to: end)))
        }
        switch text(at) {
        case ";", "}": at += 1
        case "{" where tokens[at].kind == .mark: result += governed()
        case "if" where isMark(at + 1, "("): branch(into: &result)
        case "for" where isMark(at + 1, "("): loop(into: &result)
        case "while" where isMark(at + 1, "("):
            let condition = parenthesized()
            let body = governed()
            add(.repetition(conditions: [.expression(condition)], body: body), at)
        case "do":
            at += 1
            let body = governed()
            var conditions: [Condition] = []
            if text(at) == "while", isMark(at + 1, "(") { conditions = [.expression(parenthesized())] }
            add(.repetition(conditions: conditions, body: body), at)
        case "switch" where isMark(at + 1, "("): choice(into: &result)
        case "return":
            at += 1
            let value = isMark(at, ";") ? nil : expression()
            skipToSemicolon()
            add(.leave(.return, value), at)
        case "break", "continue", "goto":
            skipToSemicolon()
            add(.leave(.other, nil), at)
        case "@throw":
            at += 1
            let value = isMark(at, ";") ? nil : expression()
            skipToSemicolon()
            add(.leave(.throw, value), at)
        case "@try":
            at += 1
            let body = governed()
            var catches: [[Statement]] = []
            while text(at) == "@catch" || text(at) == "@finally" {
                at += 1
                if isMark(at, "("), let end = closing(at) { at = end + 1 }
                catches.append(governed())
            }
            add(.attempt(body, catches: catches), at)
        case "@autoreleasepool", "@synchronized":
            at += 1
            if isMark(at, "("), let end = closing(at) { at = end + 1 }
            result += governed()
        case "else": at += 1
        // A place to jump to.
        case _ where isName(at) && isMark(at + 1, ":"): at += 2
        default:
            if let (type, name) = declaration(at) {
                bindings(type, name, into: &result)
            } else {
                let value = expression()
                add(.expression(value), at)
                skipToSemicolon()
            }
        }
    }

    private mutating func skipToSemicolon() {
        while at < limit, !isMark(at, ";") { at = (closing(at) ?? at) + 1 }
        at += 1
    }

    /// What stands in the parentheses after a keyword; goes behind them.
    private mutating func parenthesized() -> Expression {
        let open = at + 1
        guard let end = closing(open) else {
            at = limit
            return Expression(.other([]), span(from: open, to: open))
        }
        let value = inside(open + 1, end) { $0.expression() }
        at = end + 1
        return value
    }

    /// Reads a range of words by itself.
    mutating func inside<Result>(_ start: Int, _ end: Int, _ body: (inout ObjCReader) -> Result) -> Result {
        let (oldAt, oldLimit) = (at, limit)
        (at, limit) = (start, end)
        defer { (at, limit) = (oldAt, oldLimit) }
        return body(&self)
    }

    private mutating func branch(into result: inout [Statement]) {
        let start = at
        let condition = parenthesized()
        let then = governed()
        var otherwise: [Statement] = []
        if text(at) == "else" {
            at += 1
            otherwise = governed()
        }
        let branch = Branch(conditions: [.expression(condition)], then: then, otherwise: otherwise, isGuard: false)
        result.append(Statement(kind: .branch(branch), span: span(from: start, to: at)))
    }

    private mutating func loop(into result: inout [Statement]) {
        let start = at
        guard let end = closing(at + 1) else {
            at = limit
            return
        }
        let head = (at + 2)..<end
        var kind: Statement.Kind
        if let word = head.first(where: { text($0) == "in" && tokens[$0].kind == .name }), word > head.lowerBound {
            let sequence = inside(word + 1, end) { $0.expression() }
            at = end + 1
            kind = .loop(names: [ObjCNames.plain(text(word - 1))], over: sequence, body: [])
            let body = governed()
            kind = .loop(names: [ObjCNames.plain(text(word - 1))], over: sequence, body: body)
        } else {
            let parts: [Statement] = inside(head.lowerBound, end) { reader in
                var parts: [Statement] = []
                while reader.at < reader.limit {
                    let before = reader.at
                    reader.statement(into: &parts)
                    if reader.at <= before { reader.at = before + 1 }
                }
                return parts
            }
            result += parts
            at = end + 1
            kind = .repetition(conditions: [], body: governed())
        }
        result.append(Statement(kind: kind, span: span(from: start, to: at)))
    }

    private mutating func choice(into result: inout [Statement]) {
        let start = at
        let subject = parenthesized()
        guard isMark(at, "{"), let end = closing(at) else { return }
        var cases: [SwitchCase] = []
        inside(at + 1, end) { reader in
            var patterns: [Expression] = []
            var body: [Statement] = []
            func finish() {
                if !body.isEmpty || !patterns.isEmpty {
                    cases.append(SwitchCase(patterns: patterns, names: [], body: body))
                }
                (patterns, body) = ([], [])
            }
            while reader.at < reader.limit {
                let before = reader.at
                if reader.text(reader.at) == "case" {
                    finish()
                    reader.at += 1
                    patterns = [reader.binary(4)]
                    if reader.isMark(reader.at, ":") { reader.at += 1 }
                } else if reader.text(reader.at) == "default", reader.isMark(reader.at + 1, ":") {
                    finish()
                    reader.at += 2
                } else {
                    reader.statement(into: &body)
                }
                if reader.at <= before { reader.at = before + 1 }
            }
            finish()
        }
        at = end + 1
        result.append(Statement(kind: .choose(subject, cases), span: span(from: start, to: at)))
    }

    // MARK: Locals

    /// Whether a declaration begins here: the words of its type, and the position of its name.
    private func declaration(_ start: Int) -> (type: String, name: Int)? {
        var position = start
        while isName(position), ObjCNames.qualifiers.contains(text(position)) { position += 1 }
        guard isName(position), !Self.keywords.contains(text(position)) else { return nil }
        let first = position
        position += 1
        while isName(position), ["int", "long", "char", "double", "short"].contains(text(position)) { position += 1 }
        if isMark(position, "<") {
            var open = 0
            let furthest = min(limit, position + 40)
            while position < furthest {
                if isMark(position, "<") { open += 1 }
                if isMark(position, ">") { open -= 1 }
                if isMark(position, ";") || isMark(position, "{") { return nil }
                position += 1
                if open == 0 { break }
            }
        }
        // `void (^done)(BOOL) = ^...`
        if isMark(position, "("), isMark(position + 1, "^"), isName(position + 2), let end = closing(position),
            isMark(end + 1, "(")
        {
            return ("() -> Void", position + 2)
        }
        let typeEnd = position
        while isMark(position, "*") || isName(position) && ObjCNames.qualifiers.contains(text(position)) {
            position += 1
        }
        guard isName(position), position > first, !Self.keywords.contains(text(position)) else { return nil }
        guard ["=", ";", ",", "["].contains(where: { isMark(position + 1, $0) }) else { return nil }
        return (type(from: first, to: max(typeEnd, first + 1)), position)
    }

    private mutating func bindings(_ type: String, _ name: Int, into result: inout [Statement]) {
        var name = name
        while isName(name) {
            let start = name
            at = name + 1
            // The parameters of a block's type, and the sizes of an array.
            while at < limit, !isMark(at, "="), !isMark(at, ";"), !isMark(at, ",") { at = (closing(at) ?? at) + 1 }
            var value: Expression?
            if isMark(at, "=") {
                at += 1
                value = expression()
            }
            let isText = type == "Any" || type == "() -> Void"
            let binding = Binding(
                names: [ObjCNames.plain(text(start))], type: isText ? nil : type, value: value,
                isConstant: value != nil && !assigned.contains(text(start)))
            result.append(Statement(kind: .bind(binding), span: span(from: start, to: at)))
            guard isMark(at, ",") else { break }
            name = at + 1
            while isMark(name, "*") { name += 1 }
        }
        skipToSemicolon()
    }
}
