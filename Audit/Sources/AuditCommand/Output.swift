// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import AuditModel
import Findings
import Foundation

/// Why nothing could be examined: one line, and status 64.
struct Failure: Error, CustomStringConvertible {
    let message: String
    var description: String { message }
}

extension ZamokAudit {
    /// As `main()`, with one line for what went wrong.
    package static func begin() {
        do {
            var command = try parseAsRoot()
            try command.run()
        } catch let failure as Failure {
            Output.aside(failure.message)
            Foundation.exit(64)
        } catch {
            exit(withError: error)
        }
    }
}

/// Where the program writes.
enum Output {
    static func write(_ text: String) throws {
        do { try FileHandle.standardOutput.write(contentsOf: Data(text.utf8)) } catch {
            throw Failure(message: "the output could not be written: \(error.localizedDescription)")
        }
    }

    /// Whole or not at all; what is there and is no file, a device or a pipe, is written to and stays.
    static func write(_ text: String, to path: String) throws {
        do {
            let file = URL(fileURLWithPath: path).resolvingSymlinksInPath()
            let type = (try? FileManager.default.attributesOfItem(atPath: file.path))?[.type] as? FileAttributeType
            if type == nil || type == .typeRegular {
                try Data(text.utf8).write(to: file, options: .atomic)
            } else {
                guard let descriptor = Disk.writer(of: file.path) else {
                    throw Failure(message: "\(path.printable) can't be written: no process reads it")
                }
                let target = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
                try target.write(contentsOf: Data(text.utf8))
            }
        } catch let failure as Failure {
            throw failure
        } catch {
            throw Failure(message: "\(path.printable) can't be written: \(error.localizedDescription)")
        }
    }

    /// For people, beside the output.
    static func aside(_ text: String) {
        try? FileHandle.standardError.write(contentsOf: Data("zamok-audit: \(text)\n".utf8))
    }

    /// A file that was named on the command line, at most 16 MiB.
    static func read(_ path: String) throws -> [UInt8] {
        switch Disk.entry(path, followingLinks: true) {
        case .file(let size) where size > largest:
            throw Failure(message: "\(path.printable) is larger than \(largest >> 20) MiB")
        case .folder, .link, .other:
            // A pipe would be waited for, a device read without end.
            throw Failure(message: "\(path.printable) is no plain file")
        case nil where Disk.entry(path) == .link:
            throw Failure(message: "\(path.printable) is a link that leads nowhere")
        case .file, nil:
            guard let bytes = Disk.bytes(of: path, most: largest) else {
                throw Failure(message: "\(path.printable) can't be read")
            }
            return bytes
        }
    }

    private static let largest = 16 << 20
}
