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
    /// The call, where it is one.
    package var call: CallSite?
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
    }
}

/// The model of a store: what a write is, which argument, and what makes it fine.
package protocol Store: Sendable {
    /// The writes that nothing protects; those into an encrypted store aren't among them.
    func writes(in project: ProjectModel, flows: Flows) -> [Write]
}

/// The stores into which a secret must not go.
package let plainStores: [any Store] = [
    Preferences(), Files(), CoreDataStore(), SwiftDataStore(), RealmStore(), SQLStores(), DocumentStores(), Cookies(),
    UserActivities(), Notifications(), WebStorage(),
]

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
        if let type = flows.of(caller).type(of: receiver) {
            let short = type.prefix { $0 != "<" }.split(separator: ".").last.map(String.init) ?? type
            if types.contains(short) { return true }
            // A type of the project, or one that is written out, speaks for itself.
            if flows.project.declared(short) != nil { return false }
        }
        let chain = receiver.dotted.lowercased()
        return words.contains { chain.contains($0) }
    }
}
