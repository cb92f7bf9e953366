// SPDX-License-Identifier: Apache-2.0

import Findings

/// Reads Objective-C into the small tree that rules see, under the names which Swift gives to what the system has, so that a flow is followed in both alike
/// and from one into the other.
///
/// `[defaults setObject:x forKey:@"k"]` is `defaults.setObject(x, forKey: "k")`, a block is a closure, an outlet of a header a property of its class.
package struct ObjCReader {
    let path: String
    let tokens: [ObjCToken]
    let brackets: ObjCBrackets
    /// The next word.
    var at = 0
    /// Behind the last word that belongs to what is being read.
    var limit: Int
    var depth = 0
    /// Something was nested too deep to be read.
    var isCut = false

    static let deepest = 100

    /// Names that something is assigned to after their declaration.
    private(set) var assigned: Set<String> = []
    private var types: [TypeDeclaration] = []
    private var functions: [Function] = []
    private var variables: [Property] = []

    init(path: String, tokens: [ObjCToken]) {
        self.path = path
        self.tokens = tokens
        brackets = ObjCBrackets(tokens)
        limit = tokens.count
        for position in tokens.indices where isName(position) && position > 0 {
            let changes = isMark(position + 1, "=") || isMark(position + 1, "+=") || isMark(position - 1, "&")
            if changes, !isName(position - 1), !isMark(position - 1, "*") { assigned.insert(text(position)) }
        }
    }

    /// - Parameter constants: texts that the preprocessor names.
    package static func read(_ file: ObjCFile) -> SwiftFile {
        var reader = ObjCReader(path: file.path, tokens: file.tokens)
        reader.readFile()
        let span = SourceSpan(line: 1, column: 1, start: 0, end: 0)
        let defined = file.definitions.map {
            Property(
                name: $0.name, type: "String", attributes: [], modifiers: [],
                value: Expression(.text([.literal($0.text)]), span), isConstant: true, isComputed: false, owner: nil,
                file: file.path,
                span: SourceSpan(line: UInt32(clamping: $0.place.line), column: 1, start: 0, end: 0))
        }
        let preferences = file.preferences.map {
            Property(
                name: $0.name, type: "UserDefaults", attributes: [], modifiers: [], value: nil, isConstant: true,
                isComputed: false, owner: nil, file: file.path,
                span: SourceSpan(line: UInt32(clamping: $0.line), column: 1, start: 0, end: 0))
        }
        return SwiftFile(
            path: file.path, imports: reader.imports(file), types: reader.types, functions: reader.functions,
            variables: reader.variables + defined + preferences, hasErrors: false,
            cut: reader.isCut ? Nests.Cut(isNest: true).reason : nil,
            lines: file.tokens.last?.line ?? 0)
    }

    /// The modules that the file's words tell of; `#import` isn't among them.
    private func imports(_ file: ObjCFile) -> [String] {
        var found: [String] = []
        for token in tokens where token.kind == .name {
            if token.text.hasPrefix("NSManagedObject") || token.text.hasPrefix("NSPersistent"),
                !found.contains("CoreData")
            {
                found.append("CoreData")
            } else if token.text.hasPrefix("RLM"), !found.contains("Realm") {
                found.append("Realm")
            } else if token.text.hasPrefix("UNMutableNotification"), !found.contains("UserNotifications") {
                found.append("UserNotifications")
            } else if token.text.hasPrefix("FMDatabase"), !found.contains("FMDB") {
                found.append("FMDB")
            } else if token.text.hasPrefix("sqlite3_"), !found.contains("SQLite3") {
                found.append("SQLite3")
            }
        }
        return found
    }

    // MARK: Words

    func isMark(_ position: Int, _ mark: String) -> Bool { position < limit && tokens[position].isMark(mark) }
    func isName(_ position: Int) -> Bool { position < limit && tokens[position].kind == .name }
    func text(_ position: Int) -> String { position < limit ? tokens[position].text : "" }

    /// The closing bracket of the one that stands here, as far as what is read goes.
    func closing(_ position: Int) -> Int? {
        guard position < limit, let end = brackets.partner[position], end > position, end < limit else { return nil }
        return end
    }

    func span(from start: Int, to end: Int) -> SourceSpan {
        guard !tokens.isEmpty else { return SourceSpan(line: 1, column: 1, start: 0, end: 0) }
        let first = tokens[min(start, tokens.count - 1)]
        return SourceSpan(
            line: UInt32(clamping: first.line), column: UInt32(clamping: first.column), start: UInt32(clamping: start),
            end: UInt32(clamping: max(start, end)))
    }

    // MARK: Declarations

    private mutating func readFile() {
        while at < limit {
            switch text(at) {
            case "@interface" where tokens[at].kind == .directive: interface()
            case "@implementation" where tokens[at].kind == .directive: implementation()
            case "@protocol" where tokens[at].kind == .directive:
                at += 1
                if !text(at + 1).isEmpty, !isMark(at + 1, ";"), !isMark(at + 1, ",") { skipToEnd() }
            default: outside()
            }
        }
    }

    private mutating func skipToEnd() {
        while at < limit, text(at) != "@end" { at += 1 }
        at += 1
    }

    /// A function of C, a constant, or a word on the way to one.
    private mutating func outside() {
        if isName(at), isMark(at + 1, "("), let end = closing(at + 1), isMark(end + 1, "{"),
            let close = closing(end + 1), !Self.keywords.contains(text(at))
        {
            let name = text(at)
            let parameters = parametersOfC(at + 2, end)
            let returns = at > 0 ? type(from: max(0, at - 3), to: at) : nil
            let place = span(from: at, to: close)
            let body = block(end + 1)
            functions.append(
                Function(
                    name: name, kind: .function, parameters: parameters, returns: returns, body: body, owner: nil,
                    file: path, span: place))
            at = close + 1
        } else if isMark(at, "{"), let end = closing(at) {
            at = end + 1
        } else if isName(at), isMark(at + 1, "="), at > 0,
            isName(at - 1) || isMark(at - 1, "*")
        {
            let (name, place) = (text(at), span(from: at, to: at + 1))
            at += 2
            let value = expression()
            variables.append(
                Property(
                    name: name, type: value.literal == nil ? nil : "String", attributes: [], modifiers: [],
                    value: value, isConstant: true, isComputed: false, owner: nil, file: path, span: place))
        } else {
            at += 1
        }
    }

    private func parametersOfC(_ start: Int, _ end: Int) -> [Parameter] {
        var result: [Parameter] = []
        var first = start
        var position = start
        while position <= end {
            if position == end || isMark(position, ",") {
                if isMark(first, "."), isMark(first + 1, ".") {
                    result.append(.unnamed)
                } else if position - 1 > first, isName(position - 1) {
                    result.append(
                        Parameter(label: nil, name: text(position - 1), type: type(from: first, to: position - 1)))
                }
                first = position + 1
            }
            position = (closing(position) ?? position) + 1
        }
        return result
    }

    /// `@interface Name (Category) : Super <Protocols> { ivars } properties @end`
    private mutating func interface() {
        let start = at
        let name = text(at + 1)
        at += 2
        var inherits: [String] = []
        if isMark(at, "("), let end = closing(at) { at = end + 1 }
        if isMark(at, ":") {
            inherits.append(text(at + 1))
            at += 2
        }
        if isMark(at, "<") {
            at += 1
            while at < limit, !isMark(at, ">"), !isMark(at, "{"), tokens[at].kind != .directive {
                if isName(at) { inherits.append(text(at)) }
                at += 1
            }
            if isMark(at, ">") { at += 1 }
        }
        var properties = instanceVariables(of: name)
        while at < limit, text(at) != "@end" {
            if text(at) == "@property", tokens[at].kind == .directive {
                property(of: name).map { properties.append($0) }
            } else if text(at) == "@interface" || text(at) == "@implementation" {
                break
            } else {
                at += 1
            }
        }
        if text(at) == "@end" { at += 1 }
        add(name, inherits, properties, [], kind: .extension, at: span(from: start + 1, to: start + 2))
    }

    private mutating func instanceVariables(of owner: String) -> [Property] {
        guard isMark(at, "{"), let end = closing(at) else { return [] }
        var result: [Property] = []
        var first = at + 1
        for position in at + 1..<max(at + 1, end) where isMark(position, ";") {
            declared(from: first, to: position, of: owner).map { result.append($0) }
            first = position + 1
        }
        at = end + 1
        return result
    }

    private mutating func property(of owner: String) -> Property? {
        at += 1
        if isMark(at, "("), let end = closing(at) { at = end + 1 }
        let first = at
        while at < limit, !isMark(at, ";"), text(at) != "@end" { at = (closing(at) ?? at) + 1 }
        return declared(from: first, to: at, of: owner)
    }

    /// `IBOutlet UITextField *passwordField`
    private func declared(from first: Int, to end: Int, of owner: String) -> Property? {
        guard end - 1 > first, let position = (first..<end).last(where: { isName($0) && !isMark($0 + 1, "(") }) else {
            return nil
        }
        let isOutlet = (first..<end).contains { text($0) == "IBOutlet" }
        let place = span(from: position, to: position + 1)
        return Property(
            name: ObjCNames.plain(text(position)), type: type(from: first, to: position),
            attributes: isOutlet ? [Attribute(name: "IBOutlet", arguments: [], span: place)] : [], modifiers: [],
            value: nil, isConstant: false, isComputed: false, owner: owner, file: path, span: place)
    }

    private mutating func implementation() {
        let name = text(at + 1)
        let place = span(from: at + 1, to: at + 2)
        at += 2
        var isCategory = false
        if isMark(at, "("), let end = closing(at) {
            at = end + 1
            isCategory = true
        }
        let properties = instanceVariables(of: name)
        var methods: [Function] = []
        while at < limit, text(at) != "@end" {
            if isMark(at, "-") || isMark(at, "+"), isMark(at + 1, "(") {
                method(of: name).map { methods.append($0) }
            } else if text(at) == "@implementation" || text(at) == "@interface" {
                break
            } else {
                outside()
            }
        }
        if text(at) == "@end" { at += 1 }
        add(name, [], properties, methods, kind: isCategory ? .extension : .class, at: place)
    }

    private mutating func add(
        _ name: String, _ inherits: [String], _ properties: [Property], _ methods: [Function],
        kind: TypeDeclaration.Kind, at place: SourceSpan
    ) {
        types.append(
            TypeDeclaration(
                kind: kind, name: name, inherits: inherits, attributes: [], modifiers: [], properties: properties,
                functions: methods, cases: [], file: path, span: place))
    }

    private mutating func method(of owner: String) -> Function? {
        let start = at
        let isClass = isMark(at, "+")
        guard let close = closing(at + 1) else {
            at += 1
            return nil
        }
        let returns = type(from: at + 2, to: close)
        at = close + 1
        var parts: [String] = []
        var parameters: [Parameter] = []
        while at < limit, !isMark(at, "{"), !isMark(at, ";"), tokens[at].kind != .directive {
            guard isName(at), isMark(at + 1, ":"), isMark(at + 2, "("), let end = closing(at + 2) else {
                if isName(at), parts.isEmpty { parts.append(text(at)) }
                if isMark(at, ","), isMark(at + 1, "."), isMark(at + 2, ".") { parameters.append(.unnamed) }
                at += 1
                continue
            }
            parameters.append(
                Parameter(
                    label: parts.isEmpty ? nil : text(at), name: text(end + 1), type: type(from: at + 3, to: end)))
            parts.append(text(at))
            at = end + 2
        }
        if isMark(at, ";"), isMark(at + 1, "{") { at += 1 }
        guard isMark(at, "{"), let end = closing(at) else {
            at += 1
            return nil
        }
        let body = block(at)
        at = end + 1
        let isAction = returns == "IBAction"
        let place = span(from: start, to: end)
        return Function(
            name: parts.first ?? "", kind: parts.first?.hasPrefix("init") == true ? .initializer : .function,
            parameters: parameters, returns: returns == "Void" || isAction ? nil : returns,
            attributes: isAction ? [Attribute(name: "IBAction", arguments: [], span: place)] : [],
            modifiers: isClass ? ["static"] : [], body: body, owner: owner, file: path, span: place)
    }

    // MARK: Types

    /// The type that words name, as Swift calls it.
    func type(from start: Int, to end: Int) -> String {
        var position = start
        var found = ""
        while position < end {
            if isMark(position, "<") { break }
            if isMark(position, "("), isMark(position + 1, "^") { return "() -> Void" }
            if isName(position), !ObjCNames.qualifiers.contains(text(position)) {
                found = found.isEmpty || found == "Int" ? ObjCNames.type(text(position)) : found
            }
            position += 1
        }
        return found
    }

    static let keywords: Set<String> = [
        "if", "while", "for", "switch", "return", "sizeof", "else", "do", "case", "default", "goto", "break",
        "continue", "catch",
    ]
}

/// For each opening bracket the position of its closing one, and the other way round.
struct ObjCBrackets: Sendable {
    private(set) var partner: [Int?]

    init(_ tokens: [ObjCToken]) {
        partner = Array(repeating: nil, count: tokens.count)
        var open: [Int] = []
        for (position, token) in tokens.enumerated() where token.kind == .mark {
            switch token.text {
            case "(", "[", "{": open.append(position)
            case ")", "]", "}":
                // A brace closes what was left open inside it.
                while let last = open.last, token.text == "}", tokens[last].text != "{" { open.removeLast() }
                guard let last = open.last, Self.fits(tokens[last].text, token.text) else { continue }
                open.removeLast()
                partner[last] = position
                partner[position] = last
            default: break
            }
        }
    }

    private static func fits(_ left: String, _ right: String) -> Bool {
        left == "(" && right == ")" || left == "[" && right == "]" || left == "{" && right == "}"
    }
}

extension Parameter {
    /// `...` of C and Objective-C.
    fileprivate static var unnamed: Parameter { Parameter(label: nil, name: "arguments", type: "Any...") }
}
