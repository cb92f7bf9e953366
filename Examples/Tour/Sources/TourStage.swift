// SPDX-License-Identifier: Apache-2.0

import DataProtection
import Foundation
import Security

/// Where the tour plays: a real home in a temporary folder of its own, and the page that it is told on.
final class TourStage {
    let page: TourPage
    /// The folder of the tour; the home is within it.
    let folder: URL
    /// The program that the tour plays.
    let home: Home
    private(set) var stepCount = 0
    private(set) var surprises = 0
    private var disk: TourDisk

    var homeFolder: URL { folder.appending(path: "home") }

    init(folder: URL, page: TourPage) throws {
        self.folder = folder
        self.page = page
        home = try Self.home(in: folder, "com.example.shop", groups: ["com.example.shop", "group.example"])
        disk = TourDisk(folder.appending(path: "home"))
    }

    /// The same home as another program sees it.
    static func home(in folder: URL, _ identifier: String, groups: [String]) throws -> Home {
        var configuration = Home.Configuration()
        configuration.folder = folder.appending(path: "home").path
        configuration.identity = ApplicationIdentity(applicationIdentifier: identifier, accessGroups: groups)
        return try Home(configuration)
    }

    /// Makes a call, shows it with its answer and with what it changed on disk, and compares the answer with what the
    /// keychain of an iPhone answers.
    @discardableResult
    func step(
        _ text: String, _ call: TourCall, as program: Home? = nil, answers expected: OSStatus = errSecSuccess,
        found: ((Any?) -> String)? = nil
    ) throws -> Any? {
        try page.text(text)
        let (status, result) = Home.withCurrent(program ?? home) { call.run() }
        let now = TourDisk(homeFolder)
        try page.columns(call.lines, beside: evidence(now, "keychain.db"))
        disk = now
        let told = status == errSecSuccess ? found.map { ", \($0(result))" } ?? "" : ""
        try page.answer(
            "\(TourNames.name(of: status)) (\(status))\(told)",
            status != expected ? .bad : status == errSecSuccess ? .good : .refused
        )
        try count(status == expected, "expected \(TourNames.name(of: expected)) (\(expected))")
        return result
    }

    /// Something done by Swift API, shown as `code`, with the fields that show what `text` says. `evidence` gets the
    /// files before and after it.
    func step(
        _ text: String, _ code: [String], in folder: URL? = nil, answers expected: String, refuses: Bool = false,
        _ body: () throws -> String,
        showing evidence: (_ before: TourDisk, _ now: TourDisk) -> [TourEvidence] = { _, _ in [] }
    ) throws {
        try page.text(text)
        let before = folder.map(TourDisk.init) ?? disk
        let answer = try body()
        let now = TourDisk(folder ?? homeFolder)
        let shown = evidence(before, now)
        try page.columns(code, beside: shown.flatMap(\.lines))
        if folder == nil { disk = now }
        try page.answer(answer, answer != expected ? .bad : refuses ? .refused : .good)
        try count(answer == expected, "expected \(expected)")
        if !shown.allSatisfy(\.isAsSaid) { try surprise("the bytes don't show it") }
    }

    private func evidence(_ now: TourDisk, _ file: String) -> [String] {
        now.change(since: disk, in: file)?.lines ?? ["nothing changed in \(file)"]
    }

    /// Notes whether something was as it must be.
    func count(_ isExpected: Bool, _ surprise: String) throws {
        stepCount += 1
        if !isExpected { try self.surprise(surprise) }
    }

    private func surprise(_ text: String) throws {
        surprises += 1
        try page.answer(text, .bad)
    }
}
