// SPDX-License-Identifier: Apache-2.0

import CPlatform

extension BootClock {
    /// The identifier of this boot; `unknownStart` if the system has none.
    static func identifier() -> UniqueIdentifier {
        var bytes = [UInt8](repeating: 0, count: 16)
        let result = unsafe bytes.withUnsafeMutableBufferPointer { unsafe zamok_boot_id($0.baseAddress) }
        return (result == 0 ? UniqueIdentifier(bytes: bytes) : nil) ?? BootInstant.unknownStart
    }

    /// The nanoseconds since the boot; nil if they can't be read.
    static func elapsed() -> UInt64? {
        let time = zamok_machine_time()
        return time < 0 ? nil : UInt64(time)
    }
}
