// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing

@testable import ZamokCommand

/// The copy that guests get in place of `/etc`.
@Suite struct SystemCopyTests {
    private let folder = try? TemporaryFolder()

    private func write(_ text: String, _ path: String, _ mode: mode_t = 0o644) throws {
        try FileManager.default.createDirectory(
            atPath: (path as NSString).deletingLastPathComponent, withIntermediateDirectories: true)
        try text.write(toFile: path, atomically: false, encoding: .utf8)
        #expect(unsafe chmod(path, mode) == 0)
    }

    private func scene() throws -> (source: String, copies: String) {
        let path = try #require(folder).url.resolvingSymlinksInPath().path
        let source = "\(path)/etc"
        try write("names", "\(source)/passwd")
        try write("secret", "\(source)/shadow", 0o600)
        try write("key", "\(source)/ssl/private/key")
        #expect(unsafe chmod("\(source)/ssl/private", 0o700) == 0)
        try write("run", "\(source)/app/run", 0o6755)
        try write("home", "\(source)/zh/keybag")
        #expect(unsafe symlink("../passwd", "\(source)/app/link") == 0)
        return (source, "\(path)/copies")
    }

    private func names(_ folder: String) -> [String] {
        FileManager.default.enumerator(atPath: folder)?.compactMap { $0 as? String }.sorted() ?? []
    }

    private func content(_ copy: SystemCopy, _ name: String) -> String? {
        try? String(contentsOfFile: "\(copy.folder.path)/\(name)", encoding: .utf8)
    }

    // Rule: a guest's /etc has nothing that other users can't read | isHidden was always false | shadow was in it
    @Test func `has what other users can read, without special modes`() throws {
        let (source, copies) = try scene()
        let copy = try #require(SystemCopy.current(in: copies, of: source, ["\(source)/zh"]))
        #expect(names(copy.folder.path) == ["app", "app/link", "app/run", "passwd", "ssl"])
        #expect(content(copy, "app/link") == "names")
        var status = stat()
        #expect(unsafe stat("\(copy.folder.path)/app/run", &status) == 0 && status.st_mode & 0o7777 == 0o755)
        #expect(unsafe stat(copies, &status) == 0 && status.st_mode & 0o77 == 0)
        #expect(copy.large.isEmpty)
    }

    // Rule: a change of /etc is in the next guest's | the list was not compared | the old copy came
    @Test func `is made anew when an entry has changed, and stays while a guard uses it`() throws {
        let (source, copies) = try scene()
        let first = try #require(SystemCopy.current(in: copies, of: source, []))
        let again = try #require(SystemCopy.current(in: copies, of: source, []))
        #expect(first.folder.path == again.folder.path)
        var before = first.folder.path
        // The same size, and the time of the content set back.
        let changes: [() throws -> Void] = [
            {
                try write("other", "\(source)/passwd")
                #expect(unsafe utimes("\(source)/passwd", [timeval(), timeval()]) == 0)
            },
            { #expect(unsafe chmod("\(source)/passwd", 0o600) == 0) },
            { try write("new", "\(source)/app/new") },
            { #expect(unsafe unlink("\(source)/app/run") == 0) },
            { #expect(unsafe chmod("\(source)/shadow", 0o644) == 0) },
        ]
        for (place, change) in changes.enumerated() {
            try change()
            let next = try #require(SystemCopy.current(in: copies, of: source, []))
            #expect(next.folder.path != before, "\(place)")
            before = next.folder.path
            #expect(content(next, "passwd") == (place == 0 ? "other" : nil), "\(place)")
        }
        #expect(content(first, "passwd") == "names")
        // Those that no guard uses are gone.
        #expect(try FileManager.default.contentsOfDirectory(atPath: copies).count == 2)
        withExtendedLifetime((first, again)) {}
    }

    @Test func `one that is not whole is removed, and a folder of others is not used`() throws {
        let (source, copies) = try scene()
        try write("half", "\(copies)/etc-half/etc/passwd")
        #expect(SystemCopy.current(in: copies, of: source, []) == nil)
        #expect(unsafe chmod(copies, 0o700) == 0)
        let copy = try #require(SystemCopy.current(in: copies, of: source, []))
        #expect(content(copy, "passwd") == "names")
        #expect(try FileManager.default.contentsOfDirectory(atPath: copies).count == 1)
    }
}
