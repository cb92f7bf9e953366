// SPDX-License-Identifier: Apache-2.0

import SwiftParser
import SwiftSyntax

/// Turns a file's syntax tree into declarations, and keeps nothing of the tree.
final class SwiftReader {
    /// What nests deeper is left out: rules visit expressions by recursion.
    static let deepest = 400
    /// What nests deeper isn't even parsed: the parser's time grows with the square of it.
    private static let deepestParsed = 500
    /// More operands in a row are kept without their operators.
    static let mostOperands = 400

    let path: String
    var types: [TypeDeclaration] = []
    var functions: [Function] = []
    var variables: [Property] = []
    var imports: [String] = []
    var aliases: [(name: String, type: String)] = []
    var depth = 0
    /// Something was nested too deep to be read.
    private(set) var isCut = false
    private let lineStarts: [UInt32]
    private var names: [String: String] = [:]

    private init(path: String, bytes: [UInt8]) {
        self.path = path
        var starts: [UInt32] = [0]
        for (index, byte) in bytes.enumerated() where byte == 0x0A { starts.append(UInt32(index + 1)) }
        lineStarts = starts
    }

    static func read(_ source: [UInt8], path: String) -> SwiftFile {
        var bytes = source
        let isMerging = ConflictMarkers.blank(&bytes)
        var cut = Nests.flatten(&bytes)
        // A byte order mark is white space to the parser, and invalid UTF-8 is repaired, so that offsets stay those of what was parsed.
        let text = String(decoding: bytes, as: UTF8.self)
        if text.utf8.count != bytes.count { bytes = Array(text.utf8) }
        let reader = SwiftReader(path: path, bytes: bytes)
        var parser = Parser(text, maximumNestingLevel: deepestParsed)
        let tree = SourceFileSyntax.parse(from: &parser)
        reader.readFile(tree)
        if reader.isCut || tree.hasError && nesting(of: bytes) >= deepestParsed { cut.isNest = true }
        return SwiftFile(
            path: path, imports: reader.imports, types: reader.types, functions: reader.functions,
            variables: reader.variables, aliases: reader.aliases,
            hasErrors: tree.hasError, cut: cut.reason, isMerging: isMerging,
            lines: reader.lineStarts.count)
    }

    /// How deep the brackets of a file nest, texts and comments counted alike.
    private static func nesting(of bytes: [UInt8]) -> Int {
        var (depth, deepest) = (0, 0)
        for byte in bytes {
            switch byte {
            case UInt8(ascii: "("), UInt8(ascii: "["), UInt8(ascii: "{"): depth += 1
            case UInt8(ascii: ")"), UInt8(ascii: "]"), UInt8(ascii: "}"): depth -= 1
            default: continue
            }
            deepest = max(deepest, depth)
        }
        return deepest
    }

    private func readFile(_ tree: SourceFileSyntax) {
        var statements: [Statement] = []
        for item in shipped(tree.statements) {
            guard case .decl(let declaration) = item.item else {
                if let statement = statement(item) { statements.append(statement) }
                continue
            }
            let body = MemberBody()
            read(declaration, into: body, owner: nil)
            functions += body.functions
            variables += body.properties
        }
        if !statements.isEmpty, let first = statements.first {
            functions.append(
                Function(name: "main", kind: .function, body: statements, owner: nil, file: path, span: first.span))
        }
    }

    // MARK: Places and names

    func span(_ node: some SyntaxProtocol) -> SourceSpan {
        span(
            from: node.positionAfterSkippingLeadingTrivia.utf8Offset,
            to: node.endPositionBeforeTrailingTrivia.utf8Offset)
    }

    func span(from start: Int, to end: Int) -> SourceSpan {
        let offset = UInt32(clamping: start)
        var low = 0
        var high = lineStarts.count
        while high - low > 1 {
            let middle = (low + high) / 2
            if lineStarts[middle] <= offset { low = middle } else { high = middle }
        }
        return SourceSpan(
            line: UInt32(low + 1), column: offset - lineStarts[low] + 1, start: offset, end: UInt32(clamping: end))
    }

