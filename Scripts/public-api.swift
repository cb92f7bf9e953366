// SPDX-License-Identifier: Apache-2.0
//
// public-api.swift GRAPHS SOURCES OUTPUT MODULE...: writes a page of the public declarations of each module, from the symbol graphs
// that the compiler makes. Run by Scripts/public-api.

import Foundation

/// One declaration, as the graph has it.
struct Declaration {
    let path: [String]
    let kind: String
    let text: String
    let identifier: String
    let extendsOther: Bool
}

struct Graph {
    var declarations: [Declaration] = []
    /// Conformances by the type's identifier; those that say nothing are left out.
    var conformances: [String: Set<String>] = [:]

    mutating func read(_ file: URL) throws {
        let object = try JSONSerialization.jsonObject(with: try Data(contentsOf: file)) as? [String: Any] ?? [:]
        var names: [String: String] = [:]
        for symbol in object["symbols"] as? [[String: Any]] ?? [] {
            guard let path = symbol["pathComponents"] as? [String], let kind = symbol["kind"] as? [String: Any],
                let kindName = kind["identifier"] as? String, let id = symbol["identifier"] as? [String: Any],
                let identifier = id["precise"] as? String, symbol["accessLevel"] as? String != "package"
            else { continue }
            let fragments = symbol["declarationFragments"] as? [[String: Any]] ?? []
            let text = fragments.compactMap { $0["spelling"] as? String }.joined()
            names[identifier] = path.last
            declarations.append(
                Declaration(
                    path: path, kind: kindName, text: text.plain, identifier: identifier,
                    extendsOther: file.lastPathComponent.contains("@")))
        }
        for relation in object["relationships"] as? [[String: Any]] ?? []
        where relation["kind"] as? String == "conformsTo" {
            guard let source = relation["source"] as? String, let target = relation["target"] as? String else {
                continue
            }
            let name =
                (relation["targetFallback"] as? String)?.split(separator: ".").last.map(String.init) ?? names[target]
            if let name, !Self.implied.contains(name) { conformances[source, default: []].insert(name) }
        }
    }

    /// Conformances that follow from others, or that every such type has.
    static let implied: Set<String> = [
        "SendableMetatype", "Copyable", "Escapable", "Equatable", "CVarArg", "CustomDebugStringConvertible",
        "SetAlgebra",
        "ExpressibleByArrayLiteral", "RawRepresentable",
    ]
}

extension String {
    /// Without attributes that say nothing to a reader, in one line.
    var plain: String {
        var text = split(whereSeparator: \.isWhitespace).joined(separator: " ")
        for noise in ["@discardableResult ", "@objc ", "final ", "nonisolated(unsafe) ", "@safe "] {
            text = text.replacingOccurrences(of: noise, with: "")
        }
        return text.replacingOccurrences(of: " : ", with: ": ")
    }
}

/// Types with their members indented below them, in the order of their names.
struct Page {
    private let graph: Graph
    private var lines: [String] = []
    private static let types: Set<String> = ["swift.struct", "swift.class", "swift.enum", "swift.protocol"]

    init(_ graph: Graph) {
        self.graph = graph
        let own = graph.declarations.filter { !$0.extendsOther }
        let owners = Set(own.filter { Self.types.contains($0.kind) }.map(\.path))
        write(own.filter { $0.path.count == 1 || !owners.contains(Array($0.path.dropLast())) }, own, indent: 0)
        let foreign = Dictionary(grouping: graph.declarations.filter(\.extendsOther)) { $0.path.dropLast() }
        for (path, members) in foreign.sorted(by: { $0.key.joined() < $1.key.joined() }) where !path.isEmpty {
            lines.append("extension \(path.joined(separator: ".")) {")
            write(members, [], indent: 1)
            lines.append("}")
        }
    }

    var text: String { lines.joined(separator: "\n") }

    private mutating func write(_ group: [Declaration], _ all: [Declaration], indent: Int) {
        let space = String(repeating: "    ", count: indent)
        for kind in ["swift.enum.case"] {
            let names = group.filter { $0.kind == kind }.map { $0.text.replacingOccurrences(of: "case ", with: "") }
            if !names.isEmpty { wrap("case ", names.sorted(), "", space) }
        }
        var constants: [String: [String]] = [:]
        for one in group.sorted(by: Self.order) where one.kind != "swift.enum.case" {
            if !Self.types.contains(one.kind), let (head, name, type) = one.constant {
                constants["\(head)|\(type)", default: []].append(name)
            }
        }
        for (key, names) in constants.sorted(by: { $0.key < $1.key }) {
            let parts = key.split(separator: "|", maxSplits: 1).map(String.init)
            wrap(parts[0] + " ", names.sorted(), ": " + parts[1], space)
        }
        for one in group.sorted(by: Self.order) where one.kind != "swift.enum.case" {
            if Self.types.contains(one.kind) {
                writeType(one, all, space, indent)
            } else if one.constant == nil {
                lines.append(space + one.text)
            }
        }
    }

