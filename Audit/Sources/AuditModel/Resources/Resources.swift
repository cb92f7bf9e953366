// SPDX-License-Identifier: Apache-2.0

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
            let bytes = text.bytes
            if text.hasZero, !bytes.starts(with: "bplist".utf8) {
                skipped.append(Skipped(path: file.path, reason: "it holds bytes that are no text"))
                continue
            }
            switch file.ending {
            case "storyboard", "xib":
                if let base = base(of: file.path, byPath) {
                    if forms[base.path] == nil { forms[base.path] = content(base).map { InterfaceForm($0.bytes) } }
                    if InterfaceForm(bytes) == forms[base.path] { continue }
                }
                let read = InterfaceFile(path: file.path, bytes: bytes)
                resources.interfaces.append(read)
                if read.isDamaged { skipped.append(Skipped(path: file.path, reason: "it isn't whole XML")) }
            case "m", "mm": resources.objectiveC.append(ObjCFile(path: file.path, bytes: bytes))
            case "xcconfig":
                if let line = SettingsText.firstOther(bytes) {
                    skipped.append(
                        Skipped(path: file.path, reason: "line \(line) is no setting, no comment and no #include"))
                }
            case "h":
                // A header of C alone says nothing to any rule.
                guard ObjCFile.isObjectiveC(bytes) else { continue }
                resources.objectiveC.append(ObjCFile(path: file.path, bytes: bytes))
            case "plist", "entitlements":
                let read = PropertyListFile(path: file.path, bytes: bytes)
                if read.isEntitlements {
                    resources.entitlements.append(read)
                } else {
                    resources.propertyLists.append(read)
                }
                if read.isDamaged { skipped.append(Skipped(path: file.path, reason: "it isn't a whole property list")) }
            case "strings", "xcstrings":
                guard let read = TextsFile.read(bytes, ending: file.ending) else {
                    skipped.append(Skipped(path: file.path, reason: "its texts can't be read"))
                    continue
                }
                resources.texts.merge(read) { first, _ in first }
            default:
                let read = SigningFile(path: file.path, absolute: file.absolute, bytes: bytes)
                resources.signing.append(read)
                if let problem = read.problem { skipped.append(Skipped(path: file.path, reason: problem)) }
                if let missing = read.missingFiles.first {
                    let name = missing.split(separator: "/").last ?? ""
                    skipped.append(Skipped(path: file.path, reason: "it is based on \(name), which is not there"))
                }
            }
        }
        return resources
    }

    private static func reads(_ file: ProjectFile) -> Bool {
        switch file.ending {
        case "m", "mm", "h", "entitlements", "plist": true
        case "storyboard", "xib", "pbxproj", "xcconfig", "xcstrings": true
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

    /// The class of data protection that entitlements give every new file; nil if none says so.
    package var defaultDataProtection: String? {
        entitlements.lazy.compactMap { $0.entry("com.apple.developer.default-data-protection")?.text }.first
    }
}
