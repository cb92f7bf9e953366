// SPDX-License-Identifier: Apache-2.0

import Findings
import Synchronization

/// What the functions of a class put into its collections: elements of a type that holds a secret, or a value under a secret's key.
final class Fills: Sendable {
    enum Content {
        case element(TypeModel)
        case key(String, SecretKind)
    }

    private let known = Mutex<[String: (content: Content, place: Place)?]>([:])

    func secret(of property: Property, _ owner: TypeModel, in project: ProjectModel) -> (Content, Place)? {
        guard Self.isCollection(property) else { return nil }
        let name = "\(owner.name).\(property.name)"
        if let found = known.withLock({ $0[name] }) { return found }
        let found = Self.look(property.name, owner, in: project)
        known.withLock { $0[name] = .some(found) }
        return found
    }

    /// One whose type says nothing of what is in it.
    private static func isCollection(_ property: Property) -> Bool {
        guard let type = property.type?.trimmingBrackets else { return false }
        return type.hasPrefix("NSMutable")
            || ["NSArray", "NSDictionary", "NSOrderedSet", "NSSet", "Any"].contains(type)
            || type.hasPrefix("[") && type.hasSuffix("]")
                && ["Any", "AnyObject", "String", "NSObject"].contains(type.elementType)
    }

    private static func look(_ name: String, _ owner: TypeModel, in project: ProjectModel) -> (Content, Place)? {
        for function in owner.allFunctions {
            var found: (Content, Place)?
            function.body.visit { part in
                guard found == nil else { return }
                switch part.kind {
                case .call(let callee, let arguments):
                    guard case .member(let base?, let method) = callee.kind,
                        Flow.filling.contains(method) || method == "addObject",
                        base.lastName == name, let value = arguments.first?.value
                    else { return }
                    if let type = project.scope(of: function).type(of: value),
                        let model = project.declared(type.elementType),
                        Carriers.secret(of: model, in: project) != nil
                    {
                        found = (.element(model), function.place(part))
                    }
                case .binary("=", let target, let value):
                    guard case .element(let base, let arguments) = target.kind, base.lastName == name,
                        let key = arguments.first.flatMap({ project.scope(of: function).literal($0.value) }),
                        let kind = SecretWords.kind(ofName: key),
                        !Harmless.isValue(value, project.scope(of: function))
                    else { return }
                    found = (.key(key, kind), function.place(part))
                default: break
                }
            }
            if let found { return found }
        }
        return nil
    }
}
