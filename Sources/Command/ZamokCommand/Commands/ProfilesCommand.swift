// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import ProvisioningProfiles
import Readers

/// `zamok profiles`
struct ProfilesCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "profiles",
        abstract: "Read, verify and check provisioning profiles, apps and build settings before an app ships.",
        discussion: """
            Works offline and on Linux. Exit status: 0 clean, 1 findings (warnings or errors), 2 something could not be \
            read, 64 wrong usage. Device identifiers and names of people are shortened unless --full is given.

            EXAMPLES:
              zamok profiles show App.mobileprovision
              zamok profiles verify Signing/ --warn-days 45
              zamok profiles check App.ipa --configuration AppStore
            """,
        subcommands: [
            ProfilesShow.self, ProfilesVerify.self, ProfilesCheck.self, ProfilesList.self, ProfilesInstall.self,
        ])
}

/// `zamok profiles show`
struct ProfilesShow: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "show",
        abstract: "Show what profiles say and who signed them.",
        discussion: """
            One profile is shown in full, several as a table. Of apps: how they are signed, and their profiles.

            EXAMPLES:
              zamok profiles show App.mobileprovision
              zamok profiles show App.ipa --json | jq .profiles[0].entitlements
            """)

    @Argument(help: "Profiles, folders of profiles, .app folders or .ipa files.", completion: .file())
    var paths: [String]

    @OptionGroup var trust: ProfilesTrustOptions
    @OptionGroup var output: ProfilesOutputOptions

    func run() throws {
        let options = try trust.checkOptions()
        var run = ProfilesRun(options)
        for path in paths {
            run.gather(path) { run, reading in
                run.report.apps.append(reading.app)
                run.addEmbedded(reading)
            }
        }
        run.report.findings = []
        if output.json {
            try Channel.output.line(run.report.json(options, output.shortener).page)
        } else {
            let report = run.report
            if !report.apps.isEmpty { try Channel.output.lines(report.appTable(options, output.shortener) + [""]) }
            if report.profiles.count == 1, let one = report.profiles.first {
                let details = ProfileDetails(path: one.path, one.examined, at: options.now, output.shortener)
                try Channel.output.lines(details.lines)
            } else if !report.profiles.isEmpty {
                try Channel.output.lines(report.table(at: options.now))
            }
            if !report.failures.isEmpty { try Channel.output.lines(report.findingsText()) }
        }
        throw CommandFailure.silent(run.report.exitStatus)
    }
}

/// `zamok profiles verify`
struct ProfilesVerify: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "verify",
        abstract: "Verify that Apple signed profiles, and that they are not expired.",
        discussion: """
            The chain is verified at the signing time, offline, under Apple's two pinned roots.

            EXAMPLES:
              zamok profiles verify Signing/*.mobileprovision
              zamok profiles verify App.mobileprovision --warn-days 45 --at 2026-05-31
            """)

    @Argument(help: "Profiles, folders of profiles, .app folders or .ipa files.", completion: .file())
    var paths: [String]

    @Flag(help: "Print SARIF 2.1.0.")
    var sarif = false

    @OptionGroup var limits: ProfilesLimitOptions
    @OptionGroup var trust: ProfilesTrustOptions
    @OptionGroup var output: ProfilesOutputOptions

    func run() throws {
        let options = try trust.checkOptions(limits)
        var run = ProfilesRun(options)
        for path in paths { run.gather(path) { run, app in run.addEmbedded(app) } }
        try run.report.printResult(sarif: sarif, output, options)
    }
}

