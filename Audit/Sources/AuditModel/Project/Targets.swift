// SPDX-License-Identifier: Apache-2.0

import Findings

/// Types of one name that several targets or apps of a tree declare: each is a type of its own.
enum Targets {
    /// The declarations by the name of their type, which gets a number where there are several.
    static func separate(_ declarations: [TypeDeclaration]) -> [String: [TypeDeclaration]] {
        var result = Dictionary(grouping: declarations, by: \.name)
        for (name, all) in result {
            let files = Set(all.filter { $0.kind != .extension }.map(\.file)).sorted()
            guard files.count > 1 else { continue }
            // Extensions and headers go with the declaration that lies nearest.
            let parts = Dictionary(grouping: all) { nearest($0.file, of: files) }
            result[name] = parts[0]
            for (index, part) in parts where index > 0 {
                let own = "\(name)#\(index + 1)"
                result[own] = part.map { $0.renamed(own) }
            }
        }
        return result
    }

    /// The position of the file whose folders a path shares for longest.
    static func nearest(_ path: String, of files: [String]) -> Int {
        let depths = files.map { shared($0, path) }
        return depths.indices.max { (depths[$0], $1) < (depths[$1], $0) } ?? 0
    }

    /// How many folders two paths begin with; the same file has most.
    private static func shared(_ left: String, _ right: String) -> Int {
        if left == right { return .max }
        return zip(folders(of: left).split(separator: "/"), folders(of: right).split(separator: "/"))
            .prefix { $0 == $1 }.count
    }
}

extension TypeDeclaration {
    /// The same under another name, which its functions and properties tell too.
    fileprivate func renamed(_ name: String) -> TypeDeclaration {
        TypeDeclaration(
            kind: kind, name: name, inherits: inherits, attributes: attributes, modifiers: modifiers,
            properties: properties.map {
                var property = $0
                property.owner = name
                return property
            },
            functions: functions.map { $0.owned(by: name) }, cases: cases, file: file, span: span)
    }
}

extension Function {
    fileprivate func owned(by owner: String) -> Function {
        Function(
            name: name, kind: kind, parameters: parameters, returns: returns, attributes: attributes,
            modifiers: modifiers, body: body, owner: owner, file: file, span: span)
    }
}
