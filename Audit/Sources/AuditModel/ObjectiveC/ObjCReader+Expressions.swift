// SPDX-License-Identifier: Apache-2.0

extension ObjCReader {
    /// An expression with its assignments; stops at what can't go on with it.
    mutating func expression() -> Expression {
        let start = at
        guard depth < Self.deepest else {
            isCut = true
            at = min(limit, at + 1)
            return Expression(.other([]), span(from: start, to: at))
        }
        depth += 1
        defer { depth -= 1 }
        let left = choice()
        for operation in ["=", "+=", "-=", "|="] where isMark(at, operation) {
            at += 1
            let right = expression()
            return Expression(.binary(operation, left, right), span(from: start, to: at))
        }
        return left
    }

    private mutating func choice() -> Expression {
        let start = at
        let condition = binary(0)
        guard isMark(at, "?") else { return condition }
        at += 1
        // `a ?: b`
        if isMark(at, ":") {
            at += 1
            let otherwise = expression()
            return Expression(.binary("??", condition, otherwise), span(from: start, to: at))
        }
        let then = expression()
        if isMark(at, ":") { at += 1 }
        let otherwise = expression()
        return Expression(.choice(condition: condition, then: then, otherwise: otherwise), span(from: start, to: at))
    }

    private static let operators: [String: Int] = [
        "||": 1, "&&": 2, "|": 3, "^": 3, "&": 3, "==": 4, "!=": 4, "<": 5, ">": 5, "<=": 5, ">=": 5, "+": 6, "-": 6,
        "*": 7, "/": 7, "%": 7,
    ]

    mutating func binary(_ least: Int) -> Expression {
        let start = at
        var left = unary()
        var count = 0
        while at < limit, tokens[at].kind == .mark, let level = Self.operators[text(at)], level >= max(least, 1) {
            let operation = text(at)
            // A row of thousands would make a tree as deep.
            count += 1
            guard count < 200 else {
                isCut = true
                break
            }
            at += 1
            if operation == "<" || operation == ">", isMark(at, operation) { at += 1 }
            let right = binary(level + 1)
            left = Expression(.binary(operation, left, right), span(from: start, to: at))
        }
        return left
    }

    private mutating func unary() -> Expression {
        let start = at
        guard depth < Self.deepest else {
            isCut = true
            at = min(limit, at + 1)
            return Expression(.other([]), span(from: start, to: at))
        }
        depth += 1
        defer { depth -= 1 }
        for mark in ["!", "-", "~", "&"] where isMark(at, mark) {
            at += 1
            if isMark(at, mark) { at += 1 }
            let value = unary()
            return Expression(.unary(mark, value), span(from: start, to: at))
        }
        for mark in ["*", "+"] where isMark(at, mark) {
            at += 1
            if isMark(at, mark) { at += 1 }
            return unary()
        }
        if let (type, end) = cast(at) {
            at = end + 1
            let value = unary()
            return ["Int", "Bool"].contains(type)
                ? Expression(.cast(value, "as", type: type), span(from: start, to: at)) : value
        }
        return postfix(primary(), from: start)
    }

    /// `(NSString *)` before a value.
    private func cast(_ start: Int) -> (type: String, end: Int)? {
        guard isMark(start, "("), let end = closing(start), end > start + 1, end - start < 24, isName(start + 1),
            end + 1 < limit
        else { return nil }
        let words = (start + 1)..<end
        let isType = words.allSatisfy { position in
            isName(position) || ["*", "<", ">", ","].contains { isMark(position, $0) }
        }
        let type = type(from: start + 1, to: end)
        let isClear =
            words.contains { isMark($0, "*") || text($0).hasPrefix("__bridge") } || type != text(start + 1)
            || words.count == 1 && text(start + 1).first?.isUppercase == true && text(start + 1).count > 3
            || text(start + 1) == "id"
        guard isType, isClear else { return nil }
        let next = tokens[end + 1]
        let begins =
            next.kind == .name || next.kind == .text || next.kind == .number || next.kind == .directive
            || ["[", "(", "@", "^", "&", "*", "-", "!"].contains { next.isMark($0) }
        return begins ? (type, end) : nil
    }

    private mutating func postfix(_ base: Expression, from start: Int) -> Expression {
        var value = base
        var count = 0
        while at < limit {
            count += 1
            guard count < 100 else {
                isCut = true
                break
            }
            if isMark(at, ".") || isMark(at, "->"), isName(at + 1) {
                let name = text(at + 1)
                at += 2
                value = Expression(
                    .member(value, ObjCNames.members[name] ?? ObjCNames.plain(name)), span(from: start, to: at))
            } else if isMark(at, "("), let end = closing(at) {
                let arguments = list(at + 1, end)
                at = end + 1
                value = Expression(.call(value, arguments), span(from: start, to: at))
            } else if isMark(at, "["), let end = closing(at) {
                let arguments = list(at + 1, end)
                at = end + 1
                value = Expression(.element(value, arguments), span(from: start, to: at))
            } else if isMark(at, "+"), isMark(at + 1, "+") {
                at += 2
            } else if isMark(at, "-"), isMark(at + 1, "-") {
                at += 2
            } else {
                break
            }
        }
        return value
    }

