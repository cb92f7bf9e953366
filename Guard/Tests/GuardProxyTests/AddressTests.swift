// SPDX-License-Identifier: Apache-2.0

import GuardProxy
import Testing

@Suite("Addresses") struct AddressTests {
    // Rule: a name never leads to this machine, its network or a cloud's metadata | `isPublic` was true for all of IPv6
    //   | 21 addresses were public
    @Test(arguments: [
        "127.0.0.1", "127.255.255.254", "0.0.0.0", "10.0.0.1", "172.16.0.1", "172.31.255.255", "192.168.1.1",
        "169.254.169.254", "100.64.0.1", "100.100.100.200", "168.63.129.16", "192.0.0.192", "192.0.2.1", "198.18.0.1",
        "198.51.100.7", "203.0.113.9", "224.0.0.1", "239.255.255.250", "240.0.0.1", "255.255.255.255", "192.88.99.1",
        "::", "::1", "::ffff:127.0.0.1", "::ffff:169.254.169.254", "::ffff:8.8.8.8", "::127.0.0.1", "fe80::1",
        "fec0::1",
        "fc00::1", "fd00:ec2::254", "ff02::1", "64:ff9b::a9fe:a9fe", "64:ff9b::7f00:1", "64:ff9b:1::1", "2001::1",
        "2001:db8::1", "2002:7f00:1::", "2002:a9fe:a9fe::1", "100::1", "3fff::1", "5f00::1",
    ])
    func `is not public`(_ text: String) throws { #expect(try #require(Address(text: text)).isPublic == false) }

    @Test(arguments: [
        "1.1.1.1", "8.8.8.8", "172.15.0.1", "172.32.0.1", "100.63.255.255", "100.128.0.1", "192.0.1.1",
        "223.255.255.255",
        "2606:4700::1111", "2a00:1450::1", "64:ff9b::808:808", "2002:808:808::1", "2001:4860:4860::8888",
    ])
    func `is public`(_ text: String) throws { #expect(try #require(Address(text: text)).isPublic) }

    private static let networks: [(String, String?, [String], [String])] = [
        ("203.0.114.7", "255.255.255.0", ["203.0.114.1", "203.0.114.255"], ["203.0.115.1", "::1"]),
        ("8.8.8.8", nil, ["8.8.8.8"], ["8.8.8.9"]), ("8.8.8.8", "255.0.0.0", ["8.8.8.8"], ["8.1.1.1"]),
        ("2606:4700::7", "ffff:ffff:ffff:ffff::", ["2606:4700::1"], ["2606:4700:0:1::1"]),
        ("2606:4700::7", "::", ["2606:4700::7"], ["2606:4700::8"]),
    ]

    // Rule: an address of this machine's own networks is not reached by name | networks were one address each
    //   | 3 addresses were not in them
    @Test(arguments: networks)
    func `own networks`(_ one: (String, String?, [String], [String])) throws {
        let range = AddressRange(try #require(Address(text: one.0)), mask: one.1.flatMap { Address(text: $0) })
        for text in one.2 { #expect(range.contains(try #require(Address(text: text))), "\(text)") }
        for text in one.3 { #expect(!range.contains(try #require(Address(text: text))), "\(text)") }
    }

    /// A client's first message for a name, in records of so many bytes.
    private static func hello(_ name: String?, records: Int = 1 << 14) -> [UInt8] {
        func prefixed(_ bytes: [UInt8], _ size: Int) -> [UInt8] {
            let count: [UInt8] = (0..<size).map { index in UInt8(bytes.count >> (8 * (size - 1 - index)) & 255) }
            return count + bytes
        }
        let list = name.map { prefixed([0] + prefixed(Array($0.utf8), 2), 2) }
        var extensions: [UInt8] = [0x00, 0x17, 0, 0]
        if let list { extensions += [0, 0] + prefixed(list, 2) }
        var body: [UInt8] = [3, 3] + [UInt8](repeating: 9, count: 32)
        body += prefixed([], 1) + prefixed([0x13, 1], 2)
        body += prefixed([0], 1) + prefixed(extensions, 2)
        let message: [UInt8] = [1] + prefixed(body, 3)
        var bytes: [UInt8] = []
        for start in stride(from: 0, to: message.count, by: records) {
            bytes += [22, 3, 1]
            bytes += prefixed(Array(message[start..<min(start + records, message.count)]), 2)
        }
        return bytes
    }

    // Rule: a closed tunnel is for its own server alone | the name was never read | 3 had none
    @Test func `the name that TLS asks for`() {
        for records in [1 << 14, 7, 1] {
            let bytes = Self.hello("Reach.example.com", records: records)
            #expect(HelloName(bytes) == .name("reach.example.com"), "\(records)")
            for count in 0..<bytes.count where HelloName(Array(bytes[..<count])) != .undecided {
                #expect(Bool(false), "\(records), \(count)")
            }
        }
        #expect(HelloName(Self.hello(nil)) == .none)
        #expect(HelloName(Array("SSH-2.0-x\r\n".utf8)) == .none)
        for index in 5..<Self.hello("a.example").count {
            var bytes = Self.hello("a.example")
            bytes[index] ^= 0xFF
            _ = HelloName(bytes)
        }
    }

    @Test func `authorities`() {
        #expect(Authority("API.example.com:8443") == Authority("api.example.com:8443"))
        #expect(Authority("api.example.com")?.host(.https) == Host(.https, "api.example.com", 443))
        #expect(Authority("[::1]:80")?.host(.http) == Host(.http, "::1", 80))
        for text in [
            "", ":443", "a@b", "a:b", "a:", "a:0", "a:65536", "a:0443x", "a b", "a/b", "[::1", "[::1]x", "[a]", "::1",
            "exämple.com", "a.", ".a", "a%2eb", "a\u{0}b", "a:443:443", "a\\b", "a:+80",
        ] { #expect(Authority(text) == nil, "\(text)") }
    }
}
