// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Foundation
import ProvisioningProfiles

struct Check: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Check apps against their profiles, and build settings before anything is built.",
        discussion: """
            Of an app: profile, code signature, entitlements, keychain groups, data protection, and the extensions \
            inside. Of a project, .xcconfig file or the output of xcodebuild -showBuildSettings -json: whether each \
            configuration chooses the kind of profile that --expect names.

            EXAMPLES:
              zamok profiles check App.ipa --configuration AppStore --warn-days 45
              zamok profiles check App.ipa --configuration AppStore --sarif > signing.sarif
              zamok profiles check App.xcodeproj --expect Release=app-store
            """)

    @Argument(help: ".app folders, .ipa files, profiles, folders, projects, .xcconfig files, settings in JSON.")
    var paths: [String]

    @Option(
        help: "What the build is for: Debug, AdHoc, AppStore or Release, Enterprise, DeveloperID.",
        transform: parsedConfiguration)
    var configuration: ShippingConfiguration?

    @Option(help: ArgumentHelp("Check apps against this profile instead of the embedded one.", valueName: "file"))
    var profile: String?

    @Option(
        help: ArgumentHelp(
            "The kind of profile that a configuration is to use, as Debug=development. May be repeated.",
            discussion: "Kinds: development, ad-hoc, app-store, enterprise, developer-id.",
            valueName: "configuration=kind"), transform: parsedExpectation)
    var expect: [ExpectedProfile] = []

    @Option(
        help: ArgumentHelp("Where to look for the profiles that settings name. May be repeated.", valueName: "folder"))
    var profiles: [String] = []

    @Option(
        help: ArgumentHelp("The default data protection class wanted, as NSFileProtectionComplete.", valueName: "class")
    )
    var dataProtection: String?

    @Flag(help: "Print SARIF 2.1.0.")
    var sarif = false

    @OptionGroup var limits: LimitOptions
    @OptionGroup var trust: TrustOptions
    @OptionGroup var output: OutputOptions

    func run() throws {
        var options = try Run.options(trust, limits)
        options.dataProtection = dataProtection
        var run = Run(options)
        let given = try givenProfile(options)
        for path in paths {
            run.gather(path) { run, reading in
                run.report.coversCode = true
                run.report.findings +=
                    check(app: reading.app, profile: given, configuration: configuration, options: options).findings
            } settings: { run, file throws(ProfileError) in
                guard !expect.isEmpty else {
                    throw ProfileError(.buildSettings, "say with --expect which kind each configuration is to use")
                }
                let settings = try SigningSettings.read(contentsOf: file)
                run.report.findings +=
                    check(settings: settings, expectations: expect, library: run.library(profiles), options: options)
                    .findings
            }
        }
        try run.report.printResult(sarif: sarif, output, options)
    }

    private func givenProfile(_ options: CheckOptions) throws -> (path: String, examined: ExaminedProfile)? {
        guard let profile else { return nil }
        do throws(ProfileError) {
            let read = try UnverifiedProfile(contentsOf: profile)
            return (profile, ExaminedProfile(read, anchor: options.anchor, at: options.now))
        } catch {
            throw Run.failed(error)
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

extension Run {
    /// The profiles at hand: those of the folders named, else of Xcode's folders. What can't be read is left out here;
    /// a specifier that then finds nothing is a finding.
    func library(_ folders: [String]) -> ProfileLibrary {
        let home = ProcessInfo.processInfo.environment["HOME"] ?? ""
        let places = folders.isEmpty ? ProfileFolders.existing(home: home) : folders
        let files = places.flatMap { (try? ProfileFolders.files(in: $0)) ?? [] }
        return ProfileLibrary(
            files.compactMap { path in
                guard let profile = try? UnverifiedProfile(contentsOf: path) else { return nil }
                return .init(path: path, examined: ExaminedProfile(profile, anchor: options.anchor, at: options.now))
            })
    }
}
