// SPDX-License-Identifier: Apache-2.0

import Foundation
import ProvisioningProfiles
import Testing

@Suite(.enabled(if: TestAuthority.isAvailable, TestAuthority.missing))
struct AppReadingTests {
    private func app() throws -> AppRecipe {
        var app = try AppRecipe(.appStore)
        var plugIn = try AppRecipe(.appStore, bundleIdentifier: "org.example.app.share")
        plugIn.name = "Share.appex"
        app.nested = [plugIn]
        return app
    }

    private func read(_ archive: ZipRecipe) throws -> AppReading {
        try TemporaryFolder.with { folder in
            let path = "\(folder)/App.ipa"
            try Data(archive.bytes()).write(to: URL(filePath: path))
            return try AppReading(contentsOf: path)
        }
    }

    @Test func `a folder and an archive of the same app read the same`() throws {
        let fromFolder = try app().read()
        let fromArchive = try read(app().archive()).app
        for app in [fromFolder, fromArchive] {
            #expect(app.all.map(\.bundleIdentifier) == ["org.example.app", "org.example.app.share"])
            #expect(app.code.first?.signature?.teamIdentifier == "TESTTEAM01")
            #expect(app.all.allSatisfy { $0.codeError == nil })
            guard case .read(let profile) = app.embeddedProfile else {
                Issue.record("no profile")
                return
            }
            #expect(profile.profile.name == "Test app-store")
        }
    }

    @Test func `a Mac app is read below Contents`() throws {
        let app = try AppRecipe(.developerID, platform: "MacOSX").read()
        #expect(app.platforms == [.macOS])
        #expect(app.code.first?.platform == .macOS)
        #expect(app.embeddedProfile != nil)
    }

    // Rule: only needed entries are read | all of them read | 8,500,175 bytes instead of less than 200,000; also "an
    //   archive of 500 MB is checked by reading its directory …"
    @Test func `of an archive only the directory and the entries needed are read`() throws {
        var archive = try app().archive()
        let filler = [UInt8](repeating: 7, count: 4 << 20)
        archive.entries.insert(.init(name: "Payload/Test.app/Assets.car", content: filler, isDeflated: false), at: 0)
        archive.entries.append(.init(name: "Payload/Test.app/movie.mp4", content: filler, isDeflated: false))
        let reading = try read(archive)
        #expect(reading.bytesRead < 200_000)
        #expect(reading.app.nested.count == 1)
    }

    @Test func `an archive of 500 MB is checked by reading its directory and the entries needed`() throws {
        try TemporaryFolder.with { folder in
            var archive = try app().archive()
            let needed = archive.entries.map { $0.data.count + 30 + 2 * $0.name.utf8.count + 46 }.reduce(0, +)
            archive.entries.insert(.init(name: "Payload/Test.app/film", content: [], isDeflated: false), at: 0)
            archive.hole = 500_000_000
            let path = "\(folder)/App.ipa"
            try archive.write(to: path)
            let size = try FileManager.default.attributesOfItem(atPath: path)[.size] as? Int
            #expect((size ?? 0) > 500_000_000)
            let reading = try AppReading(contentsOf: path)
            // The end record is looked for in the last 64 KiB; the beginning of code is read twice.
            #expect(reading.bytesRead <= 2 * needed + 66_000)
            #expect(reading.app.all.count == 2)
            #expect(reading.app.all.allSatisfy { $0.codeError == nil })
            let options = CheckOptions(anchor: try TestAuthority.anchor())
            let rules = Set(check(app: reading.app, configuration: .appStore, options: options).findings.map(\.rule.id))
            #expect(rules == ["profile-custom-anchor", "code-custom-anchor"])
        }
    }

    @Test func `an executable whose name leads out of the bundle is refused`() throws {
        for name in ["../Test", "/bin/sh", "..", "."] {
            var archive = try app().archive()
            let info: [String: PropertyList] = [
                "CFBundleIdentifier": .string("org.example.app"), "CFBundleExecutable": .string(name),
            ]
            let index = try #require(archive.entries.firstIndex { $0.name == "Payload/Test.app/Info.plist" })
            archive.entries[index].content = PropertyList.dictionary(info).xml
            #expect(profileError { _ = try read(archive) }?.code == .bundle)
        }
    }

    @Test func `an archive without an app, or with two, is refused`() throws {
        var archive = try app().archive()
        archive.entries.append(.init(name: "Payload/Other.app/Info.plist", content: []))
        #expect(profileError { _ = try read(archive) }?.code == .bundle)
        #expect(profileError { _ = try read(ZipRecipe(entries: [.init(name: "x", content: [])])) }?.code == .bundle)
    }

    // Rule: nothing in an app is reached through a link | links followed
    @Test func `nothing in a folder is reached through a symbolic link, and pipes are not opened`() throws {
        try TemporaryFolder.with { folder in
            let path = try app().write(into: folder)
            let executable = "\(path)/Test"
            try FileManager.default.moveItem(atPath: executable, toPath: "\(folder)/outside")
            try FileManager.default.createSymbolicLink(atPath: executable, withDestinationPath: "\(folder)/outside")
            #expect(try AppReading(contentsOf: path).app.codeError?.code == .bundle)
            try FileManager.default.removeItem(atPath: executable)
            _ = try ShellCommand.run("/usr/bin/mkfifo", [executable])
            #expect(try AppReading(contentsOf: path).app.codeError?.code == .io)
        }
    }

    @Test func `what is cut inside an app is told, and the rest is read`() throws {
        var app = try app()
        app.codeBytes = Array(try app.slices[0].bytes().prefix(1500))
        app.profileBytes = Array(try #require(app.profile).bytes().prefix(700))
        let read = try app.read()
        #expect(read.codeError?.code == .io || read.codeError?.code == .machO)
        guard case .unreadable(let error) = read.embeddedProfile else {
            Issue.record("read a cut profile")
            return
        }
        #expect(error.code == .envelope)
        #expect(read.nested.first?.codeError == nil)
    }
}
