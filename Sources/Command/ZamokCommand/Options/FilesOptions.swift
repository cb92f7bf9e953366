// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Files
import ProtectedFiles
import Statuses

/// Where the result of a command on files goes.
struct FilesTarget: ParsableArguments {
    @Flag(help: "Put the result in the place of the file.")
    var inPlace = false

    @Option(
        name: [.customShort("o"), .customLong("output")],
        help: ArgumentHelp(
            "Write the result there; of several files, into that folder, below which a folder's files lie as they do now. - is standard input of protect, output of open.",
            valueName: "path")
    )
    var output: FileWord?

    func validate() throws {
        if inPlace, output != nil { throw ValidationError("--in-place and --output exclude each other") }
    }

    func validate(_ links: FilesLinks) throws {
        if links.allLinks, output != nil {
            throw ValidationError("--all-links is about what takes the place of files, and --output leaves them")
        }
    }

    /// Where the result for `file` goes, and folders for it are made; nil: in its place.
    func location(for file: FoundFile, ofMany: Bool) throws -> FileLocation? {
        guard let output else { return nil }
        guard ofMany else { return output.location }
        let parts = file.pathInFolder
        var place = output.location
        for part in parts.dropLast() {
            place = place.appending(part)
            try Self.makeFolder(place)
        }
        return place.appending(parts.last ?? file.location.name)
    }

    /// Folders for results are their owner's alone.
    private static func makeFolder(_ folder: FileLocation) throws {
        do { try OpenFile.makeFolder(folder, FileHooks()) } catch {
            guard error.isPresentAlready else {
                throw CommandFailure.status(.inputOutput, "\(folder): the folder can't be made: \(error.text)")
            }
        }
    }

    private static func isFolder(_ folder: FileLocation) -> Bool {
        (try? OpenFile.open(folder, .folder, FileHooks())) != nil
    }

    /// Says once that the folder for many files is not there.
    func check(ofMany: Bool) throws {
        guard let output, ofMany, !Self.isFolder(output.location) else { return }
        throw CommandFailure.status(
            .itemNotFound,
            "\(output.location): there is no such folder for the results; make it first; nothing was done")
    }
}

/// Files with several names.
struct FilesLinks: ParsableArguments {
    @Flag(help: "Replace files with several names (hard links), too: all names at once, which must be among the paths.")
    var allLinks = false
}
