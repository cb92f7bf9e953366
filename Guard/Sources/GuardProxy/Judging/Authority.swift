// SPDX-License-Identifier: Apache-2.0

/// The host and port of a request.
package struct Authority: Hashable, Sendable {
    package let name: String
    package let port: UInt16?

    /// `name`, `name:port`, `1.2.3.4:port` or `[address]:port`. Nil for anything else, among it user names, empty parts
    /// and names with other characters than letters, digits, dots, dashes and underscores of ASCII.
    package init?(_ text: some StringProtocol) {
        var name = Substring(text)
        var rest = Substring()
        if name.hasPrefix("[") {
            guard let end = name.firstIndex(of: "]") else { return nil }
            rest = name[name.index(after: end)...]
            name = name[name.index(after: name.startIndex)..<end]
            guard name.contains(":"), let address = Address(text: String(name)), address.bytes.count == 16 else {
                return nil
            }
        } else {
            if let colon = name.firstIndex(of: ":") {
                rest = name[colon...]
                name = name[..<colon]
            }
            guard (1...253).contains(name.utf8.count), name.utf8.allSatisfy(Self.isOfName), !name.hasSuffix("."),
                !name.hasPrefix(".")
            else { return nil }
        }
        var port: UInt16?
        if !rest.isEmpty {
            let digits = rest.dropFirst()
            guard rest.hasPrefix(":"), (1...5).contains(digits.utf8.count),
                digits.utf8.allSatisfy({ (48...57).contains($0) }), let number = UInt16(digits), number > 0
            else { return nil }
            port = number
        }
        self.name = name.lowercased()
        self.port = port
    }

    private static func isOfName(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"):
            true
        default: false
        }
    }

    package func host(_ scheme: Scheme) -> Host { Host(scheme, name, port ?? scheme.port) }
}
