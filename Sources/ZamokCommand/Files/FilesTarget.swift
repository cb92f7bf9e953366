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

    /// Where the result for `file` goes; nil: in its place.
    func location(for file: FoundFile, ofMany: Bool) -> FileLocation? {
        output.map { ofMany ? $0.location.appending(file.location.name) : $0.location }
    }
}
