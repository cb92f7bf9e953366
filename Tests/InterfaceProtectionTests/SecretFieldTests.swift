// SPDX-License-Identifier: Apache-2.0

import InterfaceProtection
import SecretMemory
import Testing

@Suite("A secret field")
struct SecretFieldTests {
    let clock = TestClock()
    let contents = ConfidentialContents()

    private func field(_ text: String = "", limit: Int = 64, policy: ClearingPolicy = .standard) throws -> SecretField {
        let field = SecretField(maximumBytes: limit, policy: policy, in: contents, now: { [clock] in clock.now })
        try field.append(text)
        return field
    }

    @Test("counts code points of any script, and shows a bullet for each")
    func counts() throws {
        let field = try field("пароль🔑é")
        #expect(field.count == 8)
        #expect(field.maskedText == "••••••••")
        try field.deleteLast()
        try field.deleteLast()
        #expect(try field.text == "пароль")
    }

    @Test(
        "replaces a range of code points",
        arguments: [
            (0..<0, "x", "xaбв"), (1..<2, "", "aв"), (1..<2, "yy", "ayyв"), (0..<3, "z", "z"), (3..<3, "!", "aбв!"),
            (2..<99, "?", "aб?"), (99..<100, "-", "aбв-"),
        ])
    func replaces(range: Range<Int>, text: String, result: String) throws {
        let field = try field("aбв")
        try field.replace(range, with: text)
        #expect(try field.text == result)
        #expect(field.count == result.unicodeScalars.count)
    }

    @Test("refuses what is too long or not text, and keeps what it had")
    func refusals() throws {
        let field = try field("abc", limit: 4)
        #expect(#expect(throws: SecretFieldError.self) { try field.append("de") }?.code == .tooLong)
        let broken: [UInt8] = [0xC3]
        #expect(#expect(throws: SecretFieldError.self) { try field.replace(with: broken.span) }?.code == .notText)
        #expect(try field.text == "abc")
        try field.append("d")
        #expect(try field.text == "abcd")
        field.clear()
        #expect(field.isEmpty)
        try field.deleteLast()
    }

    @Test("shows its content for a moment only, and not after the user has been away")
    func reveals() throws {
        let field = try field("secret")
        #expect(field.exposingRevealedText() == nil)
        field.reveal(for: .seconds(5))
        #expect(field.exposingRevealedText() == "secret")
        clock.advance(by: .seconds(5))
        #expect(field.exposingRevealedText() == nil)
        for event in [ClearingEvent.hidden, .backgrounded] {
            field.reveal()
            #expect(field.isRevealed)
            field.handle(event)
            #expect(!field.isRevealed)
        }
    }

    @Test("is still full after a look at another tab, and empty when that took too long")
    func tabSwitch() throws {
        let field = try field("secret")
        field.handle(.hidden)
        clock.advance(by: .seconds(59))
        field.handle(.shown)
        #expect(try field.text == "secret")
        field.handle(.hidden)
        clock.advance(by: .seconds(60))
        // Nobody told the field; it looks at the clock itself.
        #expect(field.isEmpty)
        #expect(try field.text == "")
    }

    @Test(
        "is cleared with all others when the user changes or the app locks",
        arguments: [ClearingEvent.userChanged, .locked])
    func together(event: ClearingEvent) throws {
        let policy = ClearingPolicy(left: .keep, hidden: .keep, backgrounded: .keep)
        let fields = [try field("one"), try field("two", policy: policy)]
        contents.handle(event, at: clock.now)
        #expect(fields.allSatisfy { $0.isEmpty })
    }

    @Test("compares without a string, in both directions at once")
    func compares() async throws {
        let fields = [try field("same"), try field("same"), try field("other"), try field(), try field()]
        #expect(try fields[0].hasSameContent(as: fields[1]))
        #expect(try !fields[0].hasSameContent(as: fields[2]))
        #expect(try !fields[0].hasSameContent(as: fields[3]))
        #expect(try fields[3].hasSameContent(as: fields[4]))
        #expect(try fields[0].hasSameContent(as: fields[0]))
        await withTaskGroup(of: Void.self) { group in
            for index in 0..<200 {
                let (one, two) = (fields[index % 2], fields[1 - index % 2])
                group.addTask { _ = try? one.hasSameContent(as: two) }
            }
        }
    }

    @Test("tells its observers, under no lock")
    func observers() throws {
        let field = try field()
        let log = Log()
        field.onChange { [weak field] in log.add("\(field?.count ?? -1)") }
        try field.append("ab")
        field.clear()
        #expect(log.lines == ["2", "0"])
    }

    @Test("never writes its content in a description")
    func descriptions() throws {
        let field = try field("hunter2hunter2")
        var dumped = ""
        dump(field, to: &dumped)
        #expect(!("\(field)" + dumped + String(reflecting: field)).contains("hunter2"))
    }

    @Test(
        "takes a range that reaches beyond either end for what is there of it",
        arguments: [
            (-3..<2, "Xcdef"), (Int.min..<0, "Xabcdef"), (4..<Int.max, "abcdX"), (Int.min..<Int.max, "X"),
        ])
    func ranges(range: Range<Int>, text: String) throws {
        let field = SecretField(in: ConfidentialContents())
        try field.replace(with: "abcdef")
        try field.replace(range, with: "X")
        #expect(try field.text == text && field.count == text.count && field.maskedText.count == text.count)
    }

    @Test("survives a time that is meant as never")
    func never() async throws {
        let clearing = ClearingPolicy(hidden: .clearAfter(.seconds(Int.max)))
        let field = SecretField(policy: clearing, in: ConfidentialContents())
        try field.replace(with: "abc")
        field.handle(.hidden)
        field.reveal(for: .seconds(Int.max))
        #expect(field.isRevealed && field.deadline != nil)
        // The timer has begun to wait: it would trap.
        for _ in 0..<100 { await Task.yield() }
        #expect(field.count == 3)
    }
}
