// SPDX-License-Identifier: Apache-2.0

import CPlatform

extension BootClock {
    /// Zeros where the system has no such thing; every start then looks like the same one.
    static func identifier() -> UniqueIdentifier {
        var bytes = [UInt8](repeating: 0, count: 16)
        let result = unsafe bytes.withUnsafeMutableBufferPointer { unsafe zamok_boot_id($0.baseAddress) }
        return (result == 0 ? UniqueIdentifier(bytes: bytes) : nil) ?? UniqueIdentifier(high: 0, low: 0)
    }

    static func elapsed() -> UInt64 { UInt64(max(0, zamok_boot_time())) }
}
