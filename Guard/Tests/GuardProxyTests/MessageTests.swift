// SPDX-License-Identifier: Apache-2.0

import GuardProxy
import Testing

/// The vectors of Documentation/Formats/GuardMessages.md, as the proxy reads and writes them.
@Suite("Messages of the proxy") struct MessageTests {
    private func bytes(_ digits: String) -> [UInt8] {
        let digits = digits.filter { $0 != " " }
        return stride(from: 0, to: digits.count, by: 2).compactMap { index in
            UInt8(digits.dropFirst(index).prefix(2), radix: 16)
        }
    }

    @Test func `what the guard says`() throws {
        guard case .locked = try GuardMessage(bytes("01 03")) else { return #expect(Bool(false)) }
        let refused = try GuardMessage(bytes("01 02 00000007 00 0193 00000002 6e6f"))
        guard case .answer(7, .refused(403, "no")) = refused else { return #expect(Bool(false)) }
        let allowed = try GuardMessage(
            bytes("01 02 00000007 01 0001 00000001 50 01 01 00000001 61 00000001 6d 00000008 3132333435363738"))
        guard case .answer(7, .allowed(let given)) = allowed else { return #expect(Bool(false)) }
        #expect(given.map(\.placeholder) == ["P"] && given[0].place == .header("a") && given[0].account == "m")
        #expect(given[0].secret == Array("12345678".utf8))
    }

    @Test func `what the proxy says`() {
        let question = Question(
            base: 0, host: Host(.https, "h", 443), method: "GET", path: "/x",
            found: [Found(placeholder: "P", place: .query("k"))])
        #expect(
            ProxyMessage.question(7, question).bytes
                == bytes(
                    "01 02 00000007 0000 01 00000001 68 01bb 00000003 474554 00000002 2f78 0001 00000001 50 03 00000001 6b"
                ))
        #expect(
            ProxyMessage.note(nil, method: "", path: "", text: "no").bytes
                == bytes("01 03 00 00000000 00000000 00000002 6e6f"))
    }

    @Test func `malformed messages are errors`() {
        for digits in [
            "", "01", "02 03", "01 04", "01 03 00", "01 02", "01 02 00000007", "01 02 00000007 02",
            "01 02 00000007 01 ffff",
            "01 02 00000007 01 0001 ffffffff", "01 02 00000007 01 0001 00000001 50 01 09 00000000 00000000 00000000",
            "01 01 00 00 ffff",
            "01 02 00000007 00 0193 00000002 ff6f",
        ] { #expect(throws: (any Error).self, "\(digits)") { try GuardMessage(bytes(digits)) } }
    }
}
