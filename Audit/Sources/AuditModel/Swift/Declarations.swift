// SPDX-License-Identifier: Apache-2.0

public import Findings

/// A function, an initializer, an accessor or an observer, with its body.
public final class Function: Sendable {
    public enum Kind: Sendable { case function, initializer, deinitializer, getter, setter, observer, initialValue }

    /// `init`, `deinit`, the property's name for accessors, observers and initial values.
    public let name: String
    public let kind: Kind
    public let parameters: [Parameter]
    public let returns: String?
    public let attributes: [Attribute]
    /// `override`, `static`, `private` and others.
    public let modifiers: [String]
    public let body: [Statement]
    /// The qualified name of the type that it is in.
    public let owner: String?
    public let file: String
    public let span: SourceSpan

    init(
        name: String, kind: Kind, parameters: [Parameter] = [], returns: String? = nil, attributes: [Attribute] = [],
        modifiers: [String] = [],
        body: [Statement], owner: String?, file: String, span: SourceSpan
    ) {
        self.name = name
        self.kind = kind
        self.parameters = parameters
        self.returns = returns
        self.attributes = attributes
        self.modifiers = modifiers
        self.body = body
        self.owner = owner
        self.file = file
        self.span = span
    }

    public func place(_ expression: Expression) -> Place { place(expression.span) }
    public func place(_ span: SourceSpan) -> Place { Place(file: file, line: Int(span.line), column: Int(span.column)) }
    public var place: Place { place(span) }
}

/// A parameter of a function.
public struct Parameter: Sendable {
    /// Nil for `_`.
    public var label: String?
    public var name: String
    public var type: String
}

/// `@AppStorage("token", store: group)`: a wrapper, a macro or any other attribute.
public struct Attribute: Sendable {
    public var name: String
    public var arguments: [Argument]
    public var span: SourceSpan
}

/// A stored or computed property of a type, or a variable of a file.
public struct Property: Sendable {
    public var name: String
    /// As written; if left out and the value is a call of a type or a literal, that type.
    public var type: String?
    public var attributes: [Attribute]
    public var modifiers: [String]
    public var value: Expression?
    public var isConstant: Bool
    public var isComputed: Bool
    /// The qualified name of the type that it is in; nil for a file's variable.
    public var owner: String?
    public var file: String
    /// Of the name.
    public var span: SourceSpan

    public var isStatic: Bool { modifiers.contains("static") || modifiers.contains("class") }
    public var isOutlet: Bool { attributes.contains { $0.name == "IBOutlet" } }
    public var place: Place { Place(file: file, line: Int(span.line), column: Int(span.column)) }
    public func attribute(_ name: String) -> Attribute? { attributes.first { $0.name == name } }
}

/// One declaration of a type, or one extension of it.
public final class TypeDeclaration: Sendable {
    public enum Kind: Sendable { case `class`, `struct`, `enum`, actor, `protocol`, `extension` }

    public let kind: Kind
    /// `Outer.Inner`.
    public let name: String
    /// The superclass and the protocols, as written, in order.
    public let inherits: [String]
    public let attributes: [Attribute]
    public let modifiers: [String]
    public let properties: [Property]
    /// Accessors, observers and initial values among them.
    public let functions: [Function]
    /// The cases of an enum: names, and raw values where they are literal.
    public let cases: [(name: String, raw: String?)]
    public let file: String
    /// Of the name.
    public let span: SourceSpan

    init(
        kind: Kind, name: String, inherits: [String], attributes: [Attribute], modifiers: [String],
        properties: [Property], functions: [Function],
        cases: [(name: String, raw: String?)], file: String, span: SourceSpan
    ) {
        self.kind = kind
        self.name = name
        self.inherits = inherits
        self.attributes = attributes
        self.modifiers = modifiers
        self.properties = properties
        self.functions = functions
        self.cases = cases
        self.file = file
        self.span = span
    }

    public var place: Place { Place(file: file, line: Int(span.line), column: Int(span.column)) }
}

/// A comment that silences a rule: `// zamok:allow(rule) reason`.
public struct AllowComment: Hashable, Sendable {
    public var rules: [String]
    public var reason: String
    public var line: Int
    /// The line has nothing but the comment, so it speaks of the next line with code.
    public var standsAlone: Bool
}

/// A Swift file, read. What `#if DEBUG`, `#Preview` and `PreviewProvider` hold isn't in it.
public struct SwiftFile: Sendable {
    public var path: String
    public var imports: [String]
    /// Nested ones too.
    public var types: [TypeDeclaration]
    /// Functions outside types, and the statements of a main.swift as one named `main`.
    public var functions: [Function]
    public var variables: [Property]
    public var allowances: [AllowComment]
    /// The parser met errors; what could be read is here all the same.
    public var hasErrors: Bool
    public var lines: Int
}
