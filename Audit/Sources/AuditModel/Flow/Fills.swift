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
            || ["NSArray", "NSDictionary", "NSOrderedSet", "NSSet", "Any", "Array", "Dictionary"].contains(type)
            || type.hasPrefix("[") && type.hasSuffix("]")
                && ["Any", "AnyObject", "String", "NSObject"].contains(type.elementType)
    }

    /// `[_record setObject:pass forKey:@"password"]`, and the same by a helper: `[Kit dict:_record setObject:pass
    /// forKey:@"password"]`.
    private static func under(
        _ callee: Expression, _ arguments: [Argument], _ name: String, _ scope: Scope
    ) -> (String, SecretKind)? {
        func isIt(_ expression: Expression?) -> Bool {
            guard let last = expression?.lastName else { return false }
            return last.drop { $0 == "_" } == name.drop { $0 == "_" }
        }
        guard case .member(let base, let method) = callee.kind,
            let given = arguments.first(where: { ["forKey", "forKeyPath"].contains($0.label) }),
            let key = scope.literal(given.value), let kind = SecretWords.kind(ofName: key), !kind.isPersonal
        else { return nil }
        let value: Expression?
        if isIt(base), ["setObject", "setValue", "updateValue", "safeSetObject"].contains(method) {
            value = arguments.first?.value
        } else if arguments.contains(where: { isIt($0.value) }) {
            value = arguments.first { ["setObject", "setValue", "object", "value"].contains($0.label) }?.value
        } else {
            return nil
        }
        guard let value, !Harmless.isValue(value, scope) else { return nil }
        return (key, kind)
    }

    private static func look(_ name: String, _ owner: TypeModel, in project: ProjectModel) -> (Content, Place)? {
        for function in owner.allFunctions {
            var found: (Content, Place)?
            function.body.visit { part in
                guard found == nil else { return }
                switch part.kind {
                case .call(let callee, let arguments):
                    if let (key, kind) = under(callee, arguments, name, project.scope(of: function)) {
                        found = (.key(key, kind), function.place(part))
                        return
                    }
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
