// SPDX-License-Identifier: Apache-2.0

import ProvisioningProfiles

/// What a project holds beside Swift.
///
/// Each reader has a file of its own and adds a property here.
package struct Resources: Sendable {
    package private(set) var interfaces: [InterfaceFile] = []
    package private(set) var objectiveC: [ObjCFile] = []
    /// Info.plist and others that aren't entitlements.
    package private(set) var propertyLists: [PropertyListFile] = []
    package private(set) var entitlements: [PropertyListFile] = []
    package private(set) var signing: [SigningFile] = []
    /// Of each Core Data model the version that apps are built with.
    package private(set) var dataModels: [DataModelFile] = []
    /// Which version that is, by the folder of the model.
    private var modelVersions: [PropertyListFile] = []
    package private(set) var profiles: [ProfileFile] = []
    /// PrivacyInfo.xcprivacy.
    package private(set) var privacyManifests: [PropertyListFile] = []
    /// What .xcconfig, .env and the like set.
    package private(set) var constants: [ConstantsFile] = []
    /// By the key: texts in the language that the app was written in.
    package private(set) var texts: [String: String] = [:]

    /// `text` gives what a file holds, nil (and a line in `skipped`) if it can't be read.
    static func read(
        _ files: [ProjectFile], text content: (ProjectFile) -> SourceText?, skipped: inout [Skipped]
    ) -> Resources {
        var resources = Resources()
        let byPath = Dictionary(files.map { ($0.path, $0) }) { first, _ in first }
        // Of originals: each may have a translation for every language.
        var forms: [String: InterfaceForm] = [:]
        for file in files where reads(file) {
            guard let text = content(file) else {
                skipped.append(Skipped(path: file.path, reason: "it can't be read, or is too large"))
                continue
            }
            if ["storyboard", "xib"].contains(file.ending), let base = base(of: file.path, byPath) {
                if forms[base.path] == nil { forms[base.path] = content(base).map { InterfaceForm($0.bytes) } }
                if InterfaceForm(text.bytes) == forms[base.path] { continue }
            }
            if let reason = resources.take(file, text) { skipped.append(Skipped(path: file.path, reason: reason)) }
        }
        resources.dataModels = DataModelFile.current(resources.dataModels, resources.modelVersions)
        for index in resources.signing.indices { resources.signing[index].join(resources.profiles) }
        return resources
    }

    /// Adds what a file says; returns why it could not be read whole, if it couldn't.
    private mutating func take(_ file: ProjectFile, _ text: SourceText) -> String? {
        var bytes = text.bytes
        // Of the others a reader tells them itself: they make it no property list, no XML and no settings.
        let isMerging =
            ["m", "mm", "h", "strings", "xcstrings"].contains(file.ending) && ConflictMarkers.blank(&bytes)
        if ["mobileprovision", "provisionprofile"].contains(file.ending) {
            // A signed one is no text.
            do throws(ProfileError) {
                profiles.append(try ProfileFile(path: file.path, bytes: text.original))
                return nil
            } catch {
                return error.message
            }
        }
        if ConstantsFile.isOne(String(file.name)) {
            let read = ConstantsFile(path: file.path, bytes: bytes)
            constants.append(read)
            return read.isWhole ? nil : "it isn't whole JSON"
        }
        if text.hasZero, !bytes.starts(with: "bplist".utf8) { return "it holds bytes that are no text" }
        switch file.ending {
        case "storyboard", "xib":
            let read = InterfaceFile(path: file.path, bytes: bytes)
            interfaces.append(read)
            return read.isDamaged ? "it isn't whole XML" : nil
        case "":
            let read = DataModelFile(path: file.path, bytes: bytes)
            dataModels.append(read)
            return read.isDamaged ? "it isn't whole XML" : nil
        case "m", "mm": objectiveC.append(ObjCFile(path: file.path, bytes: bytes))
        case "h", "pch":
            // A header of C alone says nothing to any rule.
            if ObjCFile.isObjectiveC(bytes) { objectiveC.append(ObjCFile(path: file.path, bytes: bytes)) }
        case "xcconfig":
            constants.append(ConstantsFile(path: file.path, bytes: bytes))
            return SettingsText.firstOther(bytes).map { "line \($0) is no setting, no comment and no #include" }
        case "plist", "entitlements", "xcprivacy", "xccurrentversion":
            let read = PropertyListFile(path: file.path, bytes: bytes)
            take(read, ending: file.ending)
            return read.isDamaged ? "it isn't a whole property list" : nil
        case "strings", "xcstrings":
            guard let read = TextsFile.read(bytes, ending: file.ending) else { return "its texts can't be read" }
            texts.merge(read) { first, _ in first }
        default:
            let read = SigningFile(path: file.path, absolute: file.absolute, bytes: bytes)
            signing.append(read)
            return read.problem
        }
        return isMerging ? Skipped.conflict : nil
    }

    private mutating func take(_ list: PropertyListFile, ending: String) {
        switch ending {
        case "xcprivacy": privacyManifests.append(list)
        case "xccurrentversion": modelVersions.append(list)
        default: if list.isEntitlements { entitlements.append(list) } else { propertyLists.append(list) }
        }
    }

    private static func reads(_ file: ProjectFile) -> Bool {
        switch file.ending {
        case "m", "mm", "h", "pch", "entitlements", "plist": true
        case _ where ConstantsFile.isOne(String(file.name)): true
        case "storyboard", "xib", "pbxproj", "xcconfig", "xcstrings", "xcprivacy", "xccurrentversion": true
        case "mobileprovision", "provisionprofile": true
        case "": file.path.hasSuffix(".xcdatamodel/contents")
        case "strings": file.path.contains("en.lproj/") || file.path.contains("Base.lproj/")
        default: false
        }
    }

    /// The file of the same name in Base.lproj or, where there is none, in en.lproj.
    private static func base(of path: String, _ files: [String: ProjectFile]) -> ProjectFile? {
        var parts = path.split(separator: "/", omittingEmptySubsequences: false).map(String.init)
        guard parts.count > 1, parts[parts.count - 2].hasSuffix(".lproj") else { return nil }
        for folder in ["Base.lproj", "en.lproj"] {
            guard parts[parts.count - 2] != folder else { return nil }
            parts[parts.count - 2] = folder
            if let file = files[parts.joined(separator: "/")] { return file }
        }
        return nil
    }
}

