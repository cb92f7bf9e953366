// SPDX-License-Identifier: Apache-2.0

package import Findings

/// A file of Objective-C: its methods and functions, what they call, and its constants.
///
/// Made of words alone, without types: what a macro hides, what another file defines and what KVC sets isn't here.
package struct ObjCFile: Sendable {
    package let path: String
    package let tokens: [ObjCToken]
    /// Text constants, from `static NSString *const X = @"..."` and `#define X @"..."`.
    package let constants: [Constant]
    /// Those of them that the preprocessor names.
    let definitions: [Constant]
    /// Macros with parameters that release builds have, and names that are one in debug builds alone.
    package let macros: [(name: String, parameters: [String], text: String)]
    package let debugMacros: Set<String>
    /// Names that the preprocessor gives to the preferences.
    let preferences: [(name: String, line: Int)]
    package let methods: [Method]
    package let calls: [Call]
    /// Statements of the form `target = value;`, `Type *target = value;` among them.
    package let assignments: [Assignment]

    package struct Constant: Sendable {
        package let name: String
        package let text: String
        package let place: Place
    }

    package struct Method: Sendable {
        /// The class; empty for a function.
        package let owner: String
        /// `login:password:` or a function's name.
        package let name: String
        package let parameters: [String]
        /// Positions of the words of its body, without the braces.
        package let body: Range<Int>
        package let place: Place
    }

    /// `[receiver name:argument ...]` or `name(argument, ...)`.
    package struct Call: Sendable {
        package let isMessage: Bool
        /// The words of the receiver, joined; empty for a function and for one that is very long.
        package let receiver: String
        package let receiverRange: Range<Int>
        /// The selector or the function's name.
        package let name: String
        package let arguments: [Range<Int>]
        package let range: Range<Int>
        /// Whether it is a statement by itself, so that nobody looks at the result.
        package let isStatement: Bool
        /// The position of the method in ``ObjCFile/methods``.
        package let method: Int?
        package let place: Place
    }

    package struct Assignment: Sendable {
        /// `password`, `self.password`, `_field.text`.
        package let target: String
        package let value: Range<Int>
        package let method: Int?
        package let place: Place
    }

    package init(path: String, bytes: [UInt8]) {
        let tokenizer = ObjCTokenizer(bytes)
        let tokens = Self.withoutAttributes(tokenizer.tokens)
        var parser = ObjCParser(path: path, tokens: tokens)
        parser.parse()
        self.path = path
        self.tokens = tokens
        definitions = tokenizer.definitions.map {
            Constant(name: $0.name, text: $0.text, place: Place(file: path, line: $0.line))
        }
        constants = definitions + parser.constants
        macros = tokenizer.macros
        debugMacros = tokenizer.debugMacros
        preferences = tokenizer.preferences
        methods = parser.methods
        calls = parser.calls
        assignments = parser.assignments
    }

    /// `__attribute__((unused)) NSString *x` is `NSString *x` to every rule.
    private static func withoutAttributes(_ tokens: [ObjCToken]) -> [ObjCToken] {
        guard tokens.contains(where: { $0.text == "__attribute__" }) else { return tokens }
        let partner = ObjCBrackets(tokens).partner
        var result: [ObjCToken] = []
        var position = 0
        while position < tokens.count {
            let isOne = tokens[position].kind == .name && tokens[position].text == "__attribute__"
            if isOne, position + 1 < tokens.count, let end = partner[position + 1], end > position {
                position = end + 1
            } else {
                result.append(tokens[position])
                position += 1
            }
        }
        return result
    }

    /// Whether a header declares a class or a text, or defines what logs.
    static func isObjectiveC(_ bytes: [UInt8]) -> Bool {
        let text = String(decoding: bytes, as: UTF8.self)
        return text.contains("@interface") || text.contains("@\"") || text.contains("NSLog")
            || text.contains("NSUserDefaults")
    }

    /// The words of a range, joined as in the source, without spaces.
    package func text(_ range: Range<Int>) -> String {
        tokens[range].map { $0.kind == .text ? "\"\($0.text)\"" : $0.text }.joined()
    }

    /// The names in a range that aren't parts of selectors, with their members: `self.password`, `field.text`.
    package func names(in range: Range<Int>) -> [String] {
        var names: [String] = []
        for position in range where tokens[position].kind == .name {
            let isFirst = position == range.lowerBound
            if position + 1 < range.upperBound, tokens[position + 1].isMark(":"),
                isFirst || !tokens[position - 1].isMark("?")
            {
                continue
            }
            let isMember = !isFirst && (tokens[position - 1].isMark(".") || tokens[position - 1].isMark("->"))
            if isMember, let last = names.popLast() {
                names.append(last + "." + tokens[position].text)
            } else {
                names.append(tokens[position].text)
            }
        }
        return names
    }

    /// The literal text that a range is: a literal or a constant of this file.
    package func literal(_ range: Range<Int>) -> String? {
        guard range.count == 1, let token = tokens[range].first else { return nil }
        if token.kind == .text { return token.text }
        return token.kind == .name ? constants.first { $0.name == token.text }?.text : nil
    }

    /// What a name was last set to in the same method before a word; nil if nothing sets it there.
    package func assignment(to name: String, before position: Int, in method: Int?) -> Assignment? {
        assignments.last { $0.target == name && $0.method == method && $0.value.upperBound <= position }
    }
}
