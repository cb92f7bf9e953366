// SPDX-License-Identifier: Apache-2.0

import AuditModel
import Findings
import Foundation

/// What stands where a report or a baseline is about to be written.
enum WrittenFile {
    /// Throws unless nothing is there, or something that this program wrote: `-o Login.swift` must not cost a source.
    static func check(_ path: String, mayBe isOwn: (Ends) -> Bool, what: String) throws {
        let file = URL(fileURLWithPath: path).resolvingSymlinksInPath().path
        // Pipes and devices are written to and stay.
        guard case .file(let size)? = Disk.entry(file, followingLinks: true), size > 0 else { return }
        guard !(ProjectFile.isRead(String(path.split(separator: "/").last ?? ""))), let ends = Ends(file), isOwn(ends)
        else {
            throw Failure(
                message:
                    "\(path.printable) is there already and holds no \(what) of zamok audit; another name, or --force, is needed to write there"
            )
        }
    }

    /// The first and the last bytes of a file.
    struct Ends {
        let head: String
        let tail: String

        init?(_ path: String) {
            guard let handle = FileHandle(forReadingAtPath: path), let size = try? handle.seekToEnd() else {
                return nil
            }
            defer { try? handle.close() }
            func text(at offset: UInt64) -> String? {
                guard (try? handle.seek(toOffset: offset)) != nil else { return nil }
                return (try? handle.read(upToCount: 4096)).map { String(decoding: $0, as: UTF8.self) }
            }
            guard let head = text(at: 0), let tail = text(at: size > 4096 ? size - 4096 : 0) else { return nil }
            (self.head, self.tail) = (head, tail)
        }
    }

    static func isBaseline(_ ends: Ends) -> Bool {
        ends.head.hasPrefix("{\n  \"findings\" : [") && ends.tail.hasSuffix("  \"format\" : 1\n}\n")
    }

    /// In any of the forms.
    static func isReport(_ ends: Ends) -> Bool {
        if ends.head.hasPrefix("<!doctype html>") { return ends.head.contains("zamok audit") }
        if ends.head.hasPrefix("{") {
            let isJSON = ends.head.hasPrefix("{\n  \"findings\" : [") && ends.tail.contains("\n  \"version\" : \"")
            return isJSON || ends.head.contains("sarif-2.1.0.json")
        }
        if ends.head.hasPrefix("tool,app,file,line,category,rule_id,message\n") { return true }
        let last = ends.tail.split(separator: "\n").last ?? ""
        if last.hasPrefix("::notice title=zamok audit::") || last.contains(" examined") { return true }
        // The last of more lines can be cut.
        let lines = ends.head.split(separator: "\n")
        return !lines.isEmpty && lines.prefix(max(1, lines.count - 1)).allSatisfy(isOfCompiler)
    }

    /// As Xcode takes it: `/path:line:column: level: text`.
    private static func isOfCompiler(_ line: Substring) -> Bool {
        [": warning: ", ": note: ", ": error: "].contains { line.contains($0) }
            || line.hasPrefix("warning: zamok-audit: ")
    }
}