/// What a storyboard or xib holds but for texts and places: a translation that has the same says nothing that its original doesn't.
private struct InterfaceForm: Equatable {
    private static let words: Set<String> = [
        "text", "title", "placeholder", "prompt", "label", "hint", "headerTitle", "footerTitle", "alternateTitle",
        "toolTip",
        "x", "y", "width", "height", "misplaced", "fixedFrame", "verifyAmbiguity",
    ]
    private let parts: [String]
    private let isDamaged: Bool

    init(_ bytes: [UInt8]) {
        let document = XMLDocument(bytes)
        isDamaged = document.isDamaged
        // The heads name the tools' versions.
        parts = document.elements.filter { !["document", "plugIn", "deployment", "capability"].contains($0.name) }.map {
            "\($0.name) "
                + $0.attributes.filter { !Self.words.contains($0.name) }.map { "\($0.name)=\($0.value)" }.sorted()
                .joined(separator: " ")
        }
    }

    /// A damaged one is like none.
    static func == (left: Self, right: Self) -> Bool {
        !left.isDamaged && !right.isDamaged && left.parts == right.parts
    }
}

extension Resources {
    /// The fields that lead to a property of a class, by its name.
    package func fields(of owner: String, property: String) -> [InterfaceField] {
        interfaces.flatMap { file in
            let destinations = file.outlets.filter { $0.owner == owner && $0.property == property }.map(\.destination)
            return file.fields.filter { destinations.contains($0.id) }
        }
    }

    /// Whether a class is one of a Core Data model.
    package func isManaged(_ name: String) -> Bool {
        !name.isEmpty && dataModels.contains { $0.entities.contains { $0.className == name } }
    }

    /// The class of data protection that entitlements give every new file; nil if none says so.
    package var defaultDataProtection: String? {
        entitlements.lazy.compactMap { $0.entry("com.apple.developer.default-data-protection")?.text }.first
    }
}
