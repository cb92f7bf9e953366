// SPDX-License-Identifier: Apache-2.0

import Foundation
import ProvisioningProfiles
import Testing

struct PropertyListTests {
    private func xml(_ body: String) -> [UInt8] { Array("<plist version=\"1.0\">\(body)</plist>".utf8) }

    @Test(arguments: [
        "<dict><key>a</key><string>b &amp; c &#x41;&#66; \u{00E9}</string></dict>",
        "<array><integer>-7</integer><integer>+42</integer><true/><false/><real>1.5</real></array>",
        "<dict><key>d</key><date>2024-02-29T23:59:59Z</date><key>b</key><data>AAEC\n /w==</data></dict>",
        "<!-- first --><dict><!-- inside --><key></key><string></string><key>e</key><dict/></dict>",
        "<string>  spaces\tstay </string>", "<array/>", "<integer>9223372036854775807</integer>",
    ])
    func `what is read in XML is what Foundation reads`(body: String) throws {
        let bytes = Array("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n".utf8) + xml(body)
        let theirs = try unsafe PropertyListSerialization.propertyList(from: Data(bytes), format: nil)
        let ours = try PropertyList(bytes: bytes)
        #expect(ours == PropertyList(foundation: theirs))
    }

    @Test func `what is read in binary is what Foundation wrote`() throws {
        let value: [String: Any] = [
            "text": "plain", "wide": "\u{1F511}\u{0436}", "numbers": [0, 255, 65_536, -1, 1 << 40], "yes": true,
            "no": false,
            "real": 2.25, "date": Date(timeIntervalSinceReferenceDate: 1000),
            "data": Data((0..<300).map { UInt8($0 & 0xFF) }),
            "long": (0..<40).map { "entry \($0)" }, "deep": ["a": ["b": ["c": []]]],
        ]
        let bytes = try PropertyListSerialization.data(fromPropertyList: value, format: .binary, options: 0)
        #expect(try PropertyList(bytes: Array(bytes)) == PropertyList(foundation: value))
    }

    @Test func `the old style of projects is read`() throws {
        let text = """
            // !$*UTF8*$!
            { archiveVersion = 1; /* a comment */ objects = { "A B" = ( one, "two \\"quoted\\"\\n", ); path = $(SRCROOT)/x.y; };
              bytes = <0fBD 77>; empty = ""; octal = "\\101\\U0042"; }
            """
        // Parentheses are no part of a bare text.
        #expect(profileError { _ = try PropertyList(bytes: Array(text.utf8)) }?.code == .propertyList)
        let list = try PropertyList(bytes: Array(text.replacing("$(SRCROOT)/x.y", with: "\"$(SRCROOT)/x.y\"").utf8))
        #expect(list.dictionary?["objects"]?.dictionary?["A B"]?.strings == ["one", "two \"quoted\"\n"])
        #expect(list.dictionary?["bytes"]?.data == [0x0F, 0xBD, 0x77])
        #expect(list.dictionary?["octal"]?.string == "AB")
    }

    // Rule: no DOCTYPE with an internal subset | skipped over | a subset that nothing uses: written for this, since the
    //   entity of the older case was refused by itself
    @Test(arguments: [
        "<!DOCTYPE plist [<!ENTITY a \"b\">]><plist version=\"1.0\"><string>&a;</string></plist>",
        "<!DOCTYPE plist [<!ENTITY a \"b\">]><plist version=\"1.0\"><true/></plist>",
        "<!DOCTYPE plist []><plist version=\"1.0\"><true/></plist>",
        "<plist><string>&unknown;</string></plist>", "<plist><string>&#0;</string></plist>",
        "<plist><dict><key>a</key><true/><key>a</key><false/></dict></plist>",
        "<plist><string><![CDATA[x]]></string></plist>",
        "<plist><dict><key>a</key></dict></plist>", "<plist><dict><string>a</string></dict></plist>",
        "<plist><integer>1x</integer></plist>", "<plist><integer>9223372036854775808</integer></plist>",
        "<plist><date>2023-02-29T00:00:00Z</date></plist>", "<plist><date>2023-02-28</date></plist>",
        "<plist><true/><true/></plist>", "<plist><true/></plist>x", "<plist><true/></plist><plist><true/></plist>",
        "<plist><array><true/></dict></plist>", "<plist><string>a</key></plist>", "<plist></plist>", "<plist/>",
        "<dict/>",
        "<plist><!-- a -- b --><true/></plist>", "<plist><?php ?><true/></plist>", "<plist><TRUE/></plist>",
        "<?xml version=\"1.0\" encoding=\"UTF-16\"?><plist><true/></plist>", "<plist><string>\u{1}</string></plist>",
        "<plist", "<", "",
    ])
    func `XML that two readers could take differently is refused`(text: String) throws {
        #expect(profileError { _ = try PropertyList(bytes: Array(text.utf8)) }?.code == .propertyList)
    }

