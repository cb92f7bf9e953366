// SPDX-License-Identifier: Apache-2.0

import SwiftSyntax

extension SwiftReader {
    func statements(_ items: CodeBlockItemListSyntax) -> [Statement] {
        nested { shipped(items).flatMap { statementList($0) } } ?? []
    }

    func statement(_ item: CodeBlockItemSyntax) -> Statement? { statementList(item).first }

    private func statementList(_ item: CodeBlockItemSyntax) -> [Statement] {
        switch item.item {
        case .decl(let declaration): local(declaration)
        case .stmt(let statement): self.statement(statement).map { [$0] } ?? []
        case .expr(let expression): [self.statement(expression)]
        }
    }

    private func local(_ declaration: DeclSyntax) -> [Statement] {
        let place = span(declaration)
        switch declaration.as(DeclSyntaxEnum.self) {
        case .variableDecl(let node):
            return node.bindings.flatMap { binding -> [Statement] in
                let value = binding.initializer.map { expression($0.value) }
                let type = binding.typeAnnotation.map { text($0.type) } ?? value.flatMap(Self.evidentType)
                let bound = Binding(
                    names: patternNames(binding.pattern), type: type, value: value,
                    isConstant: node.bindingSpecifier.text == "let")
                var result = [Statement(kind: .bind(bound), span: span(binding))]
                if let block = binding.accessorBlock {
                    let body: [Statement] =
                        switch block.accessors {
                        case .getter(let items): statements(items)
                        case .accessors(let list): list.flatMap { $0.body.map { statements($0.statements) } ?? [] }
                        }
                    let name = bound.names.first ?? "_"
                    result.append(
                        Statement(
                            kind: .function(
                                Function(name: name, kind: .getter, body: body, owner: nil, file: path, span: place)),
                            span: place))
                }
                return result
            }
        case .functionDecl, .initializerDecl:
            let body = MemberBody()
            read(declaration, into: body, owner: nil)
            return body.functions.map { Statement(kind: .function($0), span: place) }
        case .classDecl, .structDecl, .enumDecl, .actorDecl:
            return localType(declaration).map { [Statement(kind: .type($0), span: place)] } ?? []
        case .macroExpansionDecl(let node):
            return [
                Statement(
                    kind: .expression(Expression(.macro(name(node.macroName), arguments(node.arguments)), place)),
                    span: place)
            ]
        default: return []
        }
    }

    private func statement(_ expression: ExprSyntax) -> Statement {
        let place = span(expression)
        switch expression.as(ExprSyntaxEnum.self) {
        case .ifExpr(let node): return Statement(kind: .branch(branch(node)), span: place)
        case .switchExpr(let node):
            return Statement(kind: .choose(self.expression(node.subject), cases(node.cases)), span: place)
        default: return Statement(kind: .expression(self.expression(expression)), span: place)
        }
    }

    private func statement(_ node: StmtSyntax) -> Statement? {
        let place = span(node)
        func make(_ kind: Statement.Kind) -> Statement { Statement(kind: kind, span: place) }
        switch node.as(StmtSyntaxEnum.self) {
        case .expressionStmt(let node): return statement(node.expression)
        case .guardStmt(let node):
            return make(
                .branch(
                    Branch(
                        conditions: conditions(node.conditions), then: [], otherwise: statements(node.body.statements),
                        isGuard: true)))
        case .forStmt(let node):
            var body = statements(node.body.statements)
            if let condition = node.whereClause?.condition {
                body.insert(Statement(kind: .expression(expression(condition)), span: span(condition)), at: 0)
            }
            return make(.loop(names: patternNames(node.pattern), over: expression(node.sequence), body: body))
        case .whileStmt(let node):
            return make(.repetition(conditions: conditions(node.conditions), body: statements(node.body.statements)))
        case .repeatStmt(let node):
            return make(
                .repetition(
                    conditions: [.expression(expression(node.condition))], body: statements(node.body.statements)))
        case .doStmt(let node):
            return make(
                .attempt(
                    statements(node.body.statements), catches: node.catchClauses.map { statements($0.body.statements) })
            )
        case .returnStmt(let node): return make(.leave(.return, node.expression.map { expression($0) }))
        case .throwStmt(let node): return make(.leave(.throw, expression(node.expression)))
        case .breakStmt, .continueStmt, .fallThroughStmt: return make(.leave(.other, nil))
        case .deferStmt(let node): return make(.later(statements(node.body.statements)))
        case .labeledStmt(let node): return nested { statement(node.statement) } ?? nil
        default: return nil
        }
    }

    func branch(_ node: IfExprSyntax) -> Branch {
        var otherwise: [Statement] = []
        switch node.elseBody {
        case .codeBlock(let block): otherwise = statements(block.statements)
        case .ifExpr(let next):
            if let inner = nested({ branch(next) }) { otherwise = [Statement(kind: .branch(inner), span: span(next))] }
        case nil: break
        }
        return Branch(
            conditions: conditions(node.conditions), then: statements(node.body.statements), otherwise: otherwise,
            isGuard: false)
    }

    private func conditions(_ list: ConditionElementListSyntax) -> [Condition] {
        list.map { element in
            switch element.condition {
            case .expression(let node): .expression(expression(node))
            case .availability: .available
            case .matchingPattern(let node):
                .matches(
                    pattern: pattern(node.pattern), names: patternNames(node.pattern),
                    value: expression(node.initializer.value))
            case .optionalBinding(let node):
                {
                    let names = patternNames(node.pattern)
                    let value =
                        node.initializer.map { expression($0.value) }
                        ?? Expression(.name(names.first ?? "_"), span(node.pattern))
                    let type = node.typeAnnotation.map { text($0.type) } ?? Self.evidentType(value)
                    return .bind(
                        Binding(names: names, type: type, value: value, isConstant: node.bindingSpecifier.text == "let")
                    )
                }()
            }
        }
    }

    func cases(_ list: SwitchCaseListSyntax) -> [SwitchCase] {
        list.flatMap { element -> [SwitchCase] in
            switch element {
            case .ifConfigDecl(let node):
                return ConditionalCode.shipped(node).flatMap { clause -> [SwitchCase] in
                    guard case .switchCases(let inner) = clause.elements else { return [] }
                    return nested { cases(inner) } ?? []
                }
            case .switchCase(let node):
                var patterns: [Expression] = []
                var names: [String] = []
                if case .case(let label) = node.label {
                    for item in label.caseItems {
                        patterns.append(pattern(item.pattern))
                        names += patternNames(item.pattern)
                    }
                }
                return [SwitchCase(patterns: patterns, names: names, body: statements(node.statements))]
            }
        }
    }

    private func pattern(_ node: PatternSyntax) -> Expression {
        let place = span(node)
        switch node.as(PatternSyntaxEnum.self) {
        case .expressionPattern(let node): return expression(node.expression)
        case .valueBindingPattern(let node): return nested { pattern(node.pattern) } ?? Expression(.other([]), place)
        case .identifierPattern(let node): return Expression(.name(name(node.identifier)), place)
        case .tuplePattern(let node):
            return Expression(.other(nested { node.elements.map { pattern($0.pattern) } } ?? []), place)
        default: return Expression(.name("_"), place)
        }
    }
}
