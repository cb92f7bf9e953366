// SPDX-License-Identifier: Apache-2.0

package import Findings

/// A type with all its extensions.
package final class TypeModel: Sendable {
    /// `Outer.Inner`; `Name#2` where several targets have one of this name.
    package let name: String
    package let declarations: [TypeDeclaration]
    /// Of the declaration and the extensions, as written.
    package let inherits: [String]
    package let properties: ByName<Property>
    /// By name: overloads together, accessors and observers under their property's name.
    package let functions: ByName<[Function]>

    init(name: String, declarations: [TypeDeclaration]) {
        self.name = name
        // The declaration first, then the extensions.
        self.declarations =
            declarations.filter { $0.kind != .extension } + declarations.filter { $0.kind == .extension }
        var seen = Set<String>()
        inherits = self.declarations.flatMap(\.inherits).filter { seen.insert($0).inserted }
        properties = ByName(declarations.flatMap(\.properties).map { ($0.name, $0) })
        functions = ByName(grouping: declarations.flatMap(\.functions), by: \.name)
    }

    package var place: Place { declarations.first?.place ?? Place(file: "", line: 1) }
    /// The name as the source has it.
    package var plainName: String { String(name.prefix { $0 != "#" }) }
    /// Whether the project has more than extensions of it.
    package var isDeclared: Bool { declarations.contains { $0.kind != .extension } }
    /// The last part of the name.
    package var shortName: String { lastPart(of: name) }
    package var allFunctions: [Function] { declarations.flatMap(\.functions) }
    package func attribute(_ name: String) -> Attribute? {
        declarations.lazy.flatMap(\.attributes).first { $0.name == name }
    }
}

/// `C` of `A.B.C`, without generic arguments, optionality and `any`.
func lastPart(of type: String) -> String {
    var name = type.utf8[...]
    if name.contains(UInt8(ascii: " ")) {
        for prefix in ["any ", "some ", "inout ", "@escaping "] where name.starts(with: prefix.utf8) {
            name = name.dropFirst(prefix.utf8.count)
        }
    }
    var start = name.startIndex
    var end = name.startIndex
    while end < name.endIndex, !"<?!&#".utf8.contains(name[end]) {
        if name[end] == UInt8(ascii: ".") { start = name.index(after: end) }
        end = name.index(after: end)
    }
    return start == type.startIndex && end == type.endIndex ? type : String(Substring(name[start..<end]))
}

/// `a/b` of `a/b/c.swift`.
func folders(of path: some StringProtocol) -> Substring {
    Substring(path[..<(path.lastIndex(of: "/") ?? path.startIndex)])
}
