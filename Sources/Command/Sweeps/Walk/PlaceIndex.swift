// SPDX-License-Identifier: Apache-2.0

import Files

/// Which place a file is, by its identity or its name.
struct PlaceIndex: Sendable {
    private var byIdentity: [FileIdentity: Place] = [:]
    private var byName: [String: [(parents: [Substring], place: Place)]] = [:]
    private var patterns: [(parents: [Substring], name: String, start: [UInt8], end: [UInt8], place: Place)] = []
    /// Files that variables name outside the home.
    private(set) var outside: [FileLocation] = []

    init(home: String, only: Set<String>, environment: (String) -> String?) {
        // A place in the home that is a link means what it leads to, which is read where the walk meets it.
        for file in Catalogue.files(home: home, only: only, environment: environment) {
            guard let status = (try? OpenFile.named(file.location))?.status else {
                continue
            }
            if byIdentity[status.identity] == nil { byIdentity[status.identity] = file.place }
            if !file.location.bytes.starts(with: Array("\(home)/".utf8)) { outside.append(file.location) }
        }
        for place in Catalogue.places where only.isEmpty || only.contains(place.word) {
            for name in place.names { add(name.lowercased(), place) }
        }
    }

    private mutating func add(_ name: String, _ place: Place) {
        let parts = name.split(separator: "/")
        guard let last = parts.last else { return }
        if name.contains("*") {
            let start = last.utf8.prefix { $0 != 0x2A }
            let end = last.utf8.reversed().prefix { $0 != 0x2A }.reversed()
            patterns.append((parts.dropLast(), String(last), Array(start), Array(end), place))
        } else {
            byName[String(last), default: []].append((parts.dropLast(), place))
        }
    }

    /// Whether a file is where its program looks for it by itself.
    func isUsual(_ status: FileStatus) -> Bool { byIdentity[status.identity] != nil }

    func place(of location: FileLocation, _ status: FileStatus) -> Place? {
        if let known = byIdentity[status.identity] { return known }
        let bytes = location.name.map(Byte.lower)
        guard !bytes.isEmpty else { return nil }
        let name = String(decoding: bytes, as: UTF8.self)
        guard !TextKind.isExample(name) else { return nil }
        if let candidates = byName[name] {
            for candidate in candidates where isBelow(candidate.parents, location) { return candidate.place }
        }
        // Most end at their first or last byte: a tuple is not even copied.
        let found = patterns.indices.first { index in
            bytes.starts(with: patterns[index].start) && bytes.ends(with: patterns[index].end)
                && Glob.matches(patterns[index].name, name) && isBelow(patterns[index].parents, location)
        }
        return found.map { patterns[$0].place }
    }

    /// Whether the folders above have these names.
    private func isBelow(_ parents: [Substring], _ location: FileLocation) -> Bool {
        var folder = location.folder
        for parent in parents.reversed() {
            let name = String(decoding: folder.name.map(Byte.lower), as: UTF8.self)
            guard Glob.matches(String(parent), name) else { return false }
            folder = folder.folder
        }
        return true
    }
}

extension [UInt8] {
    fileprivate func ends(with bytes: [UInt8]) -> Bool { suffix(bytes.count).elementsEqual(bytes) }
}
