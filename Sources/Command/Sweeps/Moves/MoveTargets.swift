// SPDX-License-Identifier: Apache-2.0

package import Files

/// The files that a move is asked for.
package struct MoveTargets: Sendable {
    package struct File: Sendable {
        package let place: Place
        package let location: FileLocation
        /// Whether it is where the program looks for it by itself.
        package let isUsual: Bool
    }

    /// A path that was named, and why nothing is moved there.
    package struct Obstacle: Sendable {
        package let location: FileLocation
        package let reason: String
        /// Whether there is no such file.
        package var isMissing = false
    }

    /// In the order of the catalogue, or of the named paths.
    package internal(set) var files: [File] = []
    package internal(set) var obstacles: [Obstacle] = []

    /// The files of places in a user's home.
    ///
    /// - Parameters:
    ///   - home: The user's home folder.
    ///   - only: The words of the places that are wanted; empty: all.
    ///   - environment: The value of a variable of the environment.
    package init(home: String, only: Set<String>, environment: (String) -> String?) {
        files = Catalogue.files(home: home, only: only, environment: environment).map {
            File(place: $0.place, location: $0.location, isUsual: true)
        }
    }

    /// Those of these files of a place that ``init(home:only:environment:)`` gives, by any of their names.
    package static func usual(
        _ files: [FileLocation], of place: Place, home: String, environment: (String) -> String?
    ) -> Set<FileLocation> {
        let index = PlaceIndex(home: home, only: [place.word], environment: environment)
        return Set(
            files.filter { location in
                (try? OpenFile.status(of: location, FileHooks())).flatMap { $0 }.map(index.isUsual) ?? false
            })
    }

    /// The files of places among those that paths name: folders are searched as a sweep searches them. Throws
    /// ``SecretMemoryError`` without memory.
    package init(
        named paths: [FileLocation], home: String, only: Set<String>, includesPackages: Bool,
        environment: @escaping @Sendable (String) -> String?
    ) throws {
        let places = PlaceIndex(home: home, only: only, environment: environment)
        var seen: Set<FileIdentity> = []
        for path in paths {
            guard let status = status(path) else { continue }
            if status.kind == .file {
                guard status.isOurs else {
                    obstacles.append(Obstacle(location: path, reason: "it belongs to another user"))
                    continue
                }
                if !add(path, status, places, &seen) { refuse(path, "no program is known that keeps secrets in it") }
                continue
            }
            guard status.kind == .folder else {
                refuse(path, "neither a regular file nor a folder")
                continue
            }
            var sweep = Sweep(home: home, environment: environment)
            (sweep.only, sweep.includesPackages) = (only, includesPackages)
            let report = try sweep.run([path])
            var known: Set<FileLocation> = []
            for finding in report.findings where known.insert(finding.location).inserted {
                guard let status = self.status(finding.location) else { continue }
                if !add(finding.location, status, places, &seen) {
                    refuse(finding.location, "it has a secret, and no program is known that keeps one in it")
                }
            }
            for unread in report.walk.unread + report.cut { refuse(unread.path, unread.reason) }
        }
    }

    private mutating func refuse(_ path: FileLocation, _ reason: String) {
        obstacles.append(Obstacle(location: path, reason: reason))
    }

    /// False: it is a file of no place.
    private mutating func add(
        _ path: FileLocation, _ status: FileStatus, _ places: PlaceIndex, _ seen: inout Set<FileIdentity>
    ) -> Bool {
        // A link has its own name, and what it leads to may be known by another.
        let target = try? FileHooks().hold(path, following: true)
        guard let place = places.place(of: path, status) ?? target.flatMap({ places.place(of: $0, status) }) else {
            return false
        }
        if seen.insert(status.identity).inserted {
            files.append(File(place: place, location: path, isUsual: places.isUsual(status)))
        }
        return true
    }

    /// The status of what a path names; a link is followed, and nothing is opened. Nil: there is none, which is told.
    private mutating func status(_ path: FileLocation) -> FileStatus? {
        let hooks = FileHooks()
        do throws(FileError) {
            if let status = try OpenFile.status(of: try hooks.hold(path, following: true), hooks) { return status }
            obstacles.append(Obstacle(location: path, reason: "there is no such file", isMissing: true))
        } catch {
            let isMissing = error.isMissing || error.isNoFolder
            obstacles.append(
                Obstacle(
                    location: path, reason: isMissing ? "there is no such file" : error.text, isMissing: isMissing))
        }
        return nil
    }
}
