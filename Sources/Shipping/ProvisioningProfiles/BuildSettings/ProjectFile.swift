// SPDX-License-Identifier: Apache-2.0

import Foundation
import Readers

/// Reads `project.pbxproj`: the build settings of every target signed with a profile, in every configuration and for
/// every SDK.
struct ProjectFile {
    private let objects: [String: PropertyList]
    private let project: [String: PropertyList]
    private let path: String
    /// The folder that contains the .xcodeproj.
    private let folder: String
    private let folders: [String: String]
    /// The .xcconfig files read so far, by path.
    private var files: [String: ConfigurationFile] = [:]
    private var budget = DerivationBudget.ofProject

    /// - Parameter path: the .xcodeproj folder or the project.pbxproj inside.
    init(_ path: String) throws(ProfileError) {
        let file = PathText(path).pathExtension == "xcodeproj" ? "\(path)/project.pbxproj" : path
        let bytes = try FileBytes(file).readAll(limit: PropertyListLimits.project.bytes, "a project")
        let list = try PropertyList(bytes: bytes, limits: .project)
        guard let objects = list.dictionary?["objects"]?.dictionary,
            let root = list.dictionary?["rootObject"]?.string, let project = objects[root]?.dictionary
        else { throw ProfileError(.buildSettings, "\(file) is not an Xcode project") }
        self.objects = objects
        self.project = project
        self.path = file
        let bundle = PathText(file).deletingLastPathComponent
        let parent = PathText(bundle).deletingLastPathComponent
        folder = parent.isEmpty ? "." : parent
        folders = try Self.paths(objects, project, &budget)
    }

    mutating func settings() throws(ProfileError) -> [SigningSettings] {
        var found: [SigningSettings] = []
        for reference in Self.distinct(project["targets"]) {
            guard let target = objects[reference]?.dictionary else { throw lacking("a target") }
            guard let name = target["name"]?.string, let product = target["productType"]?.string,
                SigningSettings.isSigned(product: product)
            else { continue }
            let attributes = project["attributes"]?.dictionary?["TargetAttributes"]?.dictionary?[reference]
            let style = attributes?.dictionary?["ProvisioningStyle"]?.string
            for configuration in try configurations(target, of: name) {
                found += try settings(name, product, style, configuration)
            }
        }
        return found
    }

    private mutating func settings(
        _ target: String, _ product: String, _ style: String?, _ configuration: [String: PropertyList]
    ) throws(ProfileError) -> [SigningSettings] {
        var sources = SettingsSources(path: path)
        sources.context.target = target
        sources.context.configuration = configuration["name"]?.string ?? ""
        var given = [
            "TARGET_NAME": target, "TARGETNAME": target, "PRODUCT_NAME": "$(TARGET_NAME)", "PRODUCT_TYPE": product,
            "PRODUCT_MODULE_NAME": "$(PRODUCT_NAME:c99extidentifier)", "EXECUTABLE_NAME": "$(PRODUCT_NAME)",
            "PROJECT_NAME": projectName, "PROJECT": projectName, "CODE_SIGNING_ALLOWED": "YES",
        ]
        for name in ["SRCROOT", "PROJECT_DIR", "SOURCE_ROOT"] { given[name] = root }
        given["CODE_SIGN_STYLE"] = style
        sources.levels.append(SettingsLevel(given))
        let shared = try configurations(project, of: projectName).first {
            $0["name"]?.string == sources.context.configuration
        }
        for level in [shared, configuration] {
            guard let level else { continue }
            if let base = base(of: level) { try add(base, to: &sources) }
            let own = level["buildSettings"]?.dictionary ?? [:]
            try budget.takeOfProject(steps: own.count)
            var texts: [String: String] = [:]
            for (name, value) in own {
                let words = value.string.map { [$0] } ?? value.strings ?? []
                try budget.takeOfProject(steps: 1 + words.count + words.reduce(0) { $0 + $1.utf8.count } / 64)
                texts[name] = words.joined(separator: " ")
            }
            sources.levels.append(SettingsLevel(texts))
        }
        return try sources.settings(&budget)
    }

