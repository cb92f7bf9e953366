// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Readers

/// `zamok port`
struct PortCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "port",
        abstract: "Say what a package for Apple's systems needs on Linux.",
        discussion: """
            Reads the Swift files below a folder: which targets need the line that brings Security as Foundation and LocalAuthentication do on \
            Apple's systems, which products their manifest lacks, what Foundation compiles here and doesn't protect (data protection of files, \
            UserDefaults), which modules have another name here, and which names of Security are missing and why. What is under #if for other \
            systems is left out. Nothing is changed without --write, which adds a file with that line to each target that needs it; the rest \
            is work by hand. A comment // zamok:allow(port) REASON on the line or right above it silences what has been looked at. \
            Exit status: 0 nothing to do, 1 something, 2 not everything could be looked at.

            EXAMPLES:
              zamok port .
              zamok port MyPackage --write
            """)

    @Argument(help: "The folder of the package.", completion: .directory)
    var folder: String

    @Flag(help: "Add a file with the line to each target that needs it.")
    var write = false

    func run() throws {
        let package = try PortedPackage(folder)
        var lines = package.needs.map { "\($0.path.printable):\($0.line): \($0.what.printable)" }
        if package.moreNeeds > 0 { lines.append("and more of the same kind: \(package.moreNeeds)") }
        lines += package.manifestNeeds
        var unreadable = package.unreadable
        if write {
            let done = package.writeLines(folder)
            lines += done.written.map { "\($0.printable): written" }
            unreadable += done.left.map {
                "\($0.printable): could not be written, or is there already; its target needs the line: \(PortedPackage.line)"
            }
        } else {
            lines += package.targetsWithoutLine.map {
                "\($0.printable): calls Security without importing it; write in one of its files: \(PortedPackage.line)"
            }
        }
        lines += unreadable
        if lines.isEmpty { lines = ["\(package.fileCount) Swift files: nothing to do"] }
        try Channel.output.lines(lines)
        let isClean =
            package.needs.isEmpty && package.manifestNeeds.isEmpty && (write || package.targetsWithoutLine.isEmpty)
        throw CommandFailure.silent(unreadable.isEmpty ? (isClean ? 0 : 1) : 2)
    }
}
