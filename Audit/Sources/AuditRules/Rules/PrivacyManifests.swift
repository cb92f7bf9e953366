// SPDX-License-Identifier: Apache-2.0

package import AuditModel
package import Findings

/// XPRIV: the privacy manifest and the code say different things.
package struct PrivacyManifests: Rule {
    package init() {}

    package static let description = RuleDescription(
        id: "privacy-manifest", category: "XPRIV", title: "The privacy manifest doesn't tell what the code uses",
        explanation: """
            Some of the system's functions tell devices and their users apart, so Apple asks for a reason for each group of them: preferences, times of files, space on the disk, the time since the start, keyboards. A \
            manifest (PrivacyInfo.xcprivacy) that leaves one out is wrong, and an app with it is refused. The rule fires at the first use of a group that no manifest of the project names, at a group without a reason, and at \
            preferences shared with an app group for which the manifest gives the reason of the app alone. A project without any manifest isn't told: it says nothing that could be wrong.
            """,
        masvs: "MASVS-PRIVACY-3", cwe: 1059,
        plainRemedy: """
            <dict>
                <key>NSPrivacyAccessedAPIType</key>
                <string>NSPrivacyAccessedAPICategoryUserDefaults</string>
                <key>NSPrivacyAccessedAPITypeReasons</key>
                <array><string>CA92.1</string></array>
            </dict>
            """,
        zamokRemedy: "// Zamok keeps settings in files of its own; what the app itself calls still wants its reason.")

    package func examine(_ project: ProjectModel) -> [Finding] {
        let manifests = project.resources.privacyManifests
        guard let first = manifests.first else { return [] }
        let entries = manifests.flatMap { DeclaredUse.all(in: $0) }
        var findings = entries.filter(\.reasons.isEmpty).map { entry in
            Finding(Self.description.id, at: entry.place, "The manifest gives no reason for \(entry.category.text).")
        }
        let uses = RequiredReasons.uses(in: project)
        for category in RequiredReasons.Category.allCases {
            guard let use = uses.first(where: { $0.category == category }) else { continue }
            let declared = entries.filter { $0.category == category }
            guard let entry = declared.first else {
                findings.append(
                    Finding(
                        Self.description.id, at: use.place,
                        "No privacy manifest of the project names \(category.text), which the code uses.",
                        chain: [
                            Step(
                                "the manifest names other groups, or none",
                                at: first.entry("NSPrivacyAccessedAPITypes")?.place ?? Place(file: first.path, line: 1)),
                            Step("\(use.name) is used here", at: use.place),
                        ]))
                continue
            }
            // Preferences of a group have reasons of their own.
            guard let shared = uses.first(where: { $0.category == category && $0.isShared }),
                declared.allSatisfy({ $0.reasons == ["CA92.1"] })
            else { continue }
            findings.append(
                Finding(
                    Self.description.id, at: shared.place,
                    "The manifest says that preferences are the app's alone (CA92.1), and these are an app group's (1C8F.1).",
                    chain: [Step("the reason is given", at: entry.place), Step("they are shared", at: shared.place)]))
        }
        return findings.sorted { $0.place < $1.place }
    }
}

/// A group of functions that a manifest names.
private struct DeclaredUse {
    var category: RequiredReasons.Category
    var reasons: [String]
    var place: Place

    static func all(in list: PropertyListFile) -> [DeclaredUse] {
        list.entries.compactMap { entry in
            guard entry.keys.count == 3, entry.keys[0] == "NSPrivacyAccessedAPITypes",
                entry.key == "NSPrivacyAccessedAPIType",
                let category = entry.text.flatMap(RequiredReasons.Category.init(key:))
            else { return nil }
            let reasons = list.entries.filter { reason in
                reason.keys.count == 4 && reason.keys.starts(with: entry.keys.dropLast())
                    && reason.keys[2] == "NSPrivacyAccessedAPITypeReasons"
            }
            return DeclaredUse(category: category, reasons: reasons.compactMap(\.text), place: entry.place)
        }
    }
}

