// SPDX-License-Identifier: Apache-2.0

import Foundation

/// Reads `project.pbxproj`: the build settings of every target that is signed with a profile, in every configuration.
struct ProjectFile {
    private let objects: [String: PropertyList]
    private let project: [String: PropertyList]
    private let path: String
    /// The folder that holds the .xcodeproj.
    private let folder: String
    private let folders: [String: String]

    private static let signedProducts = [
        "application", "app-extension", "watchkit", "extensionkit-extension", "messages",
    ]

    /// - Parameter path: the .xcodeproj folder or the project.pbxproj inside.
    init(_ path: String) throws(ProfileError) {
        let file = path.hasSuffix(".xcodeproj") ? "\(path)/project.pbxproj" : path
        let bytes = try FileBytes(file).readAll(limit: PropertyListLimits.project.bytes, "a project")
        let list = try PropertyList(bytes: bytes, limits: .project)
        guard let objects = list.dictionary?["objects"]?.dictionary,
            let root = list.dictionary?["rootObject"]?.string, let project = objects[root]?.dictionary
        else { throw ProfileError(.buildSettings, "\(file) is no Xcode project") }
        self.objects = objects
        self.project = project
        self.path = file
        let bundle = (file as NSString).deletingLastPathComponent
        let parent = (bundle as NSString).deletingLastPathComponent
        folder = parent.isEmpty ? "." : parent
        folders = Self.paths(objects, project)
    }

    func settings() throws(ProfileError) -> [SigningSettings] {
        var found: [SigningSettings] = []
        for reference in project["targets"]?.strings ?? [] {
            guard let target = objects[reference]?.dictionary, let name = target["name"]?.string,
                let product = target["productType"]?.string,
                Self.signedProducts.contains(where: { product.hasPrefix("com.apple.product-type.\($0)") })
            else { continue }
            for configuration in configurations(target) {
                found.append(try settings(name, configuration))
            }
        }
        return found
    }

    private func settings(
        _ target: String, _ configuration: [String: PropertyList]
    ) throws(ProfileError) -> SigningSettings {
        let name = configuration["name"]?.string ?? ""
        let shared = configurations(project).first { $0["name"]?.string == name }
        var levels: [SettingsLevel] = []
        for level in [shared, configuration] {
            guard let level else { continue }
            if let file = try base(of: level) { levels.append(try ConfigurationFile.level(at: file)) }
            levels.append(Self.level(level["buildSettings"]?.dictionary ?? [:]))
        }
        let given = ["TARGET_NAME": target, "PRODUCT_NAME": target, "CONFIGURATION": name, "SRCROOT": folder]
        let values = SettingsLevels(levels: levels, configuration: name, given: given).resolved()
        return SigningSettings(target: target, configuration: name, path: path, values: values)
    }

    private func configurations(_ owner: [String: PropertyList]) -> [[String: PropertyList]] {
        let list = owner["buildConfigurationList"]?.string.flatMap { objects[$0]?.dictionary }
        return (list?["buildConfigurations"]?.strings ?? []).compactMap { objects[$0]?.dictionary }
    }

    private static func level(_ values: [String: PropertyList]) -> SettingsLevel {
        SettingsLevel(
            settings: values.sorted { $0.key < $1.key }.map { key, value in
                .init(key: key, value: value.string ?? value.strings?.joined(separator: " ") ?? "")
            })
    }
}

// MARK: - Files that the project refers to

extension ProjectFile {
    /// The .xcconfig file that a configuration is based on.
    private func base(of configuration: [String: PropertyList]) throws(ProfileError) -> String? {
        if let relative = configuration["baseConfigurationReferenceRelativePath"]?.string {
            let anchor = configuration["baseConfigurationReferenceAnchor"]?.string.flatMap { folders[$0] } ?? ""
            return join(join(folder, anchor), relative)
        }
        guard let reference = configuration["baseConfigurationReference"]?.string else { return nil }
        guard let path = folders[reference] else {
            throw ProfileError(.buildSettings, "\(self.path) refers to an .xcconfig file that it does not have")
        }
        return join(folder, path)
    }

    private func join(_ left: String, _ right: String) -> String { Self.join(left, right) }

    private static func join(_ left: String, _ right: String) -> String {
        right.hasPrefix("/") || left.isEmpty ? right : right.isEmpty ? left : "\(left)/\(right)"
    }

    /// The path of every file and group, relative to the project's folder.
    private static func paths(
        _ objects: [String: PropertyList], _ project: [String: PropertyList]
    ) -> [String: String] {
        var paths: [String: String] = [:]
        var open: [(reference: String, folder: String)] = []
        if let main = project["mainGroup"]?.string { open.append((main, project["projectDirPath"]?.string ?? "")) }
        while let (reference, folder) = open.popLast() {
            guard paths[reference] == nil, let object = objects[reference]?.dictionary else { continue }
            let own = object["path"]?.string ?? ""
            let path = object["sourceTree"]?.string == "<group>" ? join(folder, own) : own
            paths[reference] = path
            for child in object["children"]?.strings ?? [] { open.append((child, path)) }
        }
        return paths
    }
}
