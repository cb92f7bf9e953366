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
