// SPDX-License-Identifier: Apache-2.0

package import AuditModel
package import Findings

/// R8: what a build for users carries of a developer's build.
package struct Signing: Rule {
    package static let description = RuleDescription(
        id: "signing", category: "R8", title: "A release is signed like a developer's build",
        explanation: """
            A release that is signed for development carries get-task-allow: a debugger attaches to it and reads the memory with the keys. \
            It fires on a configuration for users that is signed by hand with a development identity or profile, on get-task-allow in the \
            entitlements of such a configuration, and on entitlements that can't be had together with what the code asks for, or that the \
            profile doesn't allow: the app isn't signed with them. A profile that lies beside the sources is read; of others the name tells. It doesn't on \
            Xcode's template identity with automatic signing, for which the export chooses identity and profile, nor on aps-environment \
            = development, which the profile replaces.
            """,
        masvs: "MASVS-RESILIENCE-2", cwe: 489,
        plainRemedy: """
            CODE_SIGN_STYLE = Manual
            CODE_SIGN_IDENTITY = Apple Distribution
            PROVISIONING_PROFILE_SPECIFIER = "App Store profile"
            """,
        zamokRemedy: "zamok profile check App.xcodeproj --expect Release=app-store")

    package init() {}

    package func examine(_ project: ProjectModel) -> [Finding] {
        var findings: [Finding] = []
        for file in project.resources.signing {
            // An app's extensions are signed as it is: one finding tells of all.
            var seen: Set<String> = []
            for target in file.targets where Self.isForUsers(target.configuration) && !Self.isTest(target.name) {
                guard let message = message(target), seen.insert(target.configuration).inserted else { continue }
                let chain = target.profileFile.map {
                    [Step("\($0.name) is read", at: Place(file: $0.path, line: 1))]
                }
                findings.append(
                    Finding(Self.description.id, at: target.place, message, chain: chain ?? [], certainty: .likely))
            }
        }
        return findings + debugging(project) + groups(project) + refusals(project)
    }

    /// Entitlements that the profile of a configuration for users doesn't allow.
    private func refusals(_ project: ProjectModel) -> [Finding] {
        var seen = Set<Place>()
        return project.resources.signing.flatMap(\.targets).flatMap { target -> [Finding] in
            guard Self.isForUsers(target.configuration), !Self.isTest(target.name), let profile = target.profileFile
            else { return [] }
            return target.refusals.compactMap { refusal in
                let list = project.resources.entitlements.first { refusal.file.hasSuffix("/" + $0.path) }
                guard let place = list?.entry(refusal.key)?.place, seen.insert(place).inserted else { return nil }
                return Finding(
                    Self.description.id, at: place,
                    "\(target.name) in \(target.configuration) can't be signed with this: \(refusal.reason).",
                    chain: [
                        Step("\(target.name) takes the profile \(profile.name)", at: target.place),
                        Step("it is read", at: Place(file: profile.path, line: 1)),
                    ], certainty: .likely)
            }
        }
    }

    /// App groups that the code names and no entitlements have: what goes there is kept for the app alone, or nowhere.
    private func groups(_ project: ProjectModel) -> [Finding] {
        let known = project.resources.entitlements.flatMap {
            $0.entries(below: "com.apple.security.application-groups").compactMap(\.text)
        }
        guard !known.isEmpty, !known.contains(where: { $0.contains("$(") }) else { return [] }
        let calls =
            project.calls(to: "UserDefaults").compactMap { call in call.argument("suiteName").map { (call, $0) } }
            + project.calls(to: "containerURL").compactMap { call in
                call.argument("forSecurityApplicationGroupIdentifier").map { (call, $0) }
            }
        var seen = Set<String>()
        return calls.compactMap { call, value in
            guard let group = project.scope(of: call.caller).literal(value), group.hasPrefix("group."),
                !known.contains(group), seen.insert(group).inserted
            else { return nil }
            return Finding(
                Self.description.id, at: call.place, "No entitlements of the project have the group \(group).",
                certainty: .likely)
        }
    }

    static func isForUsers(_ configuration: String) -> Bool {
        let words = SecretWords.words(of: configuration)
        if words.contains(where: {
            ["debug", "dev", "development", "developer", "test", "tests", "testing", "local", "simulator", "profile"]
                .contains($0)
        }) {
            return false
        }
        let name = words.joined()
        return [
            "release", "appstore", "adhoc", "distribution", "production", "prod", "beta", "testflight", "enterprise",
            "store",
        ].contains {
            name.contains($0)
        }
    }

    private static func isTest(_ target: String) -> Bool { target.hasSuffix("Tests") || target.hasSuffix("UITest") }

    private static let developers = ["iPhone Developer", "Apple Development", "Mac Developer", "iOS Development"]

    private func message(_ target: SigningFile.Target) -> String? {
        guard !target.isAutomatic else { return nil }
        let who = "\(target.name) in \(target.configuration)"
        if let identity = target.identity, Self.developers.contains(where: { identity.hasPrefix($0) }),
            target.sdk != "macosx"
        {
            // Without a profile of its own Xcode can't sign by hand: the identity is the template's.
            guard target.profile != nil else { return nil }
            return "\(who) is signed by hand as \(identity), for development."
        }
        if let file = target.profileFile {
            guard file.isForDevelopment else { return nil }
            return "\(who) is signed by hand with the profile \(file.name), which is for development."
        }
        if let profile = target.profile {
            let words = SecretWords.words(of: profile)
            // "Developer ID" signs what is given to users of a Mac.
            guard !words.contains("id") else { return nil }
            let isDevelopment =
                words.contains("development")
                || words.contains("dev") && !words.contains("adhoc") && !words.contains("appstore")
            if isDevelopment, target.identity.map({ $0.contains("Distribution") }) != true {
                return "\(who) is signed by hand with the profile \(profile), which is named for development."
            }
        }
        return nil
    }

    // MARK: Entitlements

    /// get-task-allow in entitlements that a configuration for users takes, or that no project says anything about.
    private func debugging(_ project: ProjectModel) -> [Finding] {
        project.resources.entitlements.compactMap { list in
            guard
                let entry = ["get-task-allow", "com.apple.security.get-task-allow"].lazy.compactMap({ list.entry($0) })
                    .first,
                entry.isTrue
            else { return nil }
            let users = project.resources.signing.flatMap(\.targets).filter { target in
                target.entitlements.map { list.path.hasSuffix(Self.fileName($0)) } ?? false
            }
            let releases = users.filter { Self.isForUsers($0.configuration) }
            guard users.isEmpty ? !list.path.lowercased().contains("debug") : !releases.isEmpty else { return nil }
            return Finding(
                Self.description.id, at: entry.place,
                "get-task-allow lets a debugger attach to the app that users get.",
                chain: releases.prefix(1).map {
                    Step("\($0.name) in \($0.configuration) takes these entitlements", at: $0.place)
                }, certainty: users.isEmpty ? .possible : .likely)
        }
    }

    private static func fileName(_ path: String) -> String {
        String(path.split(separator: "/").last ?? "")
    }
}
