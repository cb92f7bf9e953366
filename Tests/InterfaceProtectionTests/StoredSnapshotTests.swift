// SPDX-License-Identifier: Apache-2.0

import Foundation
import InterfaceProtection
import Testing

@Suite("Stored snapshots")
struct StoredSnapshotTests {
    /// Runs `body` with a folder that is removed afterwards.
    private func withLibrary(_ body: (URL) throws -> Void) throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "snapshots-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        try body(folder)
    }

    private func write(_ path: String, in library: URL) throws {
        let url = library.appending(path: path)
        try FileManager.default.createDirectory(at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
        try Data("picture".utf8).write(to: url)
    }

    // Rule: snapshots are found in folders inside | only at the top
    @Test("are found in both folders that systems have used, and removed")
    func both() throws {
        try withLibrary { library in
            let paths = [
                "Caches/Snapshots/com.example.app/A@2x.ktx", "Caches/Snapshots/com.example.app/downscaled/A@2x.ktx",
                "SplashBoard/Snapshots/sceneID:com.example.app-default/B@3x.ktx",
                "SplashBoard/Snapshots/com.example.app - {DEFAULT GROUP}/C.atx",
            ]
            for path in paths + ["Caches/other.dat", "Preferences/com.example.app.plist"] {
                try write(path, in: library)
            }
            let snapshots = StoredSnapshots(library: library)
            let found = try snapshots.find()
            #expect(Set(found.map { String($0.url.path.dropFirst(library.path.count + 1)) }) == Set(paths))
            #expect(found.allSatisfy { $0.size == 7 && $0.written.timeIntervalSinceNow > -600 })
            #expect(try snapshots.remove() == 4)
            #expect(try snapshots.find().isEmpty)
            #expect(FileManager.default.fileExists(atPath: library.appending(path: "Caches/other.dat").path))
        }
    }

    @Test("are none where there are no folders, and nothing is made")
    func none() throws {
        try withLibrary { library in
            let removed = try StoredSnapshots(library: library).remove()
            #expect(removed == 0)
            #expect(try FileManager.default.contentsOfDirectory(atPath: library.path).isEmpty)
        }
    }

    @Test("are not looked for behind links")
    func links() throws {
        try withLibrary { library in
            try write("Documents/precious.ktx", in: library)
            try write("Caches/Snapshots/A.ktx", in: library)
            let link = library.appending(path: "Caches/Snapshots/link")
            try FileManager.default.createSymbolicLink(
                at: link, withDestinationURL: library.appending(path: "Documents"))
            let splash = library.appending(path: "SplashBoard")
            try FileManager.default.createDirectory(at: splash, withIntermediateDirectories: true)
            try FileManager.default.createSymbolicLink(
                at: splash.appending(path: "Snapshots"), withDestinationURL: library.appending(path: "Documents"))
            #expect(try StoredSnapshots(library: library).remove() == 1)
            #expect(FileManager.default.fileExists(atPath: library.appending(path: "Documents/precious.ktx").path))
        }
    }

    // Rule: snapshots are found however many there are | the search ends at 100 | 2 issues
    @Test("are removed however many there are, and however deep")
    func many() throws {
        try withLibrary { library in
            let deep = "SplashBoard/Snapshots/" + (0..<20).map { "\($0)/" }.joined()
            try write(deep + "deep.ktx", in: library)
            for number in 0..<10_050 {
                let path = library.appending(path: "SplashBoard/Snapshots/\(number).ktx").path
                #expect(FileManager.default.createFile(atPath: path, contents: nil))
            }
            #expect(try StoredSnapshots(library: library).remove() == 10_051)
            #expect(try StoredSnapshots(library: library).find().isEmpty)
        }
    }
}
