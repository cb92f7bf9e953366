// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Foundation
import ProvisioningProfiles

/// The options for the output format.
struct ProfilesOutputOptions: ParsableArguments {
    @Flag(help: "Print JSON instead of a table.")
    var json = false

    @Flag(help: "Print whole device identifiers and names of people.")
    var full = false

    var shortener: Shortener { Shortener(isFull: full) }
}

/// The limits beyond which a verified profile has findings.
struct ProfilesLimitOptions: ParsableArguments {
    @Option(help: ArgumentHelp("Days before the expiry of a profile at which it becomes a finding.", valueName: "days"))
    var warnDays = 30

    @Option(help: ArgumentHelp("A device that the profile must list.", valueName: "identifier"))
    var device: String?

    func validate() throws {
        guard warnDays >= 0 else { throw ValidationError("--warn-days is a number of days, 0 or more.") }
    }
}

/// The options for verification.
struct ProfilesTrustOptions: ParsableArguments {
    @Option(help: ArgumentHelp("Judge expiry at this day instead of today, for example 2026-05-31.", valueName: "date"))
    var at: String?

    @Option(
        name: .customLong("custom-anchor"),
        help: ArgumentHelp("Roots of your own in PEM, for profiles made for tests.", valueName: "file"),
        completion: .file())
    var anchor: String?

    func validate() throws {
        if let at, Date(day: at) == nil { throw ValidationError("--at is a day, as 2026-05-31.") }
    }

    /// The options for a check.
    ///
    /// - Throws: ``ProfileError`` if the roots can't be read.
    func checkOptions(_ limits: ProfilesLimitOptions? = nil) throws(ProfileError) -> CheckOptions {
        let roots = try anchor.map { (path) throws(ProfileError) in try CustomAnchor(contentsOf: path) }
        var options = CheckOptions(now: at.flatMap { Date(day: $0) } ?? Date(), anchor: roots)
        if let limits { (options.warnDays, options.device) = (limits.warnDays, limits.device) }
        return options
    }
}
