// SPDX-License-Identifier: Apache-2.0

import CTestSupport
import SecretMemory

extension SecretScenario {
    /// Writes where only broken code would, and says so when nothing noticed.
    static func overrun(_ place: String) throws {
        let count = place == "large" ? 65536 : 32
        do {
            let secret = try SecretBytes.random(count: count)
            try secret.withBytes { span in
                unsafe span.withUnsafeBytes { bytes in
                    guard let start = unsafe UnsafeMutableRawPointer(mutating: bytes.baseAddress) else { return }
                    switch place {
                    // The canary takes the first 8 bytes. The page behind it may not be accessed.
                    case "large": unsafe start.storeBytes(of: 1, toByteOffset: count + 8, as: UInt8.self)
                    case "up":
                        for at in 0..<(1 << 20) { unsafe start.storeBytes(of: 1, toByteOffset: at, as: UInt8.self) }
                    case "down":
                        for at in 0..<(1 << 20) { unsafe start.storeBytes(of: 1, toByteOffset: -at, as: UInt8.self) }
                    default: unsafe start.storeBytes(of: 1, toByteOffset: count, as: UInt8.self)
                    }
                }
            }
        }
        Conversation.say("not noticed")
    }
}