    // Rule: levels of property lists are limited | limit times 100 | in XML and in the old style
    // Rule: values of property lists are limited | limit times 100 | in XML and in the old style; and the binary list
    //   that unfolds without end ended the process
    @Test func `limits of bytes, levels and values hold`() throws {
        let limits = PropertyListLimits(bytes: 10_000, depth: 5, values: 50)
        func read(_ body: String) -> ProfileError.Code? {
            profileError { _ = try PropertyList(bytes: xml(body), limits: limits) }?.code
        }
        func nested(_ depth: Int) -> String {
            String(repeating: "<array>", count: depth) + String(repeating: "</array>", count: depth)
        }
        #expect(read(nested(5)) == nil)
        #expect(read(nested(6)) == .tooLarge)
        #expect(read("<array>" + String(repeating: "<true/>", count: 49) + "</array>") == nil)
        #expect(read("<array>" + String(repeating: "<true/>", count: 50) + "</array>") == .tooLarge)
        #expect(read("<string>" + String(repeating: "x", count: 10_000) + "</string>") == .tooLarge)
        let old = String(repeating: "(", count: 6) + String(repeating: ")", count: 6)
        #expect(profileError { _ = try PropertyList(bytes: Array(old.utf8), limits: limits) }?.code == .tooLarge)
    }

    @Test func `a binary list that unfolds without end is refused`() throws {
        // Object 0 is an array of itself twice; object 1 an array of object 0 many times over.
        let cycle: [UInt8] = Array("bplist00".utf8) + [0xA2, 0, 0] + [8]
        #expect(profileError { _ = try PropertyList(bytes: cycle + trailer(objects: 1, table: 11)) }?.code == .tooLarge)
        // Ten levels of ten uses each: 10^10 values in 120 bytes.
        var bomb = Array("bplist00".utf8)
        var offsets: [UInt8] = []
        for level in 0..<10 {
            offsets.append(UInt8(bomb.count))
            bomb += [0xAA] + [UInt8](repeating: UInt8(level + 1), count: 10)
        }
        offsets.append(UInt8(bomb.count))
        bomb.append(0x09)
        let bytes = bomb + offsets + trailer(objects: 11, table: bomb.count)
        #expect(profileError { _ = try PropertyList(bytes: bytes) }?.code == .tooLarge)
    }

    private func trailer(objects: UInt8, table: Int) -> [UInt8] {
        [0, 0, 0, 0, 0, 0, 1, 1] + [0, 0, 0, 0, 0, 0, 0, objects] + [UInt8](repeating: 0, count: 8)
            + [0, 0, 0, 0, 0, 0, 0, UInt8(table)]
    }
}

extension PropertyList {
    /// A value of Foundation's reader.
    init?(foundation value: Any) {
        switch value {
        case let text as String: self = .string(text)
        case let date as Date: self = .date(date)
        case let data as Data: self = .data(Array(data))
        case let values as [Any]: self = .array(values.compactMap(PropertyList.init(foundation:)))
        case let values as [String: Any]: self = .dictionary(values.compactMapValues(PropertyList.init(foundation:)))
        case let number as NSNumber: self = Self.number(number)
        default: return nil
        }
    }

    private static func number(_ number: NSNumber) -> PropertyList {
        switch unsafe String(cString: number.objCType) {
        case "c", "B": .boolean(number.boolValue)
        case "d", "f": .real(number.doubleValue)
        default: .integer(number.int64Value)
        }
    }
}
