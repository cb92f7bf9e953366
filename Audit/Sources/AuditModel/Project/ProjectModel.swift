// SPDX-License-Identifier: Apache-2.0

public import Findings

/// Whose code a file is.
public enum Origin: Sendable { case own, thirdParty, test }

/// A file of the project, found but not yet read.
public struct ProjectFile: Sendable {
    /// Below the examined folder, with `/`.
    public var path: String
    /// As the system takes it.
    public var absolute: String
    public var size: Int
    public var origin: Origin
    public var name: Substring { path[(path.lastIndex(of: "/").map { path.index(after: $0) } ?? path.startIndex)...] }
    /// In lower case, without the dot.
    public var ending: String {
        name.lastIndex(of: ".").map { String(name[name.index(after: $0)...]).lowercased() } ?? ""
    }
}

/// A file or folder that could not be read, so that the answer isn't whole.
public struct Skipped: Hashable, Sendable, Codable {
    public var path: String
    public var reason: String

    public init(path: String, reason: String) {
        self.path = path
        self.reason = reason
    }
}

/// A call, with who makes it.
public struct CallSite: Sendable {
    /// A `.call`.
    public var expression: Expression
    public var callee: Expression
    public var arguments: [Argument]
    /// The function in whose body it stands, also from inside a closure.
    public var caller: Function
    public var place: Place { caller.place(expression) }
    /// The last part of the callee: `set` of `UserDefaults.standard.set`.
    public var name: String { callee.lastName ?? "" }
    /// The callee as dotted names: `UserDefaults.standard.set`; calls on the way as `name()`.
    public var path: String { callee.dotted }
    public func argument(_ label: String?) -> Expression? {
        arguments.first { $0.label == label && !$0.isTrailing }?.value
    }
}

/// What stands in a project, read and joined: rules ask it and read no file themselves.
public struct ProjectModel: Sendable {
    /// Every file that was found, the left out ones too.
    public let files: [ProjectFile]
    /// The own Swift files (third-party ones too if asked for), by path.
    public let swift: [SwiftFile]
    /// What isn't Swift: storyboards, Objective-C, property lists, entitlements, settings.
    public let resources: Resources
    public let skipped: [Skipped]
    /// By qualified name.
    public let types: [String: TypeModel]
    /// Every function with a body, of types and of files.
    public let functions: [Function]

    let typesByShortName: [String: [TypeModel]]
    let functionsByName: [String: [Function]]
    let callsByName: [String: [CallSite]]
    let subclasses: [String: [TypeModel]]

    /// How a project is read.
    public struct Options: Sendable {
        public var includeThirdParty = false
        public var includeTests = false
        /// Threads that parse; nil for one per core.
        public var workers: Int?
        /// Larger files are skipped and counted.
        public var largestFile = 8 << 20
        /// Paths that configuration leaves out.
        public var leaveOut: @Sendable (String) -> Bool = { _ in false }
        public init() {}
    }

    /// Reads a folder (or one file). Never throws: what could not be read stands in `skipped`.
    public static func read(_ root: String, options: Options = Options()) -> ProjectModel {
        let tree = FileTree.walk(root, options: options)
        return ProjectModel(tree, options: options)
    }

    /// Joins sources given by path and text, for tests.
    public static func read(sources: [(path: String, text: String)], options: Options = Options()) -> ProjectModel {
        ProjectModel(FileTree(sources: sources), options: options)
    }
}
