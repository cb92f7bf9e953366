// SPDX-License-Identifier: Apache-2.0

import SecretMemory

extension SecretBytes {
    /// The bytes of `bytes`, each XORed with the other one's.
    static func sum(_ first: borrowing SecretBytes, _ second: borrowing SecretBytes) throws -> SecretBytes {
        let count = first.count
        return try SecretBytes(count: count) { target in
            try first.withBytes { first in
                try second.withBytes { second in
                    for at in 0..<count {
                        target.storeBytes(of: first.byte(at) ^ second.byte(at), toByteOffset: at, as: UInt8.self)
                    }
                }
            }
        }
    }

    /// The bytes that `bytes` has, which are no secret, before these.
    borrowing func preceded(by bytes: [UInt8]) throws -> SecretBytes {
        try SecretBytes(copying: bytes).joined(with: self)
    }
}

extension RawSpan {
    /// The byte at an offset that the caller has checked.
    func byte(_ offset: Int) -> UInt8 { bigEndian(at: offset) ?? 0 }

    /// The word value of ten bits at a position that the caller has checked.
    func value(_ position: Int) -> UInt16 { bigEndian(at: 2 * position) ?? 0 }
}
