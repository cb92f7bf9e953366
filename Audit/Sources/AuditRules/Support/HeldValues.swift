// SPDX-License-Identifier: Apache-2.0

import AuditModel

extension SecretWords {
    private static let holders: Set<String> = [
        "view", "label", "lbl", "cell", "item", "control", "container", "wrapper", "button", "btn", "stack", "input",
        "component", "element", "node", "section", "card", "box", "form",
    ]

    /// What a view or another object round a value is named after: a password for `passwordView`, a key for
    /// `privateKeyLbl`.
    init?(holder name: String) {
        var words = Self.words(of: name)[...]
        while words.count > 1, let last = words.last, Self.holders.contains(last) { words = words.dropLast() }
        self.init(name: words.joined(separator: "_"))
    }

    /// What a digest or an encryption was made of: a PIN for `hashedPin`, `pinHash`, `md5_pin`.
    init?(digest name: String) {
        let marks: Set<String> = ["hashed", "hash", "md", "sha", "digest", "encrypted", "encoded", "salted"]
        let words = Self.words(of: name)
        let rest = words.filter { !marks.contains($0) && !$0.allSatisfy(\.isNumber) }
        guard rest.count < words.count, !rest.isEmpty else { return nil }
        self.init(name: rest.joined(separator: "_"))
    }
}

extension Expression {
    private static let contents: Set<String> = [
        "text", "content", "contents", "value", "string", "stringValue", "currentTitle", "attributedText", "titleLabel",
        "textContent", "inputText", "currentText", "rawText",
    ]

    /// The name of the view or object of which an expression is the content: `passwordView` of
    /// `self.passwordView.text`.
    var holderName: String? {
        switch withoutCasts.kind {
        case .member(let base?, let name) where Self.contents.contains(name):
            if let inner = base.holderName { return inner }
            return base.dotted == "self" ? nil : base.lastName
        case .call(let callee, _):
            // `passwordView.text.trimmed()`
            guard case .member(let base?, _) = callee.kind else { return nil }
            return base.holderName
        case .binary("??", let left, _): return left.holderName
        default: return nil
        }
    }
}

/// The constants of the source: what is the same in every copy of the app.
struct SourceConstants {
    let function: Function
    private let scope: Scope
    private let project: ProjectModel

    init(_ function: Function, in project: ProjectModel) {
        self.function = function
        self.project = project
        scope = project.scope(of: function)
    }

    private static let conversions: Set<String> = [
        "utf8", "bytes", "data", "utf8String", "UTF8String", "cString", "byteArray", "toBytes", "asData", "utf8Data",
        "hexBytes", "hexData",
    ]
    private static let makers: Set<String> = [
        "Array", "Data", "String", "NSData", "NSString", "[UInt8]", "ContiguousArray", "Nonce", "IV", "Bytes",
    ]

    /// Whether a value is a literal, or is made of literals alone.
    func holds(_ value: Expression, depth: Int = 0) -> Bool {
        guard depth < 8 else { return false }
        let value = value.withoutCasts
        if let literal = value.literal { return !literal.isEmpty }
        switch value.kind {
        case .array(let values):
            return !values.isEmpty && values.allSatisfy { if case .number = $0.kind { true } else { false } }
        case .member(let base?, let name):
            if Self.conversions.contains(name) { return holds(base, depth: depth + 1) }
            return property(value, depth)
        case .name(let name):
            if let constant = scope.constants[name] { return holds(constant, depth: depth + 1) }
            return property(value, depth)
        case .call(let callee, let arguments): return made(callee, arguments.filter { !$0.isTrailing }, depth)
        default: return false
        }
    }

    private func property(_ value: Expression, _ depth: Int) -> Bool {
        guard let property = scope.property(of: value), let constant = property.value, !property.isComputed else {
            return false
        }
        let isFixed = property.isConstant || project.assignments(to: property.name).isEmpty
        return isFixed && holds(constant, depth: depth + 1)
    }

    private func made(_ callee: Expression, _ arguments: [Argument], _ depth: Int) -> Bool {
        if case .member(let base?, let name) = callee.kind, Self.conversions.contains(name) {
            return holds(base, depth: depth + 1)
        }
        var name = callee.lastName ?? ""
        if case .array = callee.kind { name = "Array" }
        guard Self.makers.contains(name), let first = arguments.first else { return false }
        switch first.label {
        case "repeating", "count":
            return arguments.allSatisfy { argument in
                switch argument.value.kind {
                case .number: true
                case .name, .member: argument.label == "count"
                default: false
                }
            }
        case nil, "hex", "hexString", "base64Encoded", "data", "bytes", "string":
            return holds(first.value, depth: depth + 1)
        default: return false
        }
    }
}
