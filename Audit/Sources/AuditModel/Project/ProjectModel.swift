// SPDX-License-Identifier: Apache-2.0

package import Findings

/// Whose code a file is.
package enum Origin: Sendable { case own, thirdParty, test, generated }

/// A file of the project, found but not yet read.
package struct ProjectFile: Sendable {
    /// Below the examined folder, with `/`.
    package var path: String
    /// As the system takes it.
    package var absolute: String
    package var size: Int
    package var origin: Origin
    package var name: Substring { path[(path.lastIndex(of: "/").map { path.index(after: $0) } ?? path.startIndex)...] }
    /// Whether a file of this name is one that readers look at.
    package static func isRead(_ name: String) -> Bool {
        let endings: Set<String> = [
            "swift", "m", "mm", "h", "pch", "storyboard", "xib", "plist", "entitlements", "pbxproj", "xcconfig",
            "mobileprovision", "provisionprofile", "xccurrentversion",
            "xcprivacy", "xcstrings", "strings", "pch",
        ]
        if ConstantsFile.isOne(name) { return true }
        guard let dot = name.lastIndex(of: ".") else { return name == "contents" }
        return endings.contains(name[name.index(after: dot)...].lowercased())
    }
    /// In lower case, without the dot.
    package var ending: String {
        name.lastIndex(of: ".").map { String(name[name.index(after: $0)...]).lowercased() } ?? ""
    }
}

/// A file or folder that could not be read, so that the answer isn't whole.
package struct Skipped: Hashable, Sendable, Codable {
    package var path: String
    package var reason: String

    /// Of files with conflict markers.
    static let conflict = "it has conflict markers; both sides were read"

    package init(path: String, reason: String) {
        self.path = path
        self.reason = reason
    }
}

/// A call, with who makes it.
package struct CallSite: Sendable {
    /// A `.call`.
    package var expression: Expression
    package var callee: Expression
    package var arguments: [Argument]
    /// The function in whose body it stands, also from inside a closure.
    package var caller: Function

    package init(expression: Expression, callee: Expression, arguments: [Argument], caller: Function) {
        self.expression = expression
        self.callee = callee
        self.arguments = arguments
        self.caller = caller
    }

    package var place: Place { caller.place(expression) }
    /// The last part of the callee: `set` of `UserDefaults.standard.set`.
    package var name: String { callee.lastName ?? "" }
    /// The callee as dotted names: `UserDefaults.standard.set`; calls on the way as `name()`.
    package var path: String { callee.dotted }
    /// Whether the receiver is of a type that the project only extends, or the call has none.
    func isOnForeignType(_ project: ProjectModel) -> Bool {
        guard case .member(let base?, _) = callee.kind else { return true }
        return project.scope(of: caller).type(of: base).map { project.declared($0) == nil } ?? false
    }

    package func argument(_ label: String?) -> Expression? {
        arguments.first { $0.label == label && !$0.isTrailing }?.value
    }
}

/// What stands in a project, read and joined: rules ask it and read no file themselves.
package struct ProjectModel: Sendable {
    /// Every file that was found, the left out ones too.
    package let files: [ProjectFile]
    /// The own Swift files (third-party ones too if asked for), by path.
    package let swift: [SwiftFile]
    /// What isn't Swift: storyboards, Objective-C, property lists, entitlements, settings.
    package let resources: Resources
    package let skipped: [Skipped]
    /// By qualified name, in the order of the names.
    package let types: ByName<TypeModel>
    /// Every function with a body, of types and of files.
    package let functions: [Function]

    /// A Swift file by its path.
    package func swift(_ path: String) -> SwiftFile? { swiftByPath[path].map { swift[$0] } }
    let swiftByPath: [String: Int]

    /// Variables of files, by name.
    package let variables: ByName<Property>

    let typesByShortName: [String: [TypeModel]]
    /// What other names of types stand for; those that say different things in different places are left out.
    let aliases: [String: String]
    /// By the names that several types have.
    let namesakes: [String: Namesakes]
    let scopes = Memo<ObjectIdentifier, Scope>()
    /// Who calls what, by the name of what is called.
    let callers = Memo<String, [ObjectIdentifier: [CallSite]]>()
    /// The functions of a name that the types below one have.
    let below = Memo<MemberName, [Function]>()
    let surroundings = Memo<ObjectIdentifier, Surroundings>()
    let fills = Fills()
    let keysRead = KeysReadCache()
    /// Whether values of a type, as written, hold no secret.
    let harmless = Memo<String, Bool>()
    let behaviours = Memo<String, Bool>()
    let requests = Memo<String, Bool>()
    let headers = Memo<String, String?>()
    let trades = Memo<String, Bool>()
    let openCiphers = Memo<String, Bool>()
    let functionsByName: [String: [Function]]
    let callsByName: [String: [CallSite]]
    /// What is assigned or added to a name, by that name.
    let assignmentsByName: [String: [Assignment]]
    /// How many types have a property of a name.
    let ownersByProperty: [String: Int]
    let subclasses: [String: [TypeModel]]
    let steps: StepLimit
    /// What rules found that couldn't be followed: ask when they are done.
    package var leftOpen: [Skipped] {
        steps.isReached
            ? [Skipped(path: ".", reason: "its flows take more than \(steps.most) steps; the rest isn't followed")] : []
    }

    /// How a project is read.
    package struct Options: Sendable {
        package var includeThirdParty = false
        package var includeTests = false
        /// Threads that parse; nil for one per core.
        package var workers: Int?
        /// Larger files are skipped and counted.
        package var largestFile = 8 << 20
        /// Of processor time for a file of Swift: none is known that takes as many.
        package var mostSeconds = 60.0
        /// Whose code the configuration says a path is.
        package var origin: @Sendable (String) -> Origin? = { _ in nil }
        /// Paths that configuration leaves out.
        package var leaveOut: @Sendable (String) -> Bool = { _ in false }
        package init() {}

        /// Whether files of this origin are looked at.
        package func examines(_ origin: Origin) -> Bool {
            switch origin {
            case .own: true
            case .thirdParty: includeThirdParty
            case .test: includeTests
            case .generated: false
            }
        }
    }

    /// Reads a folder (or one file). Never throws: what could not be read stands in `skipped`.
    package static func read(_ root: String, options: Options = Options()) -> ProjectModel {
        ProjectModel(FileTree.walk(root, options: options), options: options)
    }

    /// Joins sources given by path and text, for tests.
    package static func read(sources: [(path: String, text: String)], options: Options = Options()) -> ProjectModel {
        ProjectModel(FileTree(sources: sources), options: options)
    }
}
