// SPDX-License-Identifier: Apache-2.0

import AuditModel
import AuditRules
import Findings
import Foundation
import Testing

/// Leaks written in many forms by a generator, and harmless twins of the same forms. `ZAMOK_AUDIT_MISSES` prints each
/// that is judged wrong.
@Suite("Leaks in many forms")
struct LeakTests {
    private static func finds(_ app: GeneratedApp) -> Bool {
        guard let rule = allRules.first(where: { type(of: $0).description.id == app.rule }) else { return false }
        return rule.examine(ProjectModel.read(sources: app.files)).contains { $0.certainty >= .likely }
    }

    static func check(_ what: String, leaks: [GeneratedApp], twins: [GeneratedApp]) {
        let shows = ProcessInfo.processInfo.environment["ZAMOK_AUDIT_MISSES"] != nil
        let missed = leaks.filter { !finds($0) }
        let wrong = twins.filter { finds($0) }
        print("\(what): found \(leaks.count - missed.count) of \(leaks.count), wrong \(wrong.count) of \(twins.count)")
        for (word, apps) in [("missed", missed), ("wrong", wrong)] where shows {
            for app in apps {
                print("\(word): \(app.name) [\(app.rule)]")
                if ProcessInfo.processInfo.environment["ZAMOK_AUDIT_MISSES"] == "all" {
                    for file in app.files { print(file.text) }
                }
            }
        }
        #expect(leaks.count >= 50 && twins.count >= 50)
        #expect(missed.isEmpty, "\(missed.map(\.name))")
        #expect(wrong.isEmpty, "\(wrong.map(\.name))")
    }

    // Rule: what isn't known to end a flow goes on | unknown members end it | 12 of 168 forms are silent
    @Test func `a text is followed in whatever form it travels`() {
        Self.check("flows", leaks: LeakWriter.flows(leaks: true), twins: LeakWriter.flows(leaks: false))
    }

    // Rule: an accessor gets what its property is given | only calls are asked | stores behind properties are silent
    @Test func `a store is one under any name`() {
        Self.check("stores", leaks: LeakWriter.stored(leaks: true), twins: LeakWriter.stored(leaks: false))
    }
}

extension LeakTests {
    // Rule: a function that ends in a log is one | only the system's are | LogInfo(form) is silent
    // Rule: a type tells of its values at any depth | a local's name alone tells | "\(found)" of a Member is silent
    @Test func `objects are told by their types, in logs of any name`() {
        Self.check(
            "models", leaks: LeakModels.apps(leaks: true) + LeakKeeps.apps(leaks: true) + LeakReads.apps(leaks: true),
            twins: LeakModels.apps(leaks: false) + LeakKeeps.apps(leaks: false) + LeakReads.apps(leaks: false))
    }

    // Rule: what isn't known to end a flow goes on in Objective-C, too | unknown messages end it | forms are silent
    @Test func `Objective-C is followed as Swift is`() {
        Self.check("Objective-C", leaks: ObjectiveCLeaks.apps(leaks: true), twins: ObjectiveCLeaks.apps(leaks: false))
    }

    // Rule: words are told by their meaning | the card words are fewer | ccNo is silent
    @Test func `names tell by their meaning and their company`() {
        Self.check("words", leaks: LeakWords.secrets.map(LeakWords.app), twins: LeakWords.others.map(LeakWords.app))
    }

    // Rule: what is before a value in a query says what it is | the text before it isn't read | ?token= is silent
    @Test func `URLs and requests that carry a secret are found`() {
        Self.check("requests", leaks: LeakPlaces.requests(leaks: true), twins: LeakPlaces.requests(leaks: false))
    }

    // Rule: a closure says what becomes of the elements | the collection is what comes out | identifiers of logins are reported
    @Test func `what is taken of an object tells, not the object alone`() {
        Self.check("parts", leaks: LeakPlaces.tellings(leaks: true), twins: LeakPlaces.tellings(leaks: false))
    }

    // Rule: a key protects the databases of its file | a key anywhere protects all | stores beside another one are silent
    @Test func `a protection reaches only what it protects`() {
        Self.check("vetoes", leaks: LeakVetoes.apps(leaks: true), twins: LeakVetoes.apps(leaks: false))
    }

    // Rule: what is beside a literal names it | pairs, keys, fields and defaults not asked | 16 forms of literals are
    //   silent
    // Rule: a screen that goes is released with its fields | not asked | a screen that is popped is reported
    // Rule: a class that switches autocorrection off serves its fields | classes not asked | fields of it are reported
    // Rule: beside a part that says what it is, the others are other things | each part carries it | an id is reported
    // Rule: what is beside a code says where it was sent | a code alone is asked | codes beside a phone number are silent
    // Rule: hashes, URLs, fields and settings are known by what they do | only values named so count | forms are silent
    // Rule: what a class encodes, a closure is given and a store has under a key is told apart | by the name alone |
    //   6 twins are reported
    @Test func `fields, URLs, cryptography, the pasteboard, literals and the keychain are known in many forms`() {
        Self.check("forms", leaks: LeakForms.apps(leaks: true), twins: LeakForms.apps(leaks: false))
    }
}