    /// A token's text, without backticks; one string for equal long names of a file.
    func name(_ token: TokenSyntax) -> String {
        var text = token.text
        if text.hasPrefix("`"), text.hasSuffix("`"), text.utf8.count > 2 { text = String(text.dropFirst().dropLast()) }
        guard text.utf8.count > 15 else { return text }
        if let known = names[text] { return known }
        names[text] = text
        return text
    }

    func text(_ type: TypeSyntax) -> String {
        if let simple = type.as(IdentifierTypeSyntax.self), simple.genericArgumentClause == nil {
            return name(simple.name)
        }
        return type.trimmedDescription
    }

    // MARK: Conditional compilation

    /// The items that the shipped app is compiled from: both branches of `#if` where its condition says nothing about debugging.
    func shipped(_ items: CodeBlockItemListSyntax) -> [CodeBlockItemSyntax] {
        var result: [CodeBlockItemSyntax] = []
        for item in items {
            guard case .decl(let declaration) = item.item, let conditional = declaration.as(IfConfigDeclSyntax.self)
            else {
                result.append(item)
                continue
            }
            for clause in ConditionalCode.shipped(conditional) {
                if case .statements(let inner) = clause.elements { result += nested { shipped(inner) } ?? [] }
            }
        }
        return result
    }

    func shipped(_ items: MemberBlockItemListSyntax) -> [DeclSyntax] {
        var result: [DeclSyntax] = []
        for item in items {
            guard let conditional = item.decl.as(IfConfigDeclSyntax.self) else {
                result.append(item.decl)
                continue
            }
            for clause in ConditionalCode.shipped(conditional) {
                if case .decls(let inner) = clause.elements { result += nested { shipped(inner) } ?? [] }
            }
        }
        return result
    }

    /// Nil where nesting is too deep.
    func nested<Result>(_ body: () -> Result) -> Result? {
        guard depth < Self.deepest else {
            isCut = true
            return nil
        }
        depth += 1
        defer { depth -= 1 }
        return body()
    }
}

/// What conditions of `#if` say about a shipped app.
enum ConditionalCode {
    static func shipped(_ declaration: IfConfigDeclSyntax) -> [IfConfigClauseSyntax] {
        var result: [IfConfigClauseSyntax] = []
        for clause in declaration.clauses {
            switch clause.condition.map({ holds($0.trimmedDescription) }) ?? .some(true) {
            case .some(true):
                result.append(clause)
                return result
            case .none: result.append(clause)
            case .some(false): break
            }
        }
        return result
    }

    /// Nil where it can't be told.
    static func holds(_ condition: String) -> Bool? {
        let plain = condition.filter { !$0.isWhitespace }
        if let range = plain.firstRange(of: "||") {
            let sides = (holds(String(plain[..<range.lowerBound])), holds(String(plain[range.upperBound...])))
            if sides.0 == true || sides.1 == true { return true }
            return sides.0 == false && sides.1 == false ? false : nil
        }
        if let range = plain.firstRange(of: "&&") {
            let sides = (holds(String(plain[..<range.lowerBound])), holds(String(plain[range.upperBound...])))
            if sides.0 == false || sides.1 == false { return false }
            return sides.0 == true && sides.1 == true ? true : nil
        }
        if plain.hasPrefix("!") { return holds(String(plain.dropFirst())).map { !$0 } }
        switch plain.trimmingParentheses {
        case "DEBUG", "targetEnvironment(simulator)", "TESTING", "UITESTING", "PREVIEW", "false", "0": return false
        // RELEASE is what a project may define itself; no build does.
        case "true", "1": return true
        default: return nil
        }
    }
}

extension String {
    fileprivate var trimmingParentheses: String {
        hasPrefix("(") && hasSuffix(")") ? String(dropFirst().dropLast()) : self
    }
}
