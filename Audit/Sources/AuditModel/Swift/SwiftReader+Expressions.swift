// SPDX-License-Identifier: Apache-2.0

import SwiftSyntax

extension SwiftReader {
    /// What an older Swift calls as Objective-C does.
    private static let renamed = ["secureTextEntry": "isSecureTextEntry"]

    func expression(_ node: ExprSyntax) -> Expression {
        nested { convert(node) } ?? Expression(.other([]), span(node))
    }

    private func convert(_ node: ExprSyntax) -> Expression {
        func make(_ kind: Expression.Kind) -> Expression { Expression(kind, span(node)) }
        switch node.as(ExprSyntaxEnum.self) {
        case .declReferenceExpr(let node): return make(.name(name(node.baseName)))
        case .memberAccessExpr(let node):
            let written = name(node.declName.baseName)
            let member = Self.renamed[written] ?? written
            if let base = node.base { return make(.member(expression(base), member)) }
            return make(.member(nil, member))
        case .functionCallExpr(let node): return make(.call(expression(node.calledExpression), callArguments(node)))
        case .subscriptCallExpr(let node):
            return make(.element(expression(node.calledExpression), arguments(node.arguments)))
        case .stringLiteralExpr(let node): return make(.text(parts(node)))
        case .simpleStringLiteralExpr(let node):
            return make(.text([.literal(node.segments.map(\.content.text).joined())]))
        case .integerLiteralExpr(let node): return make(.number(node.literal.text))
        case .floatLiteralExpr(let node): return make(.number(node.literal.text))
        case .booleanLiteralExpr(let node): return make(.boolean(node.literal.text == "true"))
        case .nilLiteralExpr: return make(.none)
        case .superExpr: return make(.name("super"))
        case .discardAssignmentExpr: return make(.name("_"))
        case .closureExpr(let node): return make(.closure(closure(node)))
        case .arrayExpr(let node): return make(.array(node.elements.map { expression($0.expression) }))
        case .dictionaryExpr(let node):
            guard case .elements(let list) = node.content else { return make(.dictionary([])) }
            return make(.dictionary(list.map { (expression($0.key), expression($0.value)) }))
        case .tupleExpr(let node):
            if node.elements.count == 1, let only = node.elements.first, only.label == nil {
                return expression(only.expression)
            }
            return make(.tuple(arguments(node.elements)))
        case .sequenceExpr(let node): return fold(node)
        case .tryExpr(let node):
            let inner = expression(node.expression)
            return node.questionOrExclamationMark?.text == "?" ? make(.attempt(inner)) : inner
        case .awaitExpr(let node): return expression(node.expression)
        case .unsafeExpr(let node): return expression(node.expression)
        case .forceUnwrapExpr(let node): return expression(node.expression)
        case .optionalChainingExpr(let node): return expression(node.expression)
        case .genericSpecializationExpr(let node):
            guard node.expression.is(DeclReferenceExprSyntax.self) else { return expression(node.expression) }
            return make(.name(node.trimmedDescription))
        case .inOutExpr(let node): return make(.unary("&", expression(node.expression)))
        case .prefixOperatorExpr(let node): return make(.unary(node.operator.text, expression(node.expression)))
        case .postfixOperatorExpr(let node): return expression(node.expression)
        case .keyPathExpr(let node): return make(.keyPath(String(node.trimmedDescription.dropFirst())))
        // A preview is no part of the shipped app.
        case .macroExpansionExpr(let node) where node.macroName.text == "Preview": return make(.other([]))
        case .macroExpansionExpr(let node):
            return make(
                .macro(
                    name(node.macroName),
                    arguments(node.arguments) + trailing(node.trailingClosure, node.additionalTrailingClosures)))
        case .ifExpr(let node): return make(.block([Statement(kind: .branch(branch(node)), span: span(node))]))
        case .switchExpr(let node):
            return make(
                .block([Statement(kind: .choose(expression(node.subject), cases(node.cases)), span: span(node))]))
        case .patternExpr(let node): return make(.name(patternNames(node.pattern).first ?? "_"))
        case .typeExpr(let node): return make(.name(text(node.type)))
        case .postfixIfConfigExpr(let node):
            // The base goes on; what the branches add to the chain is kept beside it.
            var inner = node.base.map { [expression($0)] } ?? []
            for clause in ConditionalCode.shipped(node.config) {
                if case .postfixExpression(let added) = clause.elements { inner.append(expression(added)) }
            }
            return inner.count == 1 ? inner[0] : make(.other(inner))
        case .copyExpr(let node): return expression(node.expression)
        case .consumeExpr(let node): return expression(node.expression)
        case .borrowExpr(let node): return expression(node.expression)
        default: return make(.other([]))
        }
    }

    func arguments(_ list: LabeledExprListSyntax) -> [Argument] {
        list.map { Argument(label: $0.label.map { name($0) }, value: expression($0.expression), isTrailing: false) }
    }

