// SPDX-License-Identifier: Apache-2.0

import Findings

/// What is made of secrets by initializers, of the project and of others.
extension Flow {
    /// Whether a call makes an object; functions of C have names in upper case, too, and no labels.
    func isInitializer(_ callee: Expression, _ name: String, _ given: [Argument]) -> Bool {
        guard name.first?.isUppercase == true else { return name == "init" }
        guard function.file.hasSuffix(".m") || function.file.hasSuffix(".mm"), case .name = callee.kind else {
            return true
        }
        return given.count < 2 || given.contains { $0.label != nil } || project.declared(name) != nil
    }

    func ofInitializer(_ call: CallSite, _ name: String, _ given: [Argument], _ level: Int) -> Secret? {
        let type = lastPart(of: name)
        if Harmless.isType(type, in: project) || Flow.seals(type, given, scope) { return nil }
        if type == "URLQueryItem" || type == "HTTPCookie" {
            return first(of: given.filter { $0.label != "name" }, level) ?? queryItem(given)
        }
        if let model = project.declared(type) {
            // A wrapper of a view or of a service isn't the secret itself.
            guard let found = first(of: given, level), !Harmless.isBehaviour(model, in: project) else { return nil }
            guard keeps(call, model) else { return nil }
            return found.through("\(type) is made of it", at: call.place).of(.part)
        }
        return first(of: given, level)
    }

    /// Whether an initializer of the project that is written out keeps a secret of the call: one that derives a key of a
    /// password and drops it doesn't.
    private func keeps(_ call: CallSite, _ model: TypeModel) -> Bool {
        let targets = (model.functions["init"] ?? []).filter { project.fits(call.arguments, $0) && !$0.body.isEmpty }
        guard targets.count == 1, let target = targets.first, let inner = entered(target, call) else { return true }
        var (isKept, isHandedOn) = (false, false)
        target.body.visit { part in
            switch part.kind {
            case .binary("=", let place, let value):
                guard place.root == "self" || place.root.map({ model.properties[$0] != nil }) == true else { return }
                if inner.secret(in: value) != nil { isKept = true }
            case .call(let callee, _):
                guard case .member(let base?, let name) = callee.kind else { return }
                if base.dotted == "super" || base.dotted == "self" && name == "init" { isHandedOn = true }
            default: break
            }
        }
        return isKept || isHandedOn
    }

    /// `EthereumKeystoreV3(privateKey: key, password: password)`: it holds the one encrypted with the other.
    private static func seals(_ type: String, _ given: [Argument], _ scope: Scope) -> Bool {
        let words = SecretWords.words(of: type)
        let isSealing = words.contains {
            ["keystore", "encrypted", "sealed", "cipher", "vault", "crypto", "keyfile", "box", "envelope"].contains($0)
        }
        return isSealing && given.count > 1
            && given.contains { argument in
                SecretWords.words(of: argument.label ?? "").contains {
                    ["password", "passphrase", "passcode"].contains($0)
                }
                    && scope.literal(argument.value) == nil
            }
    }

    private func queryItem(_ given: [Argument]) -> Secret? {
        guard let key = given.first(where: { $0.label == "name" }).flatMap({ scope.literal($0.value) }),
            let value = given.first(where: { $0.label == "value" })?.value, !Harmless.isValue(value, scope)
        else { return nil }
        return named(key, at: value.span, value: value)
    }
}
