// SPDX-License-Identifier: Apache-2.0

package import Files
import SecretMemory

/// A file that exists in a place of a program.
package struct PlaceFile: Sendable {
    package let place: Place
    package let location: FileLocation
}

extension Catalogue {
    /// The files of all places that exist in the home of a user, in the order of the catalogue.
    ///
    /// - Parameters:
    ///   - home: The user's home folder.
    ///   - only: The words of the places that are wanted; empty: all.
    ///   - environment: The value of a variable of the environment.
    package static func files(
        home: String, only: Set<String> = [], environment: (String) -> String?
    ) -> [PlaceFile] {
        var found: [PlaceFile] = []
        for place in places where only.isEmpty || only.contains(place.word) {
            var known: Set<FileLocation> = []
            let named = place.variables.compactMap { variable in
                environment(variable.name).flatMap { value -> String? in
                    guard !value.isEmpty else { return nil }
                    return variable.rest.isEmpty ? value : "\(value)/\(variable.rest)"
                }
            }
            let usual = place.files.map { $0.hasPrefix("/") ? $0 : "\(home)/\($0)" }
            for pattern in named + usual {
                for location in locations(pattern) where known.insert(location).inserted {
                    found.append(PlaceFile(place: place, location: location))
                }
            }
        }
        return found
    }

    /// The most names of one folder that a pattern is compared with.
    private static let mostNames = 10_000

    /// The files of a path in which parts may have `*`.
    private static func locations(_ path: String) -> [FileLocation] {
        let hooks = FileHooks()
        var candidates = [FileLocation(path.hasPrefix("/") ? "/" : ".")]
        for part in path.split(separator: "/") {
            guard part.contains("*") else {
                candidates = candidates.map { $0.appending(String(part)) }
                continue
            }
            candidates = candidates.flatMap { folder -> [FileLocation] in
                guard let names = try? OpenFile.open(folder, mode: .folder, hooks: hooks).entries() else { return [] }
                return names.prefix(mostNames).filter {
                    Glob.matches(String(part), String(decoding: $0, as: UTF8.self))
                }
                .map { folder.appending($0) }
                .sorted { $0.bytes.lexicographicallyPrecedes($1.bytes) }
            }
        }
        return candidates.filter { location in
            // A link to a regular file counts: programs follow it.
            (try? OpenFile.named(location))?.status.kind == .file
        }
    }
}

extension Place {
    /// The largest file of a place that is read.
    package static let largestFile = 8 << 20

    /// The secrets in a file. Throws ``FileError`` if it can't be read, ``SecretMemoryError`` without memory. Nil: the
    /// file is larger than ``largestFile``, or isn't a regular file of this user.
    package func secrets(in location: FileLocation) throws -> [ClearSecret]? {
        guard let (file, status) = try OpenFile.named(location), status.kind == .file, status.isOurs,
            status.size <= Self.largestFile
        else { return nil }
        var bytes = try file.read(count: Self.largestFile)
        defer { bytes.wipe() }
        return try read(bytes, "\(location)")
    }
}
