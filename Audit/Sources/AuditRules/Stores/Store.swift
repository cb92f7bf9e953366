// SPDX-License-Identifier: Apache-2.0

package import AuditModel
package import Findings

/// A place at which something is written into a store.
package struct Write {
    /// What the store is called in a sentence: "UserDefaults".
    package var store: String
    package var place: Place
    package var function: Function?
    /// What is written; more than one where any of them can be the secret.
    package var values: [Expression]
    /// The key under which it is written, if it can be told.
    package var key: String?
    /// What is written is a value of this type, declared here: `@AppStorage("token") var token: String`.
    package var declared: (name: String, type: String?)?
    /// The property of that declaration, where it is one.
    var property: Property?
    /// The call, where it is one.
    package var call: CallSite?
    /// What the place itself tells of the value.
    var known: Secret?
    /// The write makes a file of its own, so its protection class counts.
    package var isFile = false

    package init(_ store: String, _ call: CallSite, values: [Expression], key: String? = nil, isFile: Bool = false) {
        self.store = store
        place = call.place
        self.call = call
        function = call.caller
        self.values = values
        self.key = key
        self.isFile = isFile
    }

    /// What is assigned to a member.
    init(_ store: String, _ site: Assignment) {
        let call = CallSite(expression: site.target, callee: site.target, arguments: [], caller: site.function)
        self.init(store, call, values: [site.value])
    }

    /// A value that is declared outside of the sources.
    init(_ store: String, attribute: String, at place: Place) {
        self.store = store
        self.place = place
        values = []
        declared = (attribute, nil)
    }

    package init(_ store: String, declaration: Property, type: String?, key: String?) {
        self.store = store
        place = declaration.place
        values = []
        self.key = key
        declared = (declaration.name, type)
        property = declaration
    }
}

/// The model of a store: what a write is, which argument, and what makes it fine.
package protocol Store: Sendable {
    /// The writes that nothing protects; those into an encrypted store aren't among them.
    func writes(in project: ProjectModel, flows: Flows) -> [Write]
}

/// The stores into which a secret must not go.
package let plainStores: [any Store] = [
    Preferences(), Files(), CoreDataStore(), SwiftDataStore(), RealmStore(), SQLStores(), DocumentStores(),
    CacheStores(), Cookies(),
    UserActivities(), Notifications(), WebStorage(), Browsers(),
]

/// Where databases of a kind are opened, and where one is given a key: a key protects what its own file opens.
struct Keys {
    private let opened: Set<String>
    private let keyed: Set<String>

    init(opened: [String], keyed: [String]) {
        self.opened = Set(opened)
        self.keyed = Set(keyed)
    }

    /// Whether a file sets a key.
    func areSet(_ file: String) -> Bool { keyed.contains(file) }

    /// Whether what a file writes goes into a database with a key: one of its own, else the one that is opened nearest
    /// to it.
    func protects(_ file: String) -> Bool {
        if keyed.contains(file) { return true }
        guard !keyed.isEmpty, !opened.contains(file) else { return false }
        func shared(_ other: String) -> Int {
            zip(file.split(separator: "/"), other.split(separator: "/")).prefix { $0 == $1 }.count
        }
        let best = opened.union(keyed).map(shared).max() ?? 0
        return opened.union(keyed).contains { shared($0) == best && keyed.contains($0) }
    }
}

extension ProjectModel {
    /// The files that import one of some modules, or call or set one of some names.
    func files(naming names: Set<String>) -> [String] {
        swift.filter { $0.imports.contains { names.contains($0) } }.map(\.path)
            + names.sorted().flatMap { name in
                calls(to: name).map(\.caller.file)
                    + assignments(to: name).filter { !$0.value.isNone }.map(\.function.file)
            }
    }
}

extension Expression {
    var isNone: Bool { if case .none = kind { true } else { false } }
}

extension CallSite {
    /// The receiver of a method: `defaults` of `defaults.set(...)`.
    package var receiver: Expression? {
        if case .member(let base, _) = callee.kind { base } else { nil }
    }

    /// The arguments in parentheses.
    package var plainArguments: [Argument] { arguments.filter { !$0.isTrailing } }

    /// Whether the receiver is of one of these types, or its name or chain has one of the words (in lower case).
    package func receiver(_ flows: Flows, isOneOf types: Set<String>, orNamed words: [String]) -> Bool {
        guard let receiver else { return false }
        if let type = flows.project.scope(of: caller).type(of: receiver) {
            let short = type.prefix { $0 != "<" }.split(separator: ".").last.map(String.init) ?? type
            if types.contains(short) { return true }
            if let model = flows.project.declared(short), flows.project.inherits(model, where: types.contains) {
                return true
            }
            // A type of the project, or one that is written out, speaks for itself.
            if flows.project.declared(short) != nil { return false }
        }
        let chain = receiver.dotted.lowercased()
        return words.contains { chain.contains($0) }
    }
}