    private mutating func writeType(_ type: Declaration, _ all: [Declaration], _ space: String, _ indent: Int) {
        let members = all.filter { $0.path.count == type.path.count + 1 && $0.path.starts(with: type.path) }
        let conformances = (graph.conformances[type.identifier] ?? []).sorted()
        let head =
            type.text.split(separator: ":", maxSplits: 1).first.map { $0.trimmingCharacters(in: .whitespaces) }
            ?? type.text
        let declared =
            conformances.isEmpty || type.kind == "swift.protocol"
            ? type.text : "\(head): \(conformances.joined(separator: ", "))"
        if members.isEmpty { return lines.append("\(space)\(declared) {}") }
        lines.append("\(space)\(declared) {")
        write(members, all, indent: indent + 1)
        lines.append("\(space)}")
    }

    /// Names in a list, wrapped at the width of the sources.
    private mutating func wrap(_ head: String, _ names: [String], _ tail: String, _ space: String) {
        var line = space + head
        for (number, name) in names.enumerated() {
            let piece = name + (number == names.count - 1 ? tail : ", ")
            if line.count + piece.count > 120, line.count > space.count + head.count {
                lines.append(line.trimmedEnd)
                line = space + "    "
            }
            line += piece
        }
        lines.append(line)
    }

    private static func order(_ left: Declaration, _ right: Declaration) -> Bool {
        (rank(left), left.path.joined(separator: "."), left.text) < (
            rank(right), right.path.joined(separator: "."), right.text
        )
    }

    private static func rank(_ one: Declaration) -> Int {
        switch one.kind {
        case "swift.init": 0
        case "swift.property", "swift.type.property", "swift.var": 1
        case "swift.method", "swift.subscript": 2
        case "swift.type.method", "swift.func", "swift.func.op": 3
        case "swift.typealias", "swift.associatedtype": 4
        default: 5
        }
    }
}

extension String {
    var trimmedEnd: String { last == " " ? String(dropLast()) : self }
}

extension Declaration {
    /// `let a: T` and `static let a: T` go together with others of their type.
    var constant: (head: String, name: String, type: String)? {
        for head in ["static let", "let"] where text.hasPrefix(head + " ") {
            let parts = text.dropFirst(head.count + 1).split(separator: ":", maxSplits: 1)
            guard parts.count == 2 else { return nil }
            return (head, String(parts[0]), parts[1].trimmingCharacters(in: .whitespaces))
        }
        return nil
    }
}

/// The modules that come with this one.
func reexports(of module: String, in sources: URL) -> [String] {
    let rooms = (try? FileManager.default.contentsOfDirectory(at: sources, includingPropertiesForKeys: nil)) ?? []
    let files = rooms.flatMap { room in
        FileManager.default.enumerator(at: room.appendingPathComponent(module), includingPropertiesForKeys: nil)?
            .compactMap { $0 as? URL } ?? []
    }
    var found: Set<String> = []
    for file in files where file.pathExtension == "swift" {
        let text = (try? String(contentsOf: file, encoding: .utf8)) ?? ""
        for line in text.split(separator: "\n") where line.hasPrefix("@_exported ") {
            if let name = line.split(separator: " ").last { found.insert(String(name)) }
        }
    }
    return found.sorted()
}

let arguments = CommandLine.arguments.dropFirst().map { String($0) }
let graphs = URL(fileURLWithPath: arguments[0])
let sources = URL(fileURLWithPath: arguments[1])
let output = URL(fileURLWithPath: arguments[2])
for module in arguments[3...] {
    var graph = Graph()
    let files = try FileManager.default.contentsOfDirectory(at: graphs, includingPropertiesForKeys: nil)
        .filter { $0.lastPathComponent == "\(module).symbols.json" || $0.lastPathComponent.hasPrefix("\(module)@") }
    for file in files.sorted(by: { $0.path < $1.path }) { try graph.read(file) }
    var text =
        "# Public API: \(module)\n\nWritten by `Scripts/public-api`; not to be edited. What each declaration means stands in its documentation.\n"
    let others = reexports(of: module, in: sources)
    if !others.isEmpty { text += "\nWith it come: \(others.map { "`\($0)`" }.joined(separator: ", ")).\n" }
    let page = Page(graph).text
    if !page.isEmpty { text += "\n```swift\n\(page)\n```\n" }
    try Data(text.utf8).write(to: output.appendingPathComponent("\(module).md"))
}