/// `zamok profiles check`
struct ProfilesCheck: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "check",
        abstract: "Check apps against their profiles, and build settings before anything is built.",
        discussion: """
            Of an app: profile, code signature, entitlements, keychain groups, data protection, and the extensions \
            inside. Of a project, .xcconfig file or the output of xcodebuild -showBuildSettings -json: whether each \
            configuration can be signed as it is set, with the kind of profile that --expect names; without --expect \
            every configuration is checked, for a kind that its name leaves open.

            EXAMPLES:
              zamok profiles check App.ipa --configuration AppStore --warn-days 45
              zamok profiles check App.ipa --configuration AppStore --sarif > signing.sarif
              zamok profiles check App.xcodeproj --expect Release=app-store
            """)

    @Argument(
        help: ".app folders, .ipa files, profiles, folders, projects, .xcconfig files, settings in JSON.",
        completion: .file())
    var paths: [String]

    @Option(
        help: "What the build is for: Debug, AdHoc, AppStore or Release, Enterprise, DeveloperID.",
        completion: .list(["Debug", "AdHoc", "AppStore", "Release", "Enterprise", "DeveloperID"]),
        transform: parsedConfiguration)
    var configuration: ShippingConfiguration?

    @Option(
        help: ArgumentHelp("Check apps against this profile instead of the embedded one.", valueName: "file"),
        completion: .file())
    var profile: String?

    @Option(
        help: ArgumentHelp(
            "The kind of profile that a configuration is to use, for example Debug=development. May be repeated.",
            discussion: "Kinds: development, ad-hoc, app-store, enterprise, developer-id.",
            valueName: "configuration=kind"), transform: parsedExpectation)
    var expect: [ExpectedProfile] = []

    @Option(
        help: ArgumentHelp("Where to look for the profiles that settings name. May be repeated.", valueName: "folder"),
        completion: .directory)
    var profiles: [String] = []

    @Option(
        help: ArgumentHelp(
            "The default data protection class wanted, for example NSFileProtectionComplete.", valueName: "class"),
        completion: .list(Completions.dataProtection)
    )
    var dataProtection: String?

    @Flag(help: "Print SARIF 2.1.0.")
    var sarif = false

    @OptionGroup var limits: ProfilesLimitOptions
    @OptionGroup var trust: ProfilesTrustOptions
    @OptionGroup var output: ProfilesOutputOptions

    func run() throws {
        var options = try trust.checkOptions(limits)
        options.dataProtection = dataProtection
        var run = ProfilesRun(options)
        run.configuration = configuration
        let given = try givenProfile(options)
        var library: ProfileLibrary?
        var onlySettings = true
        for path in paths {
            run.gather(path) { run, reading in
                run.report.coversCode = true
                onlySettings = false
                run.report.findings +=
                    check(app: reading.app, profile: given, configuration: configuration, options: options).findings
            } settings: { run, file throws(ProfileError) in
                let settings = try SigningSettings.read(contentsOf: file)
                guard !settings.isEmpty else {
                    throw ProfileError(.nothingThere, "\(file) has no app and no extension, which are what is signed")
                }
                // Read once, regardless of the number of settings.
                let known = library ?? run.library(profiles)
                library = known
                run.report.findings +=
                    check(settings: settings, expectations: expect, library: known, options: options).findings
                guard known.isEmpty, settings.contains(where: \.namesProfile) else { return }
                throw ProfileError(
                    .nothingThere,
                    "\(file) names profiles, and there is none to compare with; name their folder with --profiles")
            }
        }
        if onlySettings, run.report.profiles.isEmpty, run.report.failures.isEmpty,
            profile != nil || configuration != nil
        {
            throw ValidationError(
                "--configuration and --profile are for apps and profiles; for settings there are --expect and --profiles."
            )
        }
        try run.report.printResult(sarif: sarif, output, options)
    }

    private func givenProfile(_ options: CheckOptions) throws -> (path: String, examined: ExaminedProfile)? {
        try profile.map {
            ($0, ExaminedProfile(try UnverifiedProfile(contentsOf: $0), anchor: options.anchor, at: options.now))
        }
    }
}

private func parsedConfiguration(_ text: String) throws -> ShippingConfiguration {
    guard let configuration = ShippingConfiguration(spelling: text) else {
        throw ValidationError("\(text) is none of Debug, AdHoc, AppStore, Release, Enterprise, DeveloperID.")
    }
    return configuration
}

private func parsedExpectation(_ text: String) throws -> ExpectedProfile {
    guard let expectation = ExpectedProfile(text) else {
        throw ValidationError("\(text) is not of the form Debug=development.")
    }
    return expectation
}

