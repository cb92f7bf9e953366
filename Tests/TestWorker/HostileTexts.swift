// SPDX-License-Identifier: Apache-2.0

import Credentials
import Foundation
import Keychains
import ProvisioningProfiles
import TestSupport

/// test-worker hostile-texts projects|listings: reads what HostileGrammar makes. Status 1 where a text took long, all
/// of them took much memory, or every one was refused.
/// By hand, a million, optimised: `sh Scripts/build-release $PWD test-worker`, then
/// `ZAMOK_FUZZ_INPUTS=1000000 .build-release/test-worker hostile-texts listings`.
/// With a number after that, only this text is read, and written to `hostile-text`.
enum HostileTexts {
    private static let only = CommandLine.arguments.dropFirst(3).first.flatMap { Int($0) }

    static func run(_ arguments: [String]) throws -> Never {
        let run =
            switch arguments.first {
            case "projects": try projects()
            case "listings": try listings()
            default: exit(64)
            }
        exit(run.isBounded && run.refused < run.inputs ? 0 : 1)
    }

    private static var grammar: HostileGrammar {
        HostileGrammar(seed: FuzzBudget.seed(environment: ProcessInfo.processInfo.environment))
    }

    private static func isRead(_ number: Int, _ text: String) throws -> Bool {
        guard let only else { return true }
        if number == only { try Data(text.utf8).write(to: URL(fileURLWithPath: "hostile-text")) }
        return number == only
    }

    private static func projects() throws -> FuzzRun {
        let folder = try TemporaryFolder()
        var grammar = grammar
        let project = folder.path("App.xcodeproj/project.pbxproj")
        try FileManager.default.createDirectory(
            atPath: folder.path("App.xcodeproj"), withIntermediateDirectories: true)
        return try FuzzRun.repeated("projects", bounded: 200, mebibytes: 256) { number in
            let path = number % 4 == 3 ? folder.path("App.xcconfig") : project
            let text = number % 4 == 3 ? grammar.configuration() : grammar.project()
            guard try isRead(number, text) else { return "" }
            try Data(text.utf8).write(to: URL(fileURLWithPath: path))
            return path
        } read: { _, path in
            guard !path.isEmpty, let settings = try? SigningSettings.read(contentsOf: path) else { return false }
            _ = check(settings: settings, expectations: [], library: ProfileLibrary([]))
            return true
        }
    }

    private static func listings() throws -> FuzzRun {
        var grammar = grammar
        return try FuzzRun.repeated("listings", bounded: 400, mebibytes: 256) { number in
            let text =
                switch number % 4 {
                case 0: grammar.csv()
                case 1: grammar.json()
                case 2: grammar.xml()
                default: grammar.variables()
                }
            return try isRead(number, text) ? Array(text.utf8) : []
        } read: { number, bytes in
            do {
                let listing =
                    switch number % 4 {
                    case 0: try CSVListing.listing(bytes)
                    case 1: try BitwardenText.listing(bytes)
                    case 2: try KeePassText.listing(bytes)
                    default: try EnvironmentText.listing(bytes, service: "s")
                    }
                while try listing.next() != nil {}
                return true
            } catch { return false }
        }
    }
}
