// SPDX-License-Identifier: Apache-2.0

/// Parameters of scrypt (RFC 7914), bounded because the library does not bound them.
package struct ScryptParameters: Equatable, Sendable {
    /// log2 of N.
    package let logRounds: UInt8
    package let parallelism: Int
    package var rounds: Int { 1 << Int(logRounds) }
    package var blockSize: Int { 8 }
    /// The bytes of memory that it needs.
    package var memory: Int { 128 * blockSize * rounds }
    var memoryLimit: Int { 128 * blockSize * (rounds + parallelism) + (1 << 20) }

    /// N = 2^17, r = 8, p = 1: about 0.4 s and 128 MiB.
    package static let standard = ScryptParameters(trusted: 17, 1)
    /// N = 2^16, for machines with little memory.
    package static let limitedMemory = ScryptParameters(trusted: 16, 1)
    /// For tests of everything but the KDF; refused when read from a file by a Home that was not opened for tests.
    package static let insecureForTests = ScryptParameters(trusted: 4, 1)

    private init(trusted logRounds: UInt8, _ parallelism: Int) {
        self.logRounds = logRounds
        self.parallelism = parallelism
    }

    /// Parameters read from a file: N 2^16...2^20, r = 8, p 1...4.
    package init(logRounds: UInt8, blockSize: UInt8, parallelism: UInt8, allowingInsecure: Bool = false) throws {
        let lowest: UInt8 = allowingInsecure ? 4 : 16
        guard (lowest...20).contains(logRounds), blockSize == 8, (1...4).contains(parallelism) else {
            throw SealingError.parametersRefused
        }
        self.init(trusted: logRounds, Int(parallelism))
    }
}
