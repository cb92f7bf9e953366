// SPDX-License-Identifier: Apache-2.0

@testable import DataProtection

extension KernelKeyring {
    /// Serials and names of the keys in the user's keyring, and in those keyrings that are in it.
    static func keys() throws -> [(serial: Int32, name: String)] {
        try keys(behind: "").filter { !$0.isRing }.map { ($0.serial, String(decoding: $0.rest, as: UTF8.self)) }
    }
}