    /// The distinct references of a list. Xcode lists nothing twice, and a repetition adds nothing.
    private static func distinct(_ list: PropertyList?) -> [String] {
        var known: Set<String> = []
        return (list?.strings ?? []).filter { known.insert($0).inserted }
    }

    /// The absolute base of relative paths in settings. It is absolute because a setting may use it as a prefix of
    /// another path.
    private var root: String {
        let path = join(folder, project["projectDirPath"]?.string ?? "")
        let whole = path.hasPrefix("/") ? path : "\(FileManager.default.currentDirectoryPath)/\(path)"
        return PathText(whole).standardizingPath
    }

    private var projectName: String {
        let bundle = PathText(PathText(path).deletingLastPathComponent).lastPathComponent
        return PathText(bundle).deletingPathExtension
    }

    /// If one of them is missing, this throws: otherwise the result would be silently incomplete.
    private mutating func configurations(
        _ owner: [String: PropertyList], of name: String
    ) throws(ProfileError) -> [[String: PropertyList]] {
        guard let list = owner["buildConfigurationList"]?.string.flatMap({ objects[$0]?.dictionary }) else {
            throw lacking("the list of configurations of \(name)")
        }
        var found: [[String: PropertyList]] = []
        for reference in Self.distinct(list["buildConfigurations"]) {
            try budget.takeOfProject()
            guard let configuration = objects[reference]?.dictionary else {
                throw lacking("a configuration of \(name)")
            }
            found.append(configuration)
        }
        return found
    }

    private func lacking(_ what: String) -> ProfileError {
        ProfileError(.buildSettings, "\(path) refers to \(what) that is not in it")
    }
}

// MARK: - Files that the project refers to

extension ProjectFile {
    private mutating func add(_ base: String, to sources: inout SettingsSources) throws(ProfileError) {
        guard let place = FileLookup(base) else {
            sources.findings.append(
                Finding(.settingsFileMissing, Finding.Location(path), "it is based on \(base), which is not there"))
            // CocoaPods writes these files at installation; none of them concerns signing.
            sources.files.append(base)
            if !base.contains("Pods/Target Support Files/") { sources.missingFiles.append(base) }
            return
        }
        if let file = files[place.path] { return sources.add(file) }
        let file = try ConfigurationFile(contentsOf: place.path, &budget)
        files[place.path] = file
        sources.add(file)
    }

    /// The .xcconfig file that a configuration is based on.
    private func base(of configuration: [String: PropertyList]) -> String? {
        if let relative = configuration["baseConfigurationReferenceRelativePath"]?.string {
            let anchor = configuration["baseConfigurationReferenceAnchor"]?.string.flatMap { folders[$0] } ?? ""
            return join(join(folder, anchor), relative)
        }
        guard let reference = configuration["baseConfigurationReference"]?.string else { return nil }
        return join(folder, folders[reference] ?? objects[reference]?.dictionary?["path"]?.string ?? reference)
    }

    private func join(_ left: String, _ right: String) -> String { Self.join(left, right) }

    private static func join(_ left: String, _ right: String) -> String {
        right.hasPrefix("/") || left.isEmpty ? right : right.isEmpty ? left : "\(left)/\(right)"
    }

    /// The path of every file and group, relative to the project's folder.
    private static func paths(
        _ objects: [String: PropertyList], _ project: [String: PropertyList], _ budget: inout DerivationBudget
    ) throws(ProfileError) -> [String: String] {
        var paths: [String: String] = [:]
        var open: [(reference: String, folder: String)] = []
        if let main = project["mainGroup"]?.string { open.append((main, project["projectDirPath"]?.string ?? "")) }
        while let (reference, folder) = open.popLast() {
            guard paths[reference] == nil, let object = objects[reference]?.dictionary else { continue }
            let own = object["path"]?.string ?? ""
            let path = object["sourceTree"]?.string == "<group>" ? join(folder, own) : own
            // Nested groups make the path longer at each level.
            try budget.takeOfProject(bytes: 64 + 4 * path.utf8.count)
            paths[reference] = path
            for child in object["children"]?.strings ?? [] { open.append((child, path)) }
        }
        return paths
    }
}
