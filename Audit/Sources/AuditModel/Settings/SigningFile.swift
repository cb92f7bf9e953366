// SPDX-License-Identifier: Apache-2.0

package import Findings
import ProvisioningProfiles

/// How an Xcode project signs each target in each configuration, and where that stands.
package struct SigningFile: Sendable {
    package let path: String
    package private(set) var targets: [Target]
    /// What each of the targets was read from; empty where only lines were.
    private let settings: [SigningSettings]
    /// Why nothing could be read; nil if it could.
    package let problem: String?
    /// The .xcconfig files that decide, wherever they lie, and those that would if they were there.
    package let files: [String]
    /// Those that have to be there and aren't.
    package let missingFiles: [String]

    package struct Target: Sendable {
        package let name: String
        /// `Debug`, `Release`.
        package let configuration: String
        package let sdk: String
        /// Whether Xcode chooses identity and profile itself.
        package let isAutomatic: Bool
        package let identity: String?
        package let profile: String?
        /// Relative to the project's folder.
        package let entitlements: String?
        /// The line of the identity, else of the style, else of the configuration.
        package let place: Place
        /// The profile that is chosen by hand, if it lies in the tree.
        package fileprivate(set) var profileFile: ProfileFile?
        /// What that one doesn't allow.
        package fileprivate(set) var refusals: [Refusal] = []
    }

    /// An entitlement that a target asks for and its profile doesn't allow.
    package struct Refusal: Sendable {
        /// As the system takes it.
        package let file: String
        package let key: String
        package let reason: String
    }

    /// Looks for the profile that each target names.
    mutating func join(_ profiles: [ProfileFile]) {
        for (index, settings) in settings.enumerated() where !settings.isAutomatic {
            guard let specifier = settings.profileSpecifier,
                let profile = profiles.first(where: { $0.isMeant(by: specifier) })
            else { continue }
            targets[index].profileFile = profile
            targets[index].refusals = profile.refused(settings)
        }
    }

    /// - Parameter absolute: the project's path for the system: its settings are in other files too.
    package init(path: String, absolute: String, bytes: [UInt8]) {
        self.path = path
        do {
            let settings = try SigningSettings.read(contentsOf: absolute)
            self.settings = settings
            let lines = ProjectLines(bytes)
            targets = settings.map { settings in
                let line = lines.line(target: settings.target, configuration: settings.configuration)
                return Target(
                    name: settings.target, configuration: settings.configuration, sdk: settings.sdk,
                    isAutomatic: settings.isAutomatic, identity: settings.identity, profile: settings.profileSpecifier,
                    entitlements: settings.entitlementsPath, place: Place(file: path, line: line))
            }
            problem = nil
            files = Set(settings.flatMap(\.files)).sorted()
            missingFiles = Set(settings.flatMap(\.missingFiles)).sorted()
        } catch {
            // Conflict markers or a key twice: what stands on lines of its own can be told all the same.
            targets = ProjectLines(bytes).targets(path)
            settings = []
            // Paths as they are on this machine would make reports differ.
            let folder = String(absolute.dropLast(path.utf8.count))
            problem = folder.isEmpty ? error.message : error.message.replacing(folder, with: "")
            files = []
            missingFiles = []
        }
    }
}

/// The lines of a project.pbxproj on which settings stand. The reader of settings doesn't keep them.
private struct ProjectLines {
    /// By the identifier of the configuration: the line of each setting, and of the configuration itself under the empty name.
    private var settings: [String: [String: Int]] = [:]
    /// The same with what they are set to.
    private var values: [String: [String: String]] = [:]
    private var names: [String: String] = [:]
    /// By the identifier of a list: the configurations in it.
    private var lists: [String: [String]] = [:]
    /// By the name of a target, and under the empty name for the project: the list.
    private var owners: [String: String] = [:]

