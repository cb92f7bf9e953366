// SPDX-License-Identifier: Apache-2.0

import AuditModel
import Findings

/// A cover that is gone before the system takes its picture, which it does once the app is in the background.
struct EarlyRemoval {
    var message: String
    var chain: [Step]
}

extension CoverSearch {
    /// By a handler of the background, after a time, or by a state that only the phase between holds.
    func earlyRemoval(of covering: [Function], among handlers: [Function]) -> EarlyRemoval? {
        for handler in covering where !comesLate(handler) {
            let shown = changes(from: handler).shown
            if let found = removal(of: shown, after: handler, among: handlers) { return found }
            if let state = fallsInBackground(handler) {
                return EarlyRemoval(
                    message:
                        "The cover (\(state)) is there while the app is inactive and gone in the background, where the system takes its picture.",
                    chain: [Step("\(state) is set for each phase", at: handler.place)])
            }
        }
        return nil
    }

    private func removal(of shown: Set<String>, after handler: Function, among handlers: [Function]) -> EarlyRemoval? {
        for late in handlers where comesLate(late) {
            let change = changes(from: late)
            guard let name = shown.intersection(change.hidden).subtracting(change.shown).min() else { continue }
            return EarlyRemoval(
                message:
                    "The cover (\(name)) is taken away as the app enters the background; the system takes its picture after that.",
                chain: [
                    Step("\(handler.name) covers the screen", at: handler.place),
                    Step("\(late.name) takes the cover away", at: late.place),
                ])
        }
        for (closure, place) in delayed(in: handler) {
            guard let name = shown.intersection(CoverChange(closure.body).hidden).min() else { continue }
            return EarlyRemoval(
                message: "The cover (\(name)) is taken away after a time, whether the app is back or not.",
                chain: [
                    Step("\(handler.name) covers the screen", at: handler.place),
                    Step("it is taken away here", at: place),
                ])
        }
        return nil
    }

    private func changes(from handler: Function) -> CoverChange {
        project.functionsReached(from: handler, hops: 3).reduce(into: CoverChange([])) { $0.add(CoverChange($1.body)) }
    }

    /// Closures that a handler itself hands to something that runs them later.
    private func delayed(in handler: Function) -> [(Closure, Place)] {
        handler.calls.filter { ["asyncAfter", "scheduledTimer"].contains($0.name) }.flatMap { call in
            call.arguments.compactMap { argument in argument.value.closure.map { ($0, call.place) } }
        }
    }

    /// A state of a handler of scenePhase that covers, is true when the scene is inactive and false in the background.
    private func fallsInBackground(_ handler: Function) -> String? {
        var inactive = PhaseWalk(phase: "inactive")
        inactive.walk(handler.body)
        var background = PhaseWalk(phase: "background")
        background.walk(handler.body)
        return inactive.states.filter { $0.value && background.states[$0.key] == false }.keys.sorted()
            .first(where: showsCover)
    }

    /// Whether views hang on scenePhase, and on nothing but that it is inactive.
    func phaseCoversInactiveOnly() -> Place? {
        var compared: [String: Place] = [:]
        for function in project.functions where function.kind == .getter {
            function.body.visit { part in
                guard case .binary(let operation, let left, let right) = part.kind, ["==", "!="].contains(operation)
                else { return }
                for (side, other) in [(left, right), (right, left)] where side.lastName == "scenePhase" {
                    let key = operation + (other.lastName ?? "")
                    if compared[key] == nil { compared[key] = function.place(part) }
                }
            }
            function.body.visitStatements { statement in
                if case .choose(let subject, _) = statement.kind, subject.lastName == "scenePhase" {
                    compared["switch"] = function.place(statement.span)
                }
            }
        }
        let isKept = ["!=active", "==background", "==active", "switch"].contains { compared[$0] != nil }
        return isKept ? nil : compared["==inactive"]
    }
}

/// What statements put in sight and take out of it, by name.
private struct CoverChange {
    var shown: Set<String> = []
    var hidden: Set<String> = []

    init(_ body: [Statement]) {
        var (shown, hidden): (Set<String>, Set<String>) = ([], [])
        body.visit { part in
            switch part.kind {
            case .call(let callee, let arguments):
                guard case .member(let base?, let name) = callee.kind else { return }
                switch name {
                case "addSubview", "insertSubview", "bringSubviewToFront":
                    if let view = arguments.first?.value.lastName { shown.insert(view) }
                case "makeKeyAndVisible": if let view = base.lastName { shown.insert(view) }
                case "removeFromSuperview": if let view = base.lastName { hidden.insert(view) }
                default: break
                }
            case .binary("=", let target, let value):
                guard let name = target.lastName else { return }
                guard ["isHidden", "alpha"].contains(name) else {
                    if case .none = value.kind { hidden.insert(name) }
                    return
                }
                guard case .member(let base?, _) = target.kind, let view = base.lastName else { return }
                switch value.kind {
                case .boolean(let isHidden): if isHidden { hidden.insert(view) } else { shown.insert(view) }
                case .number(let text): if Double(text) == 0 { hidden.insert(view) } else { shown.insert(view) }
                default: break
                }
            default: break
            }
        }
        (self.shown, self.hidden) = (shown, hidden)
    }

    mutating func add(_ other: CoverChange) {
        shown.formUnion(other.shown)
        hidden.formUnion(other.hidden)
    }
}

/// What a handler of scenePhase sets when the scene is in one phase.
private struct PhaseWalk {
    let phase: String
    private(set) var states: [String: Bool] = [:]

    init(phase: String) { self.phase = phase }

    mutating func walk(_ statements: [Statement]) {
        for statement in statements {
            switch statement.kind {
            case .expression(let value): assign(value)
            case .branch(let branch):
                let truths = branch.conditions.flatMap(\.expressions).map(truth)
                if truths.allSatisfy({ $0 == true }) {
                    walk(branch.then)
                } else if truths.contains(false) {
                    walk(branch.otherwise)
                }
            case .choose(_, let cases):
                let fitting = cases.first { $0.patterns.contains { $0.lastName == phase } }
                if let taken = fitting ?? cases.first(where: \.patterns.isEmpty) { walk(taken.body) }
            default: break
            }
        }
    }

    private mutating func assign(_ expression: Expression) {
        var found: [(String, Bool)] = []
        expression.visit { part in
            guard case .binary("=", let target, let value) = part.kind, let name = target.lastName,
                let truth = truth(value)
            else { return }
            found.append((name, truth))
        }
        for (name, truth) in found { states[name] = truth }
    }

    /// Whether a condition holds in the phase; nil where it asks for something else.
    private func truth(_ condition: Expression) -> Bool? {
        switch condition.kind {
        case .boolean(let value): return value
        case .unary("!", let value): return truth(value).map { !$0 }
        case .binary("==", _, let right), .binary("!=", _, let right):
            guard case .member(nil, let name) = right.kind, ["active", "inactive", "background"].contains(name) else {
                return nil
            }
            if case .binary("==", _, _) = condition.kind { return name == phase }
            return name != phase
        case .binary("||", let left, let right):
            let sides = [truth(left), truth(right)]
            if sides.contains(true) { return true }
            return sides.contains(nil) ? nil : false
        case .binary("&&", let left, let right):
            let sides = [truth(left), truth(right)]
            if sides.contains(false) { return false }
            return sides.contains(nil) ? nil : true
        default: return nil
        }
    }
}
