// SPDX-License-Identifier: Apache-2.0

import AuditModel
import AuditRules
import Findings
import Testing

/// Tokens whose shape says what they are. None stands in this file, so that nothing that looks for such tokens takes it for one.
@Suite struct KnownTokenTests {
    private static let tokens = [
        ["sk", "_live_", "51Jq8vWk2LhXo0RtmPz9GdC3YbN7sTfEuQi6aSx1"],
        ["gh", "p_", "8fK2mQ9xLr4TzW7vBn1cYp6HsD3gJaE5uR0i"],
        ["AK", "IA", "QX4GZ7T2LMNVB3KP"],
    ].map { $0.joined() }

    // Rule: a literal in the shape of a known token is one, whatever it is called | properties asked for their names first | no line
    @Test(arguments: tokens) func `a known token is found under any name`(_ token: String) {
        let project = ProjectModel.read(sources: [
            (
                "Config.swift",
                "enum Config {\n    static let a = \"\(token)\"\n}\nlet b = \"\(token)\"\nfunc f() { send(\"\(token)\") }\n"
            )
        ])
        #expect(HardcodedSecrets().examine(project).map(\.place.line) == [2, 4, 5])
    }
}