    private func callArguments(_ node: FunctionCallExprSyntax) -> [Argument] {
        arguments(node.arguments) + trailing(node.trailingClosure, node.additionalTrailingClosures)
    }

    private func trailing(_ first: ClosureExprSyntax?, _ others: MultipleTrailingClosureElementListSyntax) -> [Argument]
    {
        var result: [Argument] = []
        if let first {
            result.append(
                Argument(label: nil, value: Expression(.closure(closure(first)), span(first)), isTrailing: true))
        }
        for other in others {
            let value = Expression(.closure(closure(other.closure)), span(other.closure))
            result.append(Argument(label: name(other.label), value: value, isTrailing: true))
        }
        return result
    }

    private func closure(_ node: ClosureExprSyntax) -> Closure {
        var parameters: [String] = []
        switch node.signature?.parameterClause {
        case .simpleInput(let list): parameters = list.map { name($0.name) }
        case .parameterClause(let clause): parameters = clause.parameters.map { name($0.secondName ?? $0.firstName) }
        case nil: break
        }
        let captures = node.signature?.capture?.items.map { name($0.name) } ?? []
        return Closure(parameters: parameters, captures: captures, body: statements(node.statements))
    }

    private func parts(_ node: StringLiteralExprSyntax) -> [TextPart] {
        node.segments.map { segment in
            switch segment {
            case .stringSegment(let text): .literal(text.content.text)
            case .expressionSegment(let inner): .interpolation(arguments(inner.expressions))
            }
        }
    }

    // MARK: Operators

    private enum Item {
        case operand(Expression)
        case binary(String)
        case ternary(then: Expression)
        case cast(String)
    }

    private func fold(_ node: SequenceExprSyntax) -> Expression {
        var items: [Item] = []
        // Operands nest to the left, so a long row counts as depth.
        let cost = node.elements.count / 4
        depth += cost
        defer { depth -= cost }
        for element in node.elements {
            switch element.as(ExprSyntaxEnum.self) {
            case .binaryOperatorExpr(let node): items.append(.binary(node.operator.text))
            case .assignmentExpr: items.append(.binary("="))
            case .arrowExpr: items.append(.binary("->"))
            case .unresolvedTernaryExpr(let node): items.append(.ternary(then: expression(node.thenExpression)))
            case .unresolvedAsExpr(let node): items.append(.cast("as" + (node.questionOrExclamationMark?.text ?? "")))
            case .unresolvedIsExpr: items.append(.cast("is"))
            case .typeExpr(let node): items.append(.operand(Expression(.name(text(node.type)), span(node))))
            default: items.append(.operand(expression(element)))
            }
        }
        guard items.count <= 2 * Self.mostOperands else {
            return Expression(
                .other(items.compactMap { if case .operand(let value) = $0 { value } else { nil } }), span(node))
        }
        var index = 0
        return fold(items, &index, above: 0) ?? Expression(.other([]), span(node))
    }

    private func fold(_ items: [Item], _ index: inout Int, above least: Int) -> Expression? {
        guard index < items.count, case .operand(var left) = items[index] else { return nil }
        index += 1
        while index < items.count {
            switch items[index] {
            case .operand: return left
            case .binary(let name):
                let (precedence, fromRight) = Self.precedence(name)
                guard precedence >= least else { return left }
                index += 1
                guard let right = fold(items, &index, above: fromRight ? precedence : precedence + 1) else {
                    return left
                }
                left = Expression(.binary(name, left, right), joined(left, right))
            case .ternary(let then):
                guard 2 >= least else { return left }
                index += 1
                guard let right = fold(items, &index, above: 2) else { return left }
                left = Expression(.choice(condition: left, then: then, otherwise: right), joined(left, right))
            case .cast(let operation):
                guard 8 >= least else { return left }
                index += 1
                guard index < items.count, case .operand(let type) = items[index] else { return left }
                index += 1
                left = Expression(.cast(left, operation, type: type.dotted), joined(left, type))
            }
        }
        return left
    }

    private func joined(_ left: Expression, _ right: Expression) -> SourceSpan {
        var whole = left.span
        whole.end = right.span.end
        return whole
    }

    private static func precedence(_ name: String) -> (Int, fromRight: Bool) {
        switch name {
        case "=", "+=", "-=", "*=", "/=", "%=", "&=", "|=", "^=", "<<=", ">>=", "??=": (1, true)
        case "||": (4, false)
        case "&&": (5, false)
        case "==", "!=", "<", ">", "<=", ">=", "===", "!==", "~=", "->": (6, false)
        case "??": (7, true)
        case "...", "..<": (9, false)
        case "+", "-", "|", "^", "&+", "&-": (10, false)
        case "*", "/", "%", "&", "&*": (11, false)
        case "<<", ">>": (12, false)
        default: (9, false)
        }
    }
}