    /// Expressions with commas between them.
    private mutating func list(_ start: Int, _ end: Int) -> [Argument] {
        separated(start, end) { Argument(label: nil, value: $0.expression(), isTrailing: false) }
    }

    /// What stands between commas; what `element` leaves of it is passed over.
    private mutating func separated<Element>(
        _ start: Int, _ end: Int, _ element: (inout ObjCReader) -> Element?
    ) -> [Element] {
        inside(start, end) { reader in
            var result: [Element] = []
            while reader.at < reader.limit {
                let before = reader.at
                if let found = element(&reader) { result.append(found) }
                while reader.at < reader.limit, !reader.isMark(reader.at, ",") {
                    reader.at = (reader.closing(reader.at) ?? reader.at) + 1
                }
                reader.at = max(reader.at, before) + 1
            }
            return result
        }
    }

    // MARK: Primaries

    private mutating func primary() -> Expression {
        let start = at
        guard at < limit else { return Expression(.other([]), span(from: start, to: start)) }
        let token = tokens[at]
        func made(_ kind: Expression.Kind) -> Expression { Expression(kind, span(from: start, to: at)) }
        switch token.kind {
        case .text:
            var text = ""
            while at < limit, tokens[at].kind == .text {
                text += tokens[at].text
                at += 1
            }
            return made(.text([.literal(text)]))
        case .number:
            at += 1
            return made(.number(token.text))
        case .name:
            at += 1
            return made(Self.named(token.text))
        case .directive: return directive()
        case .mark: return marked(token.text)
        }
    }

    private static func named(_ name: String) -> Expression.Kind {
        switch name {
        case "nil", "NULL", "Nil": return .none
        case "YES", "true": return .boolean(true)
        case "NO", "false": return .boolean(false)
        default: break
        }
        if let member = ObjCNames.constants[name] { return .member(nil, member) }
        return .name(name.first?.isUppercase == true ? ObjCNames.type(name) : ObjCNames.plain(name))
    }

    private mutating func directive() -> Expression {
        let start = at
        let name = text(at)
        at += 1
        func made(_ kind: Expression.Kind) -> Expression { Expression(kind, span(from: start, to: at)) }
        switch name {
        case "@YES", "@true": return made(.boolean(true))
        case "@NO", "@false": return made(.boolean(false))
        case "@selector" where isMark(at, "("):
            guard let end = closing(at) else { return made(.other([])) }
            let selector = Expression(.name(text(at + 1)), span(from: at + 1, to: at + 2))
            at = end + 1
            return made(.macro("selector", [Argument(label: nil, value: selector, isTrailing: false)]))
        default:
            if isMark(at, "("), let end = closing(at) { at = end + 1 }
            return made(.other([]))
        }
    }

    private mutating func marked(_ mark: String) -> Expression {
        let start = at
        func made(_ kind: Expression.Kind) -> Expression { Expression(kind, span(from: start, to: at)) }
        switch mark {
        case "[":
            guard let end = closing(at) else { break }
            let value = inside(at + 1, end) { $0.message(from: start, to: end + 1) }
            at = end + 1
            return value
        case "(":
            guard let end = closing(at) else { break }
            let value = inside(at + 1, end) { $0.expression() }
            at = end + 1
            return value
        case "@":
            if isMark(at + 1, "["), let end = closing(at + 1) {
                let values = list(at + 2, end).map(\.value)
                at = end + 1
                return made(.array(values))
            }
            if isMark(at + 1, "{"), let end = closing(at + 1) {
                let pairs = pairs(at + 2, end)
                at = end + 1
                return made(.dictionary(pairs))
            }
            at += 1
            return unary()
        case "{":
            guard let end = closing(at) else { break }
            let values = list(at + 1, end).map(\.value)
            at = end + 1
            return made(.other(values))
        case "^": return closure()
        default: break
        }
        at += 1
        return made(.other([]))
    }

    private mutating func pairs(_ start: Int, _ end: Int) -> [(key: Expression, value: Expression)] {
        separated(start, end) { reader in
            let key = reader.expression()
            guard reader.isMark(reader.at, ":") else { return nil }
            reader.at += 1
            return (key, reader.expression())
        }
    }

    /// `^Type(Type *a, Type *b) { ... }`
    private mutating func closure() -> Expression {
        let start = at
        at += 1
        var parameters: [String] = []
        while at < limit, !isMark(at, "{"), !isMark(at, ";"), !isMark(at, ")") {
            if isMark(at, "("), let end = closing(at) {
                parameters = (at + 1...end).compactMap { position in
                    (position == end || isMark(position, ",")) && isName(position - 1)
                        ? ObjCNames.plain(text(position - 1)) : nil
                }
                at = end + 1
            } else {
                at += 1
            }
        }
        guard isMark(at, "{"), let end = closing(at) else {
            return Expression(.other([]), span(from: start, to: at))
        }
        let body = block(at)
        at = end + 1
        return Expression(
            .closure(Closure(parameters: parameters.filter { $0 != "void" }, captures: [], body: body)),
            span(from: start, to: at))
    }
}
