// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import ProtectedFiles

/// Where the result of a command on files goes.
struct FilesTarget: ParsableArguments {
    @Flag(help: "Put the result in the place of the file.")
    var inPlace = false

    @Option(
        name: [.customShort("o"), .customLong("output")],
        help: ArgumentHelp("Write the result there; of several files, into that folder.", valueName: "path")
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

    /// Where the result for `file` goes; nil: in its place.
    func location(for file: FoundFile, ofMany: Bool) -> FileLocation? {
        output.map { ofMany ? $0.location.appending(file.location.name) : $0.location }
    }
}

/// Files with several names.
struct FilesLinks: ParsableArguments {
    @Flag(help: "Replace files with several names (hard links), too: all names at once, which must be among the paths.")
    var allLinks = false
}
