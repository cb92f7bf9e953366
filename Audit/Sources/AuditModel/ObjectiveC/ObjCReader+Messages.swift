// SPDX-License-Identifier: Apache-2.0

extension ObjCReader {
    /// What stands in the brackets of `[receiver name:argument other:argument]`.
    mutating func message(from start: Int, to end: Int) -> Expression {
        let receiver = binary(8)
        let place = span(from: start, to: end)
        guard isName(at) || isMark(at, ":") else { return Expression(.other([receiver]), place) }
        guard isMark(at + 1, ":") || isMark(at, ":") else {
            return property(text(at), of: receiver, place, isStatement: isStatement(start, end))
        }
        var parts: [String] = []
        var arguments: [Argument] = []
        while at < limit {
            let before = at
            if isName(at), isMark(at + 1, ":") {
                parts.append(text(at))
                at += 2
            } else if isMark(at, ":") {
                parts.append("")
                at += 1
            } else if isMark(at, ",") {
                at += 1
                arguments.append(Argument(label: nil, value: expression(), isTrailing: false))
                continue
            } else {
                at = before + 1
                continue
            }
            let label = parts.count == 1 || parts.last?.isEmpty == true ? nil : parts.last
            arguments.append(Argument(label: label, value: expression(), isTrailing: false))
        }
        return sent(parts, arguments, to: receiver, place)
    }

    private func isStatement(_ start: Int, _ end: Int) -> Bool {
        guard end < tokens.count, tokens[end].isMark(";"), start > 0 else { return false }
        return [";", "{", "}", ")"].contains { tokens[start - 1].isMark($0) }
    }

    /// A message without arguments: a property that is read, a value that is made, or a call.
    private func property(
        _ name: String, of receiver: Expression, _ place: SourceSpan, isStatement: Bool
    ) -> Expression {
        if name == "alloc" { return receiver }
        if name == "init" || name == "new", let made = made(receiver) { return Expression(.call(made, []), place) }
        let verb = SecretWords.words(of: name).first ?? ""
        guard !isStatement, !ObjCNames.verbs.contains(verb) else {
            return Expression(.call(Expression(.member(receiver, name), place), []), place)
        }
        return Expression(.member(receiver, ObjCNames.members[name] ?? name), place)
    }

    /// The class of `[Class alloc]`, or of a class that makes a value itself.
    private func made(_ receiver: Expression) -> Expression? {
        guard case .name(let name) = receiver.kind, name.first?.isUppercase == true else { return nil }
        return receiver
    }

    private func sent(
        _ parts: [String], _ arguments: [Argument], to receiver: Expression, _ place: SourceSpan
    ) -> Expression {
        let first = parts.first ?? ""
        var arguments = arguments
        func call(_ callee: Expression.Kind) -> Expression {
            Expression(.call(Expression(callee, place), arguments), place)
        }
        if parts.count == 1, arguments.count == 1 {
            if ["objectForKey", "objectForKeyedSubscript", "valueForKey"].contains(first) {
                return Expression(.element(receiver, arguments), place)
            }
            // `[field setText:x]` is `field.text = x`.
            if let name = Self.settable(first) {
                let target = Expression(.member(receiver, ObjCNames.members[name] ?? name), receiver.span)
                return Expression(.binary("=", target, arguments[0].value), place)
            }
        }
        if let known = ObjCNames.selectors[first] {
            arguments[0].label = known.label
            return call(.member(receiver, known.name))
        }
        if first == "dictionaryWithObjectsAndKeys" || first == "initWithObjectsAndKeys" {
            let values = arguments.map(\.value)
            let pairs = stride(from: 0, to: values.count - 1, by: 2).map { (key: values[$0 + 1], value: values[$0]) }
            return Expression(.dictionary(pairs), place)
        }
        if let made = made(receiver) {
            // `[[Type alloc] initWithPart:x]`, `[Type typeWithPart:x]`.
            let words = SecretWords.words(of: first)
            if first.hasPrefix("init") {
                arguments[0].label = Self.label(words.dropFirst())
                return call(made.kind)
            }
            if let split = words.firstIndex(where: ObjCNames.makers.contains), split > 0, arguments[0].label == nil,
                Self.makes.contains(made.lastName ?? "")
            {
                arguments[0].label = Self.label(words[split...])
                return call(made.kind)
            }
        }
        return call(.member(receiver, first))
    }

    /// `string` of `setString`; nil for what takes it as a method of its own.
    private static func settable(_ name: String) -> String? {
        guard name.hasPrefix("set"), let letter = name.dropFirst(3).first, letter.isUppercase,
            !["setCookie", "setCookies", "setItems", "setObjects", "setItem", "setArray", "setDictionary"]
                .contains(name)
        else { return nil }
        return letter.lowercased() + name.dropFirst(4)
    }

    private static func label(_ words: some Collection<String>) -> String? {
        let words = words.filter { $0 != "with" && $0 != "from" && $0 != "by" }
        guard let first = words.first else { return nil }
        return first + words.dropFirst().map { $0.prefix(1).uppercased() + $0.dropFirst() }.joined()
    }

    /// Classes of the system whose class methods make a value out of what they are given.
    private static let makes: Set<String> = [
        "String", "Data", "URL", "Dictionary", "Array", "HTTPCookie", "URLRequest", "URLQueryItem", "UIAlertController",
    ]
}
