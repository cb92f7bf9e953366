// SPDX-License-Identifier: Apache-2.0

import DataProtection
import KeychainEngine
package import SecretMemory

/// What a door answers to the program that called it: bytes on standard output, one line for a person, a status.
package struct DoorAnswer: Sendable {
    /// Written one after another.
    package var output: [Secret] = []
    /// For standard error, as it is.
    package var aside: Secret?
    /// For standard error, behind the program's name.
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

/// What keeps a door from answering.
package enum DoorFailure {
    /// What a person reads of it; nil: an error of another kind, to be thrown on.
    static func text(_ error: any Error) -> String? {
        let error = KeychainError(error)
        guard error.code != .internalComponent else { return nil }
        // Who has to wait after wrong passcodes is told how long.
        let hasToWait = (error.cause as? DataProtectionError)?.code == .tooManyAttempts
        guard error.code == .locked, !hasToWait else { return error.message }
        return (error.cause as? DataProtectionError)?.code == .interactionNotAllowed
            ? "the item asks for the passcode each time, and nobody is asked here; name a file in ZAMOK_PASSCODE_FILE"
            : "the keychain is locked; run: zamok unlock"
    }
}

/// Text in JSON, from secret memory into secret memory.
enum JSONText {
    /// Quoted. Nil where it is not UTF-8.
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

    /// RFC 8259, section 7.
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