extension ProfilesRun {
    /// The available profiles: those in the given folders, otherwise in Xcode's folders. A file that can't be read is a
    /// failure in a given folder, and is left out in Xcode's.
    mutating func library(_ folders: [String]) -> ProfileLibrary {
        let home = Environment.value("HOME") ?? ""
        let known = report.failures
        var entries: [ProfileLibrary.Entry] = []
        for folder in folders.isEmpty ? ProfileFolders.existing(home: home) : folders {
            attempt(folder) { run throws(ProfileError) in
                for file in try ProfileFolders.files(in: folder) {
                    run.attempt(file) { run throws(ProfileError) in
                        let profile = try UnverifiedProfile(contentsOf: file)
                        entries.append(
                            .init(
                                path: file,
                                examined: ExaminedProfile(profile, anchor: run.options.anchor, at: run.options.now)))
                    }
                }
            }
        }
        if folders.isEmpty { report.failures = known }
        return ProfileLibrary(entries)
    }
}

/// `zamok profiles list`
struct ProfilesList: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list",
        abstract: "List the profiles that are installed for Xcode.",
        discussion: """
            Looks into the folders of Xcode 16 and later and of earlier versions.

            EXAMPLES:
              zamok profiles list
              zamok profiles list --folder Signing --json
            """)

    @Option(
        help: ArgumentHelp("List this folder instead. May be repeated.", valueName: "folder"), completion: .directory)
    var folder: [String] = []

    @OptionGroup var trust: ProfilesTrustOptions
    @OptionGroup var output: ProfilesOutputOptions

    func run() throws {
        let options = try trust.checkOptions()
        let home = Environment.value("HOME") ?? ""
        let folders = folder.isEmpty ? ProfileFolders.existing(home: home) : folder
        var run = ProfilesRun(options)
        for folder in folders {
            run.attempt(folder) { run throws(ProfileError) in
                for file in try ProfileFolders.files(in: folder) { run.addProfile(file) }
            }
        }
        run.report.findings = []
        if output.json {
            try Channel.output.line(run.report.json(options, output.shortener).page)
        } else if run.report.profiles.isEmpty, run.report.failures.isEmpty {
            try Channel.output.line(
                "No profiles in "
                    + (folders.isEmpty ? "Xcode's folders." : folders.map(\.printable).joined(separator: ", ") + "."))
        } else {
            let failures = run.report.failures.isEmpty ? [] : run.report.findingsText()
            try Channel.output.lines(run.report.table(at: options.now) + failures)
        }
        throw CommandFailure.silent(run.report.exitStatus)
    }
}

/// `zamok profiles install`
struct ProfilesInstall: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "install",
        abstract: "Put a profile into Xcode's folder under its UUID.",
        discussion: """
            Only profiles that Apple signed are installed, unless --allow-unverified is given. Prints the path.

            EXAMPLES:
              zamok profiles install App.mobileprovision
              zamok profiles install App.mobileprovision --folder Signing
            """)

    @Argument(help: "The profile.", completion: .file())
    var file: String

    @Option(
        help: ArgumentHelp("Another folder than that of Xcode 16 and later.", valueName: "folder"),
        completion: .directory)
    var folder: String?

    @Flag(help: "Install a profile that does not verify.")
    var allowUnverified = false

    func run() throws {
        let target = folder ?? "\(Environment.value("HOME") ?? "")/\(ProfileFolders.current)"
        let profile = try UnverifiedProfile(contentsOf: file)
        if !allowUnverified { try verify(profile) }
        let place = try ProfileFolders.install(contentsOf: file, into: target)
        Done.note("the profile is installed", lost: "its path")
        try Channel.output.line(place.printable)
    }

    private func verify(_ profile: UnverifiedProfile) throws(ProfileError) {
        do throws(ProfileError) {
            _ = try profile.verified()
        } catch {
            let message = "\(file) is not installed: \(error.message); --allow-unverified installs it all the same"
            throw ProfileError(error.code, message, part: error.part)
        }
    }
}
