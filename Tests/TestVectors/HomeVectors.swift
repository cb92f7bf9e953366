// SPDX-License-Identifier: Apache-2.0

/// The vectors of device secret, epoch and keybag: a good home, and one fault each.
///
/// `expect` is "opens" or "unlocks", or the error's code and words of its message; `layer` where the fault is noticed.
package enum HomeVectors {
    /// By format and name.
    package static func all() throws -> [String: [String: VectorFile]] {
        ["DeviceSecret": try deviceSecret(), "Epoch": try epoch(), "Keybag": try keybag()]
    }

    static func home(_ expect: String, _ layer: String, _ writer: KeybagWriter) throws -> VectorFile {
        var vector = VectorFile()
        vector.header = ["expect": expect, "layer": layer]
        if let passcode = writer.passcode { vector.header["passcode"] = passcode }
        vector.files = [
            "device-secret": try writer.deviceSecretFile(), "epoch": writer.epochFile(),
            "keybag": try writer.keybagFile(),
            "attempts": try writer.attemptsFile(),
        ]
        return vector
    }

    static func edited(
        _ name: String, _ expect: String, _ layer: String, _ change: (inout [UInt8]) -> Void
    ) throws -> VectorFile {
        var vector = try home(expect, layer, try KeybagWriter(passcode: nil))
        var bytes = vector.files[name] ?? []
        change(&bytes)
        vector.files[name] = bytes
        return vector
    }

    private static func deviceSecret() throws -> [String: VectorFile] {
        func faulty(_ expect: String, _ change: (inout [UInt8]) -> Void) throws -> VectorFile {
            try edited("device-secret", expect, "device secret", change)
        }
        return [
            "good": try home("opens", "none", try KeybagWriter(passcode: nil)),
            "magic": try faulty("damaged: device secret") { $0[0] ^= 0x20 },
            "version-0": try faulty("damaged: device secret") { $0[8] = 0 },
            "version-2": try faulty("newerFormat: newer version") { $0[8] = 2 },
            "reserved-not-zero": try faulty("damaged: device secret") { $0[15] = 1 },
            "secret-changed": try faulty("damaged: device secret") { $0[20] ^= 1 },
            "check-value-changed": try faulty("damaged: device secret") { $0[63] ^= 1 },
            "too-short": try faulty("missingDeviceSecret: cut short") { $0.removeLast() },
            "magic-alone": try faulty("damaged: device secret") { $0.removeLast(56) },
            "empty": try faulty("missingDeviceSecret: empty") { $0 = [] },
            "too-long": try faulty("damaged: device secret") { $0.append(0) },
            "zero-secret": try faulty("damaged: device secret") { for index in 16..<48 { $0[index] = 0 } },
            "of-another-home": try otherSecret(),
        ]
    }

    private static func otherSecret() throws -> VectorFile {
        var other = try KeybagWriter(passcode: nil)
        other.secret = KeybagWriter.pattern(200, 32)
        let file = try other.deviceSecretFile()
        return try edited("device-secret", "damaged: of another home", "keybag HMAC") { $0 = file }
    }

    private static func epoch() throws -> [String: VectorFile] {
        func faulty(_ expect: String, _ layer: String = "epoch", _ change: (inout [UInt8]) -> Void) throws -> VectorFile
        {
            try edited("epoch", expect, layer, change)
        }
        var second = try KeybagWriter(passcode: nil)
        second.epochSlot = 1
        return [
            "good": try home("opens", "none", try KeybagWriter(passcode: nil)),
            "good-second-slot": try home("opens", "none", second),
            "magic": try faulty("damaged: epoch") { $0[7] ^= 0x20 },
            "version-0": try faulty("damaged: epoch") { $0[8] = 0 },
            "version-2": try faulty("newerFormat: newer version") { $0[8] = 2 },
            "reserved-not-zero": try faulty("damaged: epoch") { $0[9] = 1 },
            "too-short": try faulty("damaged: epoch") { $0.removeLast() },
            "too-long": try faulty("damaged: epoch") { $0.append(0) },
            "header-alone": try faulty("damaged: epoch") { $0.removeLast(12272) },
            "empty": try faulty("damaged: epoch") { $0 = [] },
            "slot-changed": try faulty("damaged: of another home", "keybag HMAC") { $0[4096] ^= 1 },
            "slots-exchanged": try faulty("restoredCopy: don't belong together", "epoch") { bytes in
                for offset in 0..<4096 { bytes.swapAt(4096 + offset, 8192 + offset) }
            },
            "both-slots-empty": try faulty("erased: being erased") { for index in 4096..<8192 { $0[index] = 0 } },
            "other-slot-left-over": try faulty("opens", "none") { for index in 8192..<8224 { $0[index] = 9 } },
            "unused-bytes-not-zero": try faulty("opens", "none") { $0[5000] = 1 },
            "generation-above-the-keybag": try faulty("opens", "none") { $0[4096 + 39] = 200 },
            "generation-above-and-slot-changed": try faulty("restoredCopy: don't belong together", "keybag HMAC") {
                $0[4096] ^= 1
                $0[4096 + 39] = 200
            },
        ]
    }
}
