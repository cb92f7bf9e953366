// SPDX-License-Identifier: Apache-2.0

import Foundation
import ProvisioningProfiles
import Readers

/// Reads inputs and collects the report. An unreadable input is recorded and the run continues.
struct ProfilesRun {
    let options: CheckOptions
    /// The purpose of builds with the profiles; nil: any.
    var configuration: ShippingConfiguration?
    var report = ProfilesReport()

    init(_ options: CheckOptions) { self.options = options }

    /// Adds the profiles at a path with their findings. Apps and settings go to the handlers. A path without any input
    /// is a failure, so that no output is not mistaken for no findings.
    mutating func gather(
        _ path: String, app: (inout ProfilesRun, AppReading) -> Void,
        settings: (inout ProfilesRun, String) throws(ProfileError) -> Void = { _, path throws(ProfileError) in
            throw ProfileError(.buildSettings, "\(path): build settings are for the check command")
        }
    ) {
        attempt(path) { run throws(ProfileError) in
            let odd = ProfileFolders.unreadableNames(in: path)
            if odd > 0 {
                run.report.failures.append(
                    .init(path, ProfileError(.io, "names in it that are not UTF-8: \(odd); rename them")))
            }
            let inputs = try ProfilesInput.inputs(at: path)
            // No input is not the same as no finding.
            guard !inputs.isEmpty else { throw ProfileError(.nothingThere, "\(path) has no profile and no app") }
            for input in inputs {
                switch input {
                case .profile(let file): run.addProfile(file)
                case .app(let file):
                    run.attempt(file) { run throws(ProfileError) in app(&run, try AppReading(contentsOf: file)) }
                case .settings(let file): run.attempt(file) { run throws(ProfileError) in try settings(&run, file) }
                }
            }
        }
    }

    mutating func addProfile(_ path: String) {
        attempt(path) { run throws(ProfileError) in
            run.add(
                path,
                ExaminedProfile(
                    try UnverifiedProfile(contentsOf: path), anchor: run.options.anchor, at: run.options.now))
        }
    }

    /// Adds the profiles embedded in an app and its extensions.
    mutating func addEmbedded(_ reading: AppReading) {
        if reading.app.all.allSatisfy({ $0.embeddedProfile == nil }) {
            let error = ProfileError(.nothingThere, "\(reading.app.path) has no embedded profile")
            report.failures.append(.init(reading.app.path, error))
        }
        for bundle in reading.app.all {
            switch bundle.embeddedProfile {
            case .read(let profile):
                add(bundle.path, ExaminedProfile(profile, anchor: options.anchor, at: options.now))
            case .unreadable(let error): report.failures.append(.init(bundle.path, error))
            case nil: break
            }
        }
    }

    private mutating func add(_ path: String, _ examined: ExaminedProfile) {
        report.profiles.append((path, examined))
        report.findings += examined.findings(path: path, options: options, configuration: configuration)
    }

    /// Runs `body`; an error becomes a failure in the report.
    mutating func attempt(_ path: String, _ body: (inout ProfilesRun) throws(ProfileError) -> Void) {
        do throws(ProfileError) {
            try body(&self)
        } catch {
            report.failures.append(.init(path, error))
        }
    }
}

/// The kind of a path on the command line.
enum ProfilesInput {
    case profile(String)
    case app(String)
    case settings(String)

    /// The inputs at a path. A plain folder contributes the profiles and apps directly inside.
    ///
    /// - Throws: ``ProfileError`` with code `io`.
    static func inputs(at path: String) throws(ProfileError) -> [ProfilesInput] {
        switch PathText(path).pathExtension.lowercased() {
        case "app", "appex", "ipa": return [.app(path)]
        case "xcarchive": return try apps(of: path)
        case "xcodeproj", "pbxproj", "xcconfig", "json": return [.settings(path)]
        default:
            guard let contents = try ProfileFolders.contents(of: path) else { return [.profile(path)] }
            var inputs: [ProfilesInput] = []
            for file in contents {
                switch PathText(file).pathExtension.lowercased() {
                case "xcarchive":
                    let apps = try apps(of: file)
                    guard !apps.isEmpty else { throw ProfileError(.nothingThere, "\(file) has no app") }
                    inputs += apps
                case "app", "appex", "ipa": inputs.append(.app(file))
                default: inputs.append(.profile(file))
                }
            }
            return inputs
        }
    }

    /// The apps of an archive that Xcode made.
    private static func apps(of archive: String) throws(ProfileError) -> [ProfilesInput] {
        let contents = try ProfileFolders.contents(of: "\(archive)/Products/Applications") ?? []
        return contents.filter { ["app", "ipa"].contains(PathText($0).pathExtension.lowercased()) }.map { .app($0) }
    }
}
