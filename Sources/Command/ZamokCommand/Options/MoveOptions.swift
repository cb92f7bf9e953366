// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Files
import Foundation
import Readers
import Statuses
import Sweeps

/// The options of `zamok sweep` that move secrets to the keychain, and undo that.
struct MoveOptions: ParsableArguments {
    @Flag(
        help:
            "Store the secrets of known places in the keychain, and put in place what their programs need. Shows it and asks."
    )
    var move = false

    @Flag(help: "Give files back as they were before their secrets moved: of a place, of a file, or all.")
    var undo = false

    @Flag(help: "List what was moved and can be undone.")
    var moved = false

    @Flag(help: "Drop the sealed copies of files whose secrets moved; that can't be undone then.")
    var forget = false

    @Flag(
        help:
            "With --undo: replace a file that was changed since, too; it is sealed first. With --forget: drop a copy that may be the last one."
    )
    var force = false

    @Flag(help: "With --undo: leave the items that were stored in the keychain.")
    var keepItems = false

    @Flag(help: "Don't ask.")
    var yes = false

    @Flag(help: "Show what would be done, and do nothing.")
    var dryRun = false

    /// Whether one of the actions is wanted, and so no search.
    var isWanted: Bool { move || undo || moved || forget }

    func validate() throws {
        let count = [move, undo, moved, forget].count(where: \.self)
        guard count < 2 else { throw ValidationError("--move, --undo, --moved and --forget exclude each other.") }
        guard undo || !keepItems else { throw ValidationError("--keep-items goes with --undo.") }
        guard undo || forget || !force else { throw ValidationError("--force goes with --undo and --forget.") }
        guard move || undo || forget || !(yes || dryRun) else {
            throw ValidationError("--yes and --dry-run go with --move, --undo and --forget.")
        }
    }

    /// Does what is wanted. `only`: the words of places.
    func run(
        _ paths: [FileLocation], only: [String], packages: Bool, json: Bool, choice: HomeChoice
    ) throws {
        let moves = SweepMoves(choice: choice, isGiven: yes, isDry: dryRun)
        guard !move else {
            return try moves.move(try targets(paths, only, packages), only: only, isNamed: !paths.isEmpty)
        }
        guard paths.count + only.count <= 1 else { throw CommandFailure.usage("name one place or file, or none") }
        let wish = MoveWish(place: only.first, path: paths.first)
        if undo { return try moves.undo(wish, force: force, keepsItems: keepItems) }
        if moved { return try moves.list(json: json) }
        try moves.forget(wish, force: force)
    }

    /// The files of known places; of those in the home, or of those that are named.
    private func targets(_ paths: [FileLocation], _ only: [String], _ packages: Bool) throws -> MoveTargets {
        guard let home = Environment.value("HOME"), !home.isEmpty else {
            throw CommandFailure.status(.parameter, "HOME is not set: which files are meant?")
        }
        guard !paths.isEmpty else {
            return MoveTargets(home: home, only: Set(only), environment: Environment.value)
        }
        return try MoveTargets(
            named: paths.map { try $0.fromRoot() }, home: home, only: Set(only), includesPackages: packages,
            environment: Environment.value)
    }
}

/// Which moves are meant: those of a place or a file; all without both.
struct MoveWish {
    var place: String?
    /// A word that may be a place, too.
    var path: FileLocation?

    /// The word, for messages.
    var word: String? { place ?? path.map { "\($0)" } }

    /// Whether there is a place or a file of the word.
    var isKnown: Bool {
        guard place == nil, let path else { return true }
        let isPlace = Catalogue.places.contains { Array($0.word.utf8) == path.bytes }
        return isPlace || (try? OpenFile.status(of: path, FileHooks())).flatMap { $0 } != nil
    }

    /// The moves that are meant: of a folder those of all files in it. A file that has other names is known by what it
    /// is.
    func chosen(_ moves: [SealedMove]) throws -> [SealedMove] {
        if let place { return moves.filter { $0.place == place } }
        guard let path else { return moves }
        let whole = try path.fromRoot()
        let named = moves.filter { move in
            Array(move.place.utf8) == path.bytes || move.files.contains { $0.path == whole.bytes }
        }
        guard named.isEmpty else { return named }
        let inside = moves.filter { $0.files.last?.path.starts(with: whole.bytes + [UInt8(ascii: "/")]) == true }
        guard inside.isEmpty, let identity = Self.identity(whole) else { return inside }
        return moves.filter { move in
            move.files.contains { !$0.isConfiguration && Self.identity($0.location) == identity }
        }
    }

    private static func identity(_ path: FileLocation) -> FileIdentity? {
        let hooks = FileHooks()
        return try? OpenFile.status(of: try hooks.hold(path, following: true), hooks)?.identity
    }
}

extension FileLocation {
    /// The path from the root, without `.` and doubled slashes. `..` stays: what is above a link is not what is
    /// before it in the path.
    fileprivate func fromRoot() throws -> FileLocation {
        var whole = bytes
        if !isAbsolute {
            let folder = FileManager.default.currentDirectoryPath
            guard !folder.isEmpty else {
                throw CommandFailure.status(.parameter, "the working folder has no name; name the file from the root")
            }
            whole = Array("\(folder)/".utf8) + bytes
        }
        let parts = whole.split(separator: UInt8(ascii: "/")).filter { $0 != [UInt8(ascii: ".")] }
        let slash = UInt8(ascii: "/")
        return FileLocation(bytes: parts.isEmpty ? [slash] : parts.reduce(into: []) { $0 += [slash] + $1 })
    }
}