    init(_ bytes: [UInt8]) {
        var object = ""
        var kind = ""
        var name = ""
        var list = ""
        var isInConfigurations = false
        var number = 0
        for line in bytes.split(separator: 0x0A, omittingEmptySubsequences: false) {
            number += 1
            let text = Self.trimmed(line)
            // An object begins two tabs deep.
            if line.starts(with: [0x09, 0x09]), line.dropFirst(2).first != 0x09, text.last == UInt8(ascii: "{") {
                (object, kind, name, list) = (Self.word(text), "", "", "")
                continue
            }
            guard let assignment = text.firstIndex(of: UInt8(ascii: "=")) else {
                if isInConfigurations {
                    if text.first == UInt8(ascii: ")") {
                        isInConfigurations = false
                    } else {
                        lists[object, default: []].append(Self.word(text))
                    }
                } else if text.first == UInt8(ascii: "}"), kind.hasSuffix("Target") || kind == "PBXProject",
                    !list.isEmpty
                {
                    owners[kind == "PBXProject" ? "" : name] = list
                }
                continue
            }
            let key = Self.unquoted(Self.trimmed(text[..<assignment]))
            let value = Self.trimmed(text[(assignment + 1)...])
            switch key {
            case "isa": kind = Self.word(value)
            case "name" where kind == "XCBuildConfiguration": names[object] = Self.unquoted(value)
            case "name": name = Self.unquoted(value)
            case "buildConfigurationList": list = Self.word(value)
            case "buildConfigurations": isInConfigurations = true
            default: break
            }
            if kind == "XCBuildConfiguration" {
                settings[object, default: ["": number]][key] = settings[object]?[key] ?? number
                values[object, default: [:]][key] = values[object]?[key] ?? Self.unquoted(value)
            }
        }
    }

    /// How the targets are signed, as far as single lines tell.
    func targets(_ path: String) -> [SigningFile.Target] {
        owners.keys.filter { !$0.isEmpty }.sorted().flatMap { target in
            (owners[target].flatMap { lists[$0] } ?? []).compactMap { object -> SigningFile.Target? in
                guard let configuration = names[object] else { return nil }
                let project = owners[""].flatMap { lists[$0]?.first { names[$0] == configuration } }
                func value(_ key: String) -> String? {
                    let levels = [values[object], project.flatMap { values[$0] }]
                    return levels.lazy.compactMap { $0?[key + "[sdk=iphoneos*]"] ?? $0?[key] }.first { !$0.isEmpty }
                }
                return SigningFile.Target(
                    name: target, configuration: configuration, sdk: value("SDKROOT") ?? "iphoneos",
                    isAutomatic: value("CODE_SIGN_STYLE") != "Manual", identity: value("CODE_SIGN_IDENTITY"),
                    profile: value("PROVISIONING_PROFILE_SPECIFIER"), entitlements: value("CODE_SIGN_ENTITLEMENTS"),
                    place: Place(file: path, line: line(target: target, configuration: configuration)))
            }
        }
    }

    /// Where the identity of a target in a configuration is set, in the target's own settings or in the project's.
    func line(target: String, configuration: String) -> Int {
        let levels = [target, ""].compactMap { owners[$0] }.compactMap { list in
            lists[list]?.first { names[$0] == configuration }.flatMap { settings[$0] }
        }
        for wanted in [
            "CODE_SIGN_IDENTITY", "PROVISIONING_PROFILE_SPECIFIER", "PROVISIONING_PROFILE", "CODE_SIGN_STYLE", "",
        ] {
            for level in levels {
                let found = level.filter { $0.key == wanted || !wanted.isEmpty && $0.key.hasPrefix(wanted + "[") }.map(
                    \.value)
                if let line = found.min() { return line }
            }
        }
        return 1
    }

    private static func trimmed(_ line: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        var line = line.drop { $0 == 0x20 || $0 == 0x09 }
        while let last = line.last, last == 0x20 || last == 0x0D || last == UInt8(ascii: ";") { line = line.dropLast() }
        return line
    }

    private static func word(_ text: ArraySlice<UInt8>) -> String {
        String(decoding: text.prefix { $0 != 0x20 && $0 != UInt8(ascii: ",") }, as: UTF8.self)
    }

    private static func unquoted(_ text: ArraySlice<UInt8>) -> String {
        let text =
            text.first == UInt8(ascii: "\"") && text.last == UInt8(ascii: "\"") && text.count > 1
            ? text.dropFirst().dropLast() : text
        return String(decoding: text, as: UTF8.self)
    }
}
