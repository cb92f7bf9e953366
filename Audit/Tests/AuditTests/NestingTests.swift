// SPDX-License-Identifier: Apache-2.0

import AuditModel
import AuditRules
import Findings
import Testing

/// Sources that can't be read whole: what can be is, and the rest is told.
@Suite("Sources read in part")
struct NestingTests {
    private static let leak = "func log(_ password: String) { print(password) }\n"

    private func found(_ text: String, _ path: String = "Deep.swift") -> (lines: [Int], skipped: [Skipped]) {
        let project = ProjectModel.read(sources: [(path, text)])
        return (SecretsInLogs().examine(project).map(\.place.line), project.skipped)
    }

    // Nesting hides nothing that it doesn't hold.
    @Test(arguments: [("(", "1", ")"), ("{ if a ", "print(1)", "}")])
    func `a nest as deep as sources have hides nothing`(_ open: String, _ inside: String, _ close: String) {
        let isCode = open.hasPrefix("{")
        let nest = { (depth: Int) in
            let text = String(repeating: open, count: depth) + inside + String(repeating: close, count: depth)
            return isCode
                ? "func nest(a: Bool) { if a \(String(repeating: "{ if a ", count: depth)) { print(1) } \(String(repeating: "}", count: depth)) }\n"
                : "func nest() { let a = \(text) }\n"
        }
        let usual = found(nest(90) + Self.leak)
        #expect(usual.lines == [2])
        #expect(usual.skipped.isEmpty)
        let deep = found(nest(300) + Self.leak)
        #expect(deep.lines == [2])
    }

    // Rule: brackets in a row cost the parser no time without end | no bound | 28 s for 22 of them
    @Test func `a row of brackets is read in part, told and soon done`() {
        let row = { (count: Int) in
            "func nest() { let a = \(String(repeating: "[", count: count))1\(String(repeating: "]", count: count)) }\n"
        }
        #expect(found(row(6) + Self.leak).skipped.isEmpty)
        for count in [30, 5_000] {
            let told = found(row(count) + Self.leak)
            #expect(told.lines == [2])
            #expect(told.skipped.map(\.path) == ["Deep.swift"])
        }
    }

    // Rule: brackets with other things between them cost no more | only rows of brackets counted | no end
    @Test(arguments: ["[(x,", "[/**/", "[\"a\", ", "[f(\"\\("])
    func `brackets that are open at once are read in part, told and soon done`(_ open: String) {
        let told = found("func nest() {\nlet a = \(String(repeating: open, count: 40))1\n}\n" + Self.leak)
        #expect(told.skipped.map(\.path) == ["Deep.swift"])
    }