/// The functions for which Apple asks for a reason.
private enum RequiredReasons {
    enum Category: String, CaseIterable {
        case preferences = "UserDefaults"
        case files = "FileTimestamp"
        case disk = "DiskSpace"
        case start = "SystemBootTime"
        case keyboards = "ActiveKeyboards"

        init?(key: String) {
            let prefix = "NSPrivacyAccessedAPICategory"
            guard key.hasPrefix(prefix) else { return nil }
            self.init(rawValue: String(key.dropFirst(prefix.count)))
        }

        var text: String {
            switch self {
            case .preferences: "preferences (UserDefaults)"
            case .files: "times of files (FileTimestamp)"
            case .disk: "space on the disk (DiskSpace)"
            case .start: "the time since the system's start (SystemBootTime)"
            case .keyboards: "keyboards (ActiveKeyboards)"
            }
        }
    }

    struct Use {
        var category: Category
        var name: String
        var place: Place
        /// Preferences of an app group.
        var isShared = false
    }

    /// Names that mean one of them wherever they stand.
    private static let names: [String: Category] = [
        "contentModificationDateKey": .files, "creationDateKey": .files, "NSFileCreationDate": .files,
        "NSFileModificationDate": .files, "NSURLContentModificationDateKey": .files, "NSURLCreationDateKey": .files,
        "volumeAvailableCapacityKey": .disk, "volumeAvailableCapacityForImportantUsageKey": .disk,
        "volumeAvailableCapacityForOpportunisticUsageKey": .disk, "volumeTotalCapacityKey": .disk,
        "systemFreeSize": .disk, "NSFileSystemFreeSize": .disk, "NSFileSystemSize": .disk,
        "systemUptime": .start, "activeInputModes": .keyboards,
    ]
    /// Functions of C.
    private static let functions: [String: Category] = [
        "stat": .files, "fstat": .files, "lstat": .files, "fstatat": .files, "getattrlist": .files,
        "fgetattrlist": .files, "statfs": .disk, "fstatfs": .disk, "statvfs": .disk, "fstatvfs": .disk,
        "mach_absolute_time": .start,
    ]

    /// In the order of the sources.
    static func uses(in project: ProjectModel) -> [Use] {
        var result: [Use] = []
        for function in project.functions {
            function.body.visit { part in
                guard let (category, name) = use(part, in: function, project) else { return }
                result.append(
                    Use(
                        category: category, name: name, place: function.place(part),
                        isShared: category == .preferences && isShared(part, in: function, project)))
            }
        }
        return result.sorted { $0.place < $1.place }
    }

    private static func use(
        _ part: Expression, in function: Function, _ project: ProjectModel
    ) -> (Category, String)? {
        switch part.kind {
        case .name(let name): return names[name].map { ($0, name) }
        case .member(let base, let name):
            if let category = names[name] { return (category, name) }
            // `UserDefaults.standard`
            guard case .name("UserDefaults")? = base?.kind else { return nil }
            return (.preferences, "UserDefaults")
        case .call(let callee, let arguments):
            guard case .name(let name) = callee.kind else { return nil }
            if name == "UserDefaults" { return (.preferences, name) }
            // `stat()` makes an empty value of its type.
            guard !arguments.isEmpty || name == "mach_absolute_time", let category = functions[name],
                project.targets(of: CallSite(expression: part, callee: callee, arguments: [], caller: function)).isEmpty
            else { return nil }
            return (category, name)
        case .element(_, let arguments):
            // `attributes[.modificationDate]`
            guard case .member(let base, let name)? = arguments.first?.value.kind,
                base == nil || base?.lastName == "FileAttributeKey",
                ["modificationDate", "creationDate"].contains(name)
            else { return nil }
            return (.files, name)
        default: return nil
        }
    }

    private static func isShared(_ part: Expression, in function: Function, _ project: ProjectModel) -> Bool {
        guard case .call(_, let arguments) = part.kind,
            let name = arguments.first(where: { $0.label == "suiteName" })?.value,
            let text = project.scope(of: function).literal(name)
        else { return false }
        return text.hasPrefix("group.")
    }
}
