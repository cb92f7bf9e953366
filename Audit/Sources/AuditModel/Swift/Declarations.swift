// SPDX-License-Identifier: Apache-2.0

package import Findings

/// A function, an initializer, an accessor or an observer, with its body.
package final class Function: Sendable {
    package enum Kind: Sendable { case function, initializer, deinitializer, getter, setter, observer, initialValue }

    /// `init`, `deinit`, the property's name for accessors, observers and initial values.
    package let name: String
    package let kind: Kind
    package let parameters: [Parameter]
    package let returns: String?
    package let attributes: [Attribute]
    /// `override`, `static`, `private` and others.
    package let modifiers: [String]
    package let body: [Statement]
    /// The qualified name of the type that it is in.
    package let owner: String?
    package let file: String
    package let span: SourceSpan

    package init(
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

    package func place(_ expression: Expression) -> Place { place(expression.span) }
    package func place(_ span: SourceSpan) -> Place {
        Place(file: file, line: Int(span.line), column: Int(span.column))
    }
    package var place: Place { place(span) }
}

/// A parameter of a function.
package struct Parameter: Sendable {
    /// Nil for `_`.
    package var label: String?
    package var name: String
    package var type: String
    /// The text that it has if no argument is given.
    package var text: String?
    package var isVariadic: Bool { type.hasSuffix("...") }
    /// What a closure without parameters gives: `Any` of `@autoclosure () -> Any`. Else the type itself.
    package var valueType: String {
        guard let arrow = type.firstRange(of: "->"),
            type[..<arrow.lowerBound].split(separator: " ").last.map({ $0 == "()" }) == true
                || type.contains("@autoclosure")
        else { return type }
        return String(type[arrow.upperBound...].drop { $0 == " " })
    }
}

/// `@AppStorage("token", store: group)`: a wrapper, a macro or any other attribute.
package struct Attribute: Sendable {
    package var name: String
    package var arguments: [Argument]
    package var span: SourceSpan
}

/// A stored or computed property of a type, or a variable of a file.
package struct Property: Sendable {
    package var name: String
    /// As written; if left out and the value is a call of a type or a literal, that type.
    package var type: String?
    package var attributes: [Attribute]
    package var modifiers: [String]
    package var value: Expression?
    package var isConstant: Bool
    package var isComputed: Bool
    /// The qualified name of the type that it is in; nil for a file's variable.
    package var owner: String?
    package var file: String
    /// Of the name.
    package var span: SourceSpan

    package var isStatic: Bool { modifiers.contains("static") || modifiers.contains("class") }
    package var isOutlet: Bool { attributes.contains { $0.name == "IBOutlet" } }
    package var place: Place { Place(file: file, line: Int(span.line), column: Int(span.column)) }
    package func attribute(_ name: String) -> Attribute? { attributes.first { $0.name == name } }
}

/// A case of an enum.
package struct EnumCase: Sendable {
    package var name: String
    /// Its raw value, where that is literal.
    package var raw: String?
    /// The types of what it is made with.
    package var payload: [String] = []
}

/// One declaration of a type, or one extension of it.
package final class TypeDeclaration: Sendable {
    package enum Kind: Sendable { case `class`, `struct`, `enum`, actor, `protocol`, `extension` }

    package let kind: Kind
    /// `Outer.Inner`.
    package let name: String
    /// The superclass and the protocols, as written, in order.
    package let inherits: [String]
    package let attributes: [Attribute]
    package let modifiers: [String]
    package let properties: [Property]
    /// Accessors, observers and initial values among them.
    package let functions: [Function]
    /// The cases of an enum.
    package let cases: [EnumCase]
    package let file: String
    /// Of the name.
    package let span: SourceSpan

    init(
        kind: Kind, name: String, inherits: [String], attributes: [Attribute], modifiers: [String],
        properties: [Property], functions: [Function],
        cases: [EnumCase], file: String, span: SourceSpan
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

    package var place: Place { Place(file: file, line: Int(span.line), column: Int(span.column)) }
}

/// A Swift file, read. What `#if DEBUG`, `#Preview` and `PreviewProvider` hold isn't in it.
package struct SwiftFile: Sendable {
    package var path: String
    package var imports: [String]
    /// Nested ones too.
    package var types: [TypeDeclaration]
    /// Functions outside types, and the statements of a main.swift as one named `main`.
    package var functions: [Function]
    package var variables: [Property]
    /// Other names of types, and what they stand for.
    package var aliases: [(name: String, type: String)] = []
    /// The parser met errors; what could be read is here all the same.
    package var hasErrors: Bool
    /// Why something of it isn't here, if it isn't: it nests too deep, or the file is too long.
    package var cut: String?
    /// A merge left its marks: both sides are here.
    package var isMerging = false
    package var lines: Int
}