    // Rule: what the parser looks ahead for is bounded | no bound for < and for attributes | 20 s for 2,000, 19 s for 20 attributes
    @Test(arguments: ["f<", "f <", "@f<", "@a.f<", "@f/**/<", "f<(a,[", "f<[a."])
    func `a type that opens without end is read in part, told and soon done`(_ open: String) {
        let told = found(
            "func nest() {\nlet a = \(String(repeating: open, count: 3_000))1\n}\n" + Self.leak)
        #expect(told.skipped.map(\.path) == ["Deep.swift"])
        if !open.contains("(") && !open.contains("[") { #expect(told.lines == [4]) }
    }

    @Test func `comparisons and attributes as sources have them are no nest`() {
        let compared = (0..<90).map { "let c\($0) = a < b && a << 2 > c && i<n\n" }.joined()
        let declared = (0..<50).map { "@Published var a\($0): Set<String>\n@Wrapped<Int> var b\($0): Int\n" }.joined()
        let text = "func f() {\n\(compared)}\nclass A {\n\(declared)}\n"
        #expect(found(text + Self.leak).skipped.isEmpty)
    }

    // Rule: a carriage return ends a line, as it does for compilers | only line feeds end one | what stands behind a comment isn't found
    @Test(arguments: ["Deep.swift", "Deep.m"])
    func `a file whose lines end in carriage returns is read`(_ path: String) {
        let swift = "// log\nfunc log(_ password: String) {\n// it\nprint(password)\n}\n"
        let objectiveC =
            "@implementation B\n- (void)log:(NSString *)password {\n// it\nNSLog(@\"%@\", password);\n}\n@end\n"
        let text = path.hasSuffix(".m") ? objectiveC : swift
        #expect(found(text.replacing("\n", with: "\r"), path).lines == [4])
        #expect(found(text.replacing("\n", with: "\r\n"), path).lines == [4])
        #expect(found(text.replacing("it\n", with: "it\r"), path).lines == [4])
    }

    @Test func `brackets in texts and comments are none`() {
        let row = String(repeating: "[", count: 40)
        let text =
            "// \(row)\nlet a = \"\(row)\"\nlet b = \"\"\"\n\(row)\n\"\"\"\n/* \(row) */\n"
            + "let c = [\"\", \"\\\"\(row)\"]\n"
        let found = found(text + Self.leak)
        #expect(found.skipped.isEmpty)
        #expect(found.lines == [8])
    }

    // Rule: functions of one name don't cost the cube of their number | every pair followed | no end
    @Test func `functions of one name that call each other are soon done`() {
        let many = String(repeating: "func save(_ t: String) { save(t); print(t) }\n", count: 800)
        #expect(found(many + Self.leak).lines.contains(801))
        // As many as a name has in sources are followed.
        let few = String(repeating: "func save(_ t: String) { save(t); print(t) }\n", count: 3)
        #expect(found(few + "func f(_ password: String) { save(password) }\n").lines == [1, 2, 3])
    }

    // Rule: both sides of a conflict are read, and the marks told | the parser's way with them | a side is lost without a word
    @Test(arguments: ["", "||||||| base\n    let c = 1\n"]) func `both sides of a conflict are read, and it is told`(
        _ base: String
    ) {
        let text =
            "func f(_ password: String) {\n<<<<<<< HEAD\n    print(password)\n\(base)=======\n    NSLog(password)\n>>>>>>> branch\n}\n"
        let told = found(text)
        #expect(told.lines == [3, base.isEmpty ? 5 : 7])
        #expect(told.skipped.map(\.reason) == ["it has conflict markers; both sides were read"])
        #expect(found("let a = \"\"\"\n<<<<<<< HEAD\n=======\n\"\"\"\n" + Self.leak).skipped.isEmpty)
    }

    @Test func `both sides of a conflict in Objective-C are read, and it is told`() {
        let told = found(
            "@implementation A\n- (void)f:(NSString *)password {\n<<<<<<< HEAD\n    NSLog(@\"%@\", password);\n=======\n    g();\n>>>>>>> branch\n}\n@end\n",
            "A.m")
        #expect(told.lines == [4])
        #expect(told.skipped.map(\.reason) == ["it has conflict markers; both sides were read"])
    }

    // Rule: what nests too deep to be read is told | not told | nothing is skipped
    @Test(arguments: [1_000, 20_000]) func `a nest without end is told`(_ depth: Int) {
        let text =
            "func nest() { let a = \(String(repeating: "(", count: depth))1\(String(repeating: ")", count: depth)) }\n"
        #expect(found(text + Self.leak).skipped.map(\.path) == ["Deep.swift"])
        let blocks =
            "@implementation A\n- (void)a { \(String(repeating: "{", count: depth)) \(String(repeating: "}", count: depth)) }\n@end\n"
        let objectiveC = "@implementation B\n- (void)log:(NSString *)password { NSLog(@\"%@\", password); }\n@end\n"
        let told = found(blocks + objectiveC, "Deep.m")
        #expect(told.skipped.map(\.path) == ["Deep.m"])
        #expect(told.lines == [5])
    }
}
