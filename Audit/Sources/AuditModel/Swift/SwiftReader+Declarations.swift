// SPDX-License-Identifier: Apache-2.0

import SwiftSyntax

/// The members of a type while they are collected.
final class MemberBody {
    var properties: [Property] = []
    var functions: [Function] = []
    var cases: [EnumCase] = []
}

extension SwiftReader {
    /// Reads one declaration: members into `body`, types (nested ones too) into the file's list.
    func read(_ declaration: DeclSyntax, into body: MemberBody, owner: String?) {
        switch declaration.as(DeclSyntaxEnum.self) {
        case .importDecl(let node): imports.append(node.path.trimmedDescription)
        case .classDecl(let node): readType(.class, node, name(node.name), node.name, owner: owner)
        case .structDecl(let node): readType(.struct, node, name(node.name), node.name, owner: owner)
        case .enumDecl(let node): readType(.enum, node, name(node.name), node.name, owner: owner)
        case .actorDecl(let node): readType(.actor, node, name(node.name), node.name, owner: owner)
        case .protocolDecl(let node): readType(.protocol, node, name(node.name), node.name, owner: owner)
        case .extensionDecl(let node):
            readType(.extension, node, text(node.extendedType), node.extendedType, owner: nil)
        case .variableDecl(let node): readVariables(node, into: body, owner: owner)
        case .functionDecl(let node):
            let inner = node.body.map { statements($0.statements) }
            body.functions.append(
                Function(
                    name: name(node.name), kind: .function, parameters: parameters(node.signature.parameterClause),
                    returns: node.signature.returnClause.map { text($0.type) }, attributes: attributes(node.attributes),
                    modifiers: modifiers(node.modifiers), body: inner ?? [], owner: owner, file: path,
                    span: span(node.name)))
        case .initializerDecl(let node):
            body.functions.append(
                Function(
                    name: "init", kind: .initializer, parameters: parameters(node.signature.parameterClause),
                    attributes: attributes(node.attributes),
                    modifiers: modifiers(node.modifiers), body: node.body.map { statements($0.statements) } ?? [],
                    owner: owner, file: path,
                    span: span(node.initKeyword)))
        case .deinitializerDecl(let node):
            body.functions.append(
                Function(
                    name: "deinit", kind: .deinitializer, body: node.body.map { statements($0.statements) } ?? [],
                    owner: owner, file: path,
                    span: span(node.deinitKeyword)))
        case .subscriptDecl(let node):
            if let block = node.accessorBlock {
                readAccessors(
                    block, name: "subscript", parameters: parameters(node.parameterClause), into: body, owner: owner,
                    at: span(node))
            }
        case .enumCaseDecl(let node):
            for element in node.elements {
                body.cases.append(
                    EnumCase(
                        name: name(element.name), raw: element.rawValue.flatMap { expression($0.value).literal },
                        payload: element.parameterClause?.parameters.map { text($0.type) } ?? []))
            }
        case .ifConfigDecl(let node):
            for clause in ConditionalCode.shipped(node) {
                if case .decls(let members) = clause.elements {
                    for member in shipped(members) { read(member, into: body, owner: owner) }
                }
                if case .statements(let items) = clause.elements {
                    for item in shipped(items) {
                        if case .decl(let inner) = item.item { read(inner, into: body, owner: owner) }
                    }
                }
            }
        case .typeAliasDecl(let node): aliases.append((name(node.name), text(node.initializer.value)))
        // `#Preview` and other macros at file level aren't part of the shipped app, or say nothing.
        default: break
        }
    }

    @discardableResult
    private func readType(
        _ kind: TypeDeclaration.Kind, _ node: some DeclGroupSyntax, _ name: String, _ place: some SyntaxProtocol,
        owner: String?
    ) -> TypeDeclaration? {
        let inherits = node.inheritanceClause?.inheritedTypes.map { text($0.type) } ?? []
        guard !inherits.contains("PreviewProvider") else { return nil }
        return nested {
            let qualified = owner.map { $0 + "." + name } ?? name
            let body = MemberBody()
            let index = types.count
            for member in shipped(node.memberBlock.members) { read(member, into: body, owner: qualified) }
            let declaration = TypeDeclaration(
                kind: kind, name: qualified, inherits: inherits, attributes: attributes(node.attributes),
                modifiers: modifiers(node.modifiers),
                properties: body.properties, functions: body.functions, cases: body.cases, file: path, span: span(place)
            )
            types.insert(declaration, at: index)
            return declaration
        }
    }

    /// A type declared in a function: it goes to the file's list like others.
    func localType(_ declaration: DeclSyntax) -> TypeDeclaration? {
        let count = types.count
        read(declaration, into: MemberBody(), owner: nil)
        return types.count > count ? types[count] : nil
    }

