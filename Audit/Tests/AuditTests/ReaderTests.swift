// SPDX-License-Identifier: Apache-2.0

import AuditModel
import AuditMutations
import Findings
import Foundation
import Testing

@Suite("Readers of what isn't Swift")
struct ReaderTests {
    // MARK: XML

    @Test func `elements have their lines, attributes, texts and parents`() throws {
        let document = XMLDocument(
            Array("<a x='1 &amp; &#x41;'>\n  <!-- <b/> -->\n  <b y=\"2\"/>t<![CDATA[<c>]]>\n</a>".utf8))
        #expect(!document.isDamaged)
        #expect(document.elements.map(\.name) == ["a", "b"])
        let (outer, inner) = (document.elements[0], document.elements[1])
        #expect(outer["x"] == "1 & A")
        #expect(outer.text == "t<c>")
        #expect(inner.line == 3)
        #expect(inner.column == 3)
        #expect(inner.parent == 0)
        #expect(document.child(of: outer, named: "b")?["y"] == "2")
    }

    @Test(arguments: [
        "<a", "<a><b></a>", "<a x=>", "<a x=1/>", "<", "<a>", "</a>", "<a x='1", "<!-- ", "<![CDATA[", "<a></", "<?x",
    ])
    func `what isn't whole is said to be damaged`(_ text: String) {
        #expect(XMLDocument(Array(text.utf8)).isDamaged)
    }

    // A file that nests without end is read to a bound.
    @Test func `nesting without end is damage`() {
        let nest = { String(repeating: "<a>", count: $0) + String(repeating: "</a>", count: $0) }
        #expect(!XMLDocument(Array(nest(200).utf8)).isDamaged)
        #expect(XMLDocument(Array(nest(100_000).utf8)).isDamaged)
    }

    // MARK: Interfaces

    private static let storyboard = """
        <document><viewController id="c" customClass="Login"><view><subviews>
        <label text="Password"><rect key="frame" x="10" y="10" width="100" height="20"/></label>
        <textField id="f"><rect key="frame" x="10" y="34" width="100" height="30"/>
        <textInputTraits key="textInputTraits" keyboardType="alphabet"/>
        <userDefinedRuntimeAttributes><userDefinedRuntimeAttribute type="boolean" keyPath="isSecureTextEntry" value="YES"/>
        </userDefinedRuntimeAttributes></textField>
        <button id="b"><connections><action selector="login:" destination="c" eventType="touchUpInside"/></connections></button>
        </subviews></view><connections><outlet property="passwordField" destination="f"/></connections></viewController></document>
        """

    @Test func `a field has its label, class, traits, outlets and actions`() throws {
        let file = InterfaceFile(path: "a.storyboard", bytes: Array(Self.storyboard.utf8))
        let field = try #require(file.fields.first)
        #expect(field.owner == "Login")
        #expect(field.label == "Password")
        #expect(field.traits["keyboardType"] == "alphabet")
        #expect(field.isSecure)
        #expect(file.outlets(of: field).map(\.property) == ["passwordField"])
        #expect(file.outlets.first?.owner == "Login")
        #expect(file.actions.map { "\($0.target).\($0.selector)" } == ["Login.login:"])
        let offset = try #require(field.traitsOffset)
        #expect(
            String(decoding: Array(Self.storyboard.utf8)[(offset - 15)..<offset], as: UTF8.self) == "textInputTraits")
    }

    @Test func `a label of the Mac is no field, a secure cell is secure`() {
        let text = """
            <document><textField id="l"><textFieldCell key="cell" title="Password"/></textField>
            <secureTextField id="s"><secureTextFieldCell key="cell" editable="YES" placeholderString="Password"/></secureTextField></document>
            """
        let fields = InterfaceFile(path: "a.xib", bytes: Array(text.utf8)).fields
        #expect(fields.map(\.id) == ["s"])
        #expect(fields.map(\.isSecure) == [true])
    }

    // MARK: Property lists

    @Test func `values have the lines of their keys`() {
        let text =
            "<plist>\n<dict>\n<key>A</key>\n<dict>\n<key>B</key><true/>\n</dict>\n<key>C</key><array><string>x</string></array></dict></plist>"
        let list = PropertyListFile(path: "Info.plist", bytes: Array(text.utf8))
        #expect(list.entry("A", "B")?.isTrue == true)
        #expect(list.entry("A", "B")?.place.line == 5)
        #expect(list.entries(below: "C").map(\.text) == ["x"])
        #expect(!list.isDamaged)
    }

    // MARK: Objective-C

    private func objectiveC(_ text: String) -> ObjCFile { ObjCFile(path: "a.m", bytes: Array(text.utf8)) }

    @Test func `messages, functions, constants and assignments are found with their methods`() throws {
        let file = objectiveC(
            """
            #define KEY @"k"
            static NSString *const Name = @"n"; // @"no"
            /* [nothing here]; */
            @implementation Login
            - (void)open:(NSString *)text with:(int)code {
                NSString *copy = [text stringByAppendingString:code > 1 ? @"a" : @"b"];
                [[Store shared] keep:copy forKey:KEY];
                self.field.text = Make(copy, 1);
                x[1] = @[copy];
            }
            @end
            """)
        #expect(file.constants.map(\.name) == ["KEY", "Name"])
        #expect(file.methods.map(\.name) == ["open:with:"])
        #expect(file.methods.first?.parameters == ["text", "code"])
        #expect(file.methods.first?.owner == "Login")
        #expect(
            file.calls.map(\.name) == ["stringByAppendingString:", "keep:forKey:", "shared", "Make"])
        let keep = try #require(file.calls.first { $0.name == "keep:forKey:" })
        #expect(keep.isStatement)
        #expect(keep.receiver == "[Storeshared]")
        #expect(file.literal(keep.arguments[1]) == "k")
        #expect(file.assignments.map(\.target) == ["Name", "copy", "self.field.text"])
        #expect(file.assignment(to: "copy", before: keep.range.lowerBound, in: keep.method) != nil)
    }

    // Rule: what only developers get is not examined | every branch of #if taken | calls of DEBUG are found
    @Test func `code for debugging is left out`() {
        let file = objectiveC(
            "#if DEBUG\nA();\n#else\nB();\n#endif\n#ifndef DEBUG\nC();\n#else\nD();\n#endif\n#if 0\nE();\n#endif\n#ifdef OTHER\nF();\n#endif"
        )
        #expect(file.calls.map(\.name) == ["B", "C", "F"])
    }

    // MARK: Damage

    /// `ZAMOK_AUDIT_MUTATIONS` sets how many, `ZAMOK_AUDIT_SEED` another seed than 1; `audit-mutations` is the long form.
    @Test(arguments: Mutations.kinds)
    func `no damaged file stops a reader`(_ kind: String) throws {
        let count =
            ProcessInfo.processInfo.environment["ZAMOK_AUDIT_MUTATIONS"].flatMap(Int.init)
            ?? (kind == "swift" ? 300 : 2_000)
        let seed = ProcessInfo.processInfo.environment["ZAMOK_AUDIT_SEED"].flatMap(UInt64.init) ?? 1
        #expect(try Mutations.run(kind, count: count, seed: seed, vectors: VectorTests.folder)?.count == count)
    }
}
