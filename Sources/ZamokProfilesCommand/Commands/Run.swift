// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Foundation
import ProvisioningProfiles

/// Reads inputs and gathers the report. What can't be read is noted and the rest goes on.
struct Run {
    let options: CheckOptions
    var report = Report()

    init(_ options: CheckOptions) { self.options = options }

    /// The options, or exit status 2 with a message where the roots given can't be read.
    static func options(_ trust: TrustOptions, _ limits: LimitOptions? = nil) throws -> CheckOptions {
        do throws(ProfileError) {
            var options = try trust.checkOptions()
            if let limits { (options.warnDays, options.device) = (limits.warnDays, limits.device) }
            return options
        } catch {
            throw failed(error)
        }
    }

    /// Tells the error on standard error; the exit status is 2.
    static func failed(_ error: ProfileError) -> ExitCode {
        FileHandle.standardError.write(Data("zamok-profiles: \(error.message.printable)\n".utf8))
        return ExitCode(2)
    }

    /// Adds the profiles at a path with their findings; apps and settings go to the handlers.
    mutating func gather(
        _ path: String, app: (inout Run, AppReading) -> Void,
        settings: (inout Run, String) throws(ProfileError) -> Void = { _, path throws(ProfileError) in
            throw ProfileError(.buildSettings, "\(path): build settings are for the check command")
        }
    ) {
        attempt(path) { run throws(ProfileError) in
            for input in try Input.inputs(at: path) {
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
        report.findings += examined.findings(path: path, options: options)
    }

    /// Runs `body`; an error becomes a failure of the report.
    mutating func attempt(_ path: String, _ body: (inout Run) throws(ProfileError) -> Void) {
        do throws(ProfileError) {
            try body(&self)
        } catch {
            report.failures.append(.init(path, error))
        }
    }
}