    private func readVariables(_ node: VariableDeclSyntax, into body: MemberBody, owner: String?) {
        let attributes = attributes(node.attributes)
        let modifiers = modifiers(node.modifiers)
        let isConstant = node.bindingSpecifier.text == "let"
        for binding in node.bindings {
            let value = binding.initializer.map { expression($0.value) }
            let type = binding.typeAnnotation.map { text($0.type) } ?? value.flatMap(Self.evidentType)
            var isComputed = false
            if let block = binding.accessorBlock {
                isComputed = readAccessors(
                    block, name: patternNames(binding.pattern).first ?? "_", parameters: [], returns: type, into: body,
                    owner: owner,
                    at: span(binding.pattern))
            }
            for (index, name) in patternNames(binding.pattern).enumerated() {
                body.properties.append(
                    Property(
                        name: name, type: type, attributes: attributes, modifiers: modifiers, value: value,
                        isConstant: isConstant,
                        isComputed: isComputed, owner: owner, file: path, span: span(binding.pattern)))
                // A value can call and contain closures, so rules find it as a function's body too.
                if index == 0, let value, Self.holdsCode(value) {
                    let statement = Statement(kind: .leave(.return, value), span: value.span)
                    body.functions.append(
                        Function(
                            name: name, kind: .initialValue, modifiers: modifiers, body: [statement], owner: owner,
                            file: path, span: value.span))
                }
            }
        }
    }

    /// Whether the accessors compute the value.
    @discardableResult
    private func readAccessors(
        _ block: AccessorBlockSyntax, name: String, parameters: [Parameter], returns: String? = nil,
        into body: MemberBody, owner: String?,
        at place: SourceSpan
    ) -> Bool {
        func add(_ kind: Function.Kind, _ items: CodeBlockItemListSyntax, _ parameters: [Parameter], _ modifier: String)
        {
            body.functions.append(
                Function(
                    name: name, kind: kind, parameters: parameters, returns: kind == .getter ? returns : nil,
                    modifiers: [modifier],
                    body: statements(items), owner: owner, file: path, span: place))
        }
        switch block.accessors {
        case .getter(let items):
            add(.getter, items, parameters, "get")
            return true
        case .accessors(let list):
            var computes = false
            for accessor in list {
                let word = accessor.accessorSpecifier.text
                let observes = word == "didSet" || word == "willSet"
                computes = computes || !observes
                guard let items = accessor.body?.statements else { continue }
                let value =
                    accessor.parameters.map { self.name($0.name) } ?? (word == "didSet" ? "oldValue" : "newValue")
                let given =
                    word == "set" || observes
                    ? parameters + [Parameter(label: nil, name: value, type: returns ?? "")] : parameters
                add(observes ? .observer : word == "set" ? .setter : .getter, items, given, word)
            }
            return computes
        }
    }

    func attributes(_ list: AttributeListSyntax) -> [Attribute] {
        list.compactMap { element in
            guard case .attribute(let attribute) = element else { return nil }
            var arguments: [Argument] = []
            if case .argumentList(let list) = attribute.arguments { arguments = self.arguments(list) }
            return Attribute(
                name: lastPart(of: text(attribute.attributeName)), arguments: arguments, span: span(attribute))
        }
    }

    func modifiers(_ list: DeclModifierListSyntax) -> [String] { list.map { name($0.name) } }

    func parameters(_ clause: FunctionParameterClauseSyntax) -> [Parameter] {
        clause.parameters.map { parameter in
            let first = name(parameter.firstName)
            return Parameter(
                label: first == "_" ? nil : first, name: parameter.secondName.map { name($0) } ?? first,
                type: text(parameter.type) + (parameter.ellipsis == nil ? "" : "..."),
                text: parameter.defaultValue.flatMap { expression($0.value).literal })
        }
    }

    func patternNames(_ pattern: PatternSyntax) -> [String] {
        switch pattern.as(PatternSyntaxEnum.self) {
        case .identifierPattern(let node): [name(node.identifier)]
        case .tuplePattern(let node): nested { node.elements.flatMap { patternNames($0.pattern) } } ?? []
        case .valueBindingPattern(let node): nested { patternNames(node.pattern) } ?? []
        case .expressionPattern(let node): nested { boundNames(in: node.expression) } ?? []
        default: []
        }
    }

    /// The names that `let` binds inside of a pattern such as `.success(let token)`.
    private func boundNames(in expression: ExprSyntax) -> [String] {
        switch expression.as(ExprSyntaxEnum.self) {
        case .patternExpr(let node): patternNames(node.pattern)
        case .functionCallExpr(let node): nested { node.arguments.flatMap { boundNames(in: $0.expression) } } ?? []
        case .tupleExpr(let node): nested { node.elements.flatMap { boundNames(in: $0.expression) } } ?? []
        case .optionalChainingExpr(let node): nested { boundNames(in: node.expression) } ?? []
        case .sequenceExpr(let node): nested { node.elements.flatMap { boundNames(in: $0) } } ?? []
        default: []
        }
    }

    /// The type that a value shows by itself: a literal's, or that of `Type(...)`.
    static func evidentType(_ value: Expression) -> String? {
        switch value.kind {
        case .text: "String"
        case .boolean: "Bool"
        case .number(let digits): digits.contains(".") ? "Double" : "Int"
        case .call(let callee, _):
            switch callee.kind {
            case .name(let name) where name.first?.isUppercase == true: name
            case .member(let base?, let name) where name.first?.isUppercase == true || name == "init":
                name == "init" ? base.dotted : callee.dotted
            default: nil
            }
        case .cast(_, let operation, let type): operation == "is" ? "Bool" : operation == "as?" ? type + "?" : type
        case .array(let elements): elements.first.flatMap(evidentType).map { "[" + $0 + "]" }
        default: nil
        }
    }

    private static func holdsCode(_ value: Expression) -> Bool {
        switch value.kind {
        case .text(let parts): parts.count > 1
        case .number, .boolean, .none, .name, .member, .keyPath: false
        default: true
        }
    }
}
