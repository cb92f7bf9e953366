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

    @Flag(help: "With --undo: replace a file that was changed since, too; it is sealed first.")
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
        guard undo || !(force || keepItems) else { throw ValidationError("--force and --keep-items go with --undo.") }
        guard move || undo || forget || !(yes || dryRun) else {
            throw ValidationError("--yes and --dry-run go with --move, --undo and --forget.")
        }
    }

    /// Does what is wanted.
    func run(_ words: [String], only: [String], json: Bool, choice: HomeChoice) throws {
        let moves = SweepMoves(choice: choice, isGiven: yes, isDry: dryRun)
        guard !move else { return try moves.move(try files(words, only)) }
        guard words.count + only.count <= 1 else { throw CommandFailure.usage("name one place or file, or none") }
        let word = words.first ?? only.first
        if undo { return try moves.undo(word, force: force, keepsItems: keepItems) }
        if moved { return try moves.list(json: json) }
        try moves.forget(word)
    }

    /// The files of known places; of those in the home, or of those that are named.
    private func files(
        _ words: [String], _ only: [String]
    ) throws -> [(place: Sweeps.Place, location: FileLocation)] {
        guard let home = Environment.value("HOME"), !home.isEmpty else {
            throw CommandFailure.status(.parameter, "HOME is not set: which files are meant?")
        }
        let known = Catalogue.files(home: home, only: Set(only), environment: Environment.value).map {
            (place: $0.place, location: $0.location)
        }
        guard !words.isEmpty else { return known }
        return try words.flatMap { word throws -> [(place: Sweeps.Place, location: FileLocation)] in
            try CommandFailure.refuseEmpty(word, of: "file")
            let path = URL(fileURLWithPath: word).standardizedFileURL.path
            let within = known.filter { "\($0.location)" == path || "\($0.location)".hasPrefix(path + "/") }
            if !within.isEmpty { return within }
            let name = PathText(path).lastPathComponent
            let named = Catalogue.places.filter { place in
                (only.isEmpty || only.contains(place.word)) && place.isNamed(name)
            }
            guard let place = named.first else {
                throw CommandFailure.status(
                    .itemNotFound, "\(word.printable) is in no known place of a program; see: zamok sweep --list")
            }
            return [(place: place, location: FileLocation(path))]
        }
    }
}
