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
            let near = NearestFile(files)
            let parts = Dictionary(grouping: all) { near.position(to: $0.file) }
            result[name] = parts[0]
            for (index, part) in parts where index > 0 {
                let own = "\(name)#\(index + 1)"
                result[own] = part.map { $0.renamed(own) }
            }
        }
        return result
    }
}

/// Of some files, the one whose folders a path shares for longest: itself, else the first of several.
struct NearestFile: Sendable {
    /// The first file below each folder, and each file itself.
    private var first: [Substring: Int] = [:]

    init(_ files: [String]) {
        for (position, file) in files.enumerated() {
            for part in Self.outwards(file) where first[part] == nil { first[part] = position }
        }
    }

    func position(to path: String) -> Int { Self.outwards(path).lazy.compactMap { first[$0] }.first ?? 0 }

    /// The path, then each folder that it is in; the last is the empty one.
    private static func outwards(_ path: String) -> [Substring] {
        var result = [path[...]]
        while let last = result.last, !last.isEmpty { result.append(folders(of: last)) }
        return result
    }
}

/// Types of one name, the first declared first.
struct Namesakes: Sendable {
    private let types: [TypeModel]
    private let near: NearestFile

    init(_ types: [TypeModel]) {
        self.types = types.sorted { $0.place < $1.place }
        near = NearestFile(self.types.map(\.place.file))
    }

    func nearest(to file: String) -> TypeModel { types[near.position(to: file)] }
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
