// SPDX-License-Identifier: Apache-2.0

import DataProtection
import KeychainEngine
package import SecretMemory

/// The answer of a credential helper to its caller: bytes for standard output, one message line, an exit status.
package struct HelperAnswer: Sendable {
    /// Parts for standard output, written one after another.
    package var output: [Secret] = []
    /// Text for standard error, written unchanged.
    package var aside: Secret?
    /// Text for standard error, prefixed with the program's name.
    package var message: String?
    package var status: Int32 = 0

    init() {}

    init(_ text: String, message: String? = nil, status: Int32 = 0) throws {
        output = [try Secret(copying: Array(text.utf8))]
        self.message = message
        self.status = status
    }

    mutating func append(_ text: String) throws { output.append(try Secret(copying: Array(text.utf8))) }
}

/// The text for errors that keep a credential helper from answering.
package enum HelperFailure {
    /// The message to show for an error. Nil: an internal error, to be rethrown.
    static func text(_ error: any Error) -> String? {
        let error = KeychainError(error)
        guard error.code != .internalComponent else { return nil }
        // After too many wrong passcodes, the error's own message says how long to wait.
        let hasToWait = (error.cause as? DataProtectionError)?.code == .tooManyAttempts
        guard error.code == .locked, !hasToWait else { return error.message }
        return (error.cause as? DataProtectionError)?.code == .interactionNotAllowed
            ? "the item asks for the passcode each time, and no prompt is possible here; name a file in ZAMOK_PASSCODE_FILE"
            : "the keychain is locked; run: zamok unlock"
    }
}

/// JSON strings, read from and written to secret memory.
enum JSONText {
    /// The secret as a quoted JSON string. Nil: it isn't UTF-8.
    static func quoted(_ secret: Secret) throws -> Secret? {
        guard try String(exposing: secret) != nil else { return nil }
        let count = secret.count
        return try secret.withBytes { span in
            var size = 2
            for place in 0..<count { size += escaped(span.bigEndian(at: place, as: UInt8.self) ?? 0).count }
            return Secret(
                try SecretBytes(count: size) { target in
                    var end = 0
                    func put(_ byte: UInt8, _ target: inout MutableRawSpan) {
                        target.storeBytes(of: byte, toByteOffset: end, as: UInt8.self)
                        end += 1
                    }
                    put(UInt8(ascii: "\""), &target)
                    for place in 0..<count {
                        for byte in escaped(span.bigEndian(at: place, as: UInt8.self) ?? 0) { put(byte, &target) }
                    }
                    put(UInt8(ascii: "\""), &target)
                })
        }
    }

    static func quoted(_ text: String) -> String {
        "\"" + String(decoding: text.utf8.flatMap(escaped), as: UTF8.self) + "\""
    }

    /// Appends a text as a quoted JSON string.
    static func quote(_ text: String, to bytes: inout [UInt8]) {
        bytes.append(UInt8(ascii: "\""))
        for byte in text.utf8 {
            if byte >= 0x20, byte != 0x22, byte != 0x5C, byte != 0x7F {
                bytes.append(byte)
            } else {
                bytes += escaped(byte)
            }
        }
        bytes.append(UInt8(ascii: "\""))
    }

    /// Escapes a byte (RFC 8259, section 7).
    private static func escaped(_ byte: UInt8) -> [UInt8] {
        switch byte {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"): return [UInt8(ascii: "\\"), byte]
        case 0..<0x20, 0x7F:
            let digits = Array("0123456789abcdef".utf8)
            return Array("\\u00".utf8) + [digits[Int(byte >> 4)], digits[Int(byte & 15)]]
        default: return [byte]
        }
    }
}
