// SPDX-License-Identifier: Apache-2.0

package import TPMs

/// Commands that the product never gives, with empty authorisations, as the owner of the machine gives them.
extension SoftwareTPM {
    /// Undoes what the owner ever sealed.
    package func clear() throws { try command(0x126, handles: [0x4000_000C]) }

    /// Measures something into a register.
    package func measure(into register: UInt32) throws {
        try command(0x182, handles: [register], parameters: [0, 0, 0, 1, 0, 0x0B] + [UInt8](repeating: 7, count: 32))
    }

    /// Locked out from now on: not one wrong try is allowed.
    package func lockOut() throws { try allow(tries: 0) }

    /// As many wrong tries, one given back every hour.
    package func allow(tries: UInt8) throws {
        try command(0x13A, handles: [0x4000_000A], parameters: [0, 0, 0, tries, 0, 0, 0x0E, 0x10, 0, 0, 0x0E, 0x10])
    }

    /// Forgets the wrong tries, if the lockout has no authorisation.
    package func forgetTries() throws { try command(0x139, handles: [0x4000_000A]) }

    /// The numbers of all that is in its own memory (NV indices).
    package func indices() throws -> [UInt32] {
        let bytes = { (value: UInt32) in (0..<4).map { UInt8(truncatingIfNeeded: value >> (24 - 8 * UInt32($0))) } }
        let command = [0x80, 0x01] + [0, 0, 0, 22, 0, 0, 1, 0x7A, 0, 0, 0, 1] + bytes(0x0100_0000) + bytes(64)
        let answer = try way.connect().exchange(command, within: .seconds(30))
        guard answer.count >= 19 else { throw TPMError.silent }
        let numbers = Array(answer.dropFirst(19))
        return stride(from: 0, to: numbers.count, by: 4).map { start in
            numbers[start..<start + 4].reduce(0) { $0 << 8 | UInt32($1) }
        }.filter { $0 & 0xFFC0_0000 == 0x0180_0000 }
    }

    /// Removes an index as the owner of the machine does.
    package func removeIndex(_ number: UInt32) throws { try command(0x122, handles: [0x4000_0001, number]) }

    /// Takes all of its own memory, until not even a counter fits. The numbers of what was made.
    package func fill(from first: UInt32 = 0) throws -> [UInt32] {
        var made: [UInt32] = []
        for size in [1024, 128, 8] as [UInt16] {
            for _ in 0..<1000 {
                let number = 0x0150_0000 + first + UInt32(made.count)
                do { try defineIndex(number, size: size) } catch TPMError.refused(0x14B) { break }
                made.append(number)
            }
        }
        // For some counters a TPM keeps room that nothing else gets.
        for _ in 0..<100 {
            let number = 0x0150_0000 + first + UInt32(made.count)
            do { try defineIndex(number, size: 8, isCounter: true) } catch TPMError.refused(0x14B) { break }
            made.append(number)
        }
        return made
    }

    /// Makes an index that the owner reads and writes.
    private func defineIndex(_ number: UInt32, size: UInt16, isCounter: Bool = false) throws {
        let number = (0..<4).map { UInt8(truncatingIfNeeded: number >> (24 - 8 * UInt32($0))) }
        // No authorisation; SHA-256; OWNERWRITE, OWNERREAD, NO_DA; no policy.
        let kind: UInt8 = isCounter ? 0x12 : 0x02
        let area = number + [0, 0x0B, 0x02, 0x02, 0, kind, 0, 0, UInt8(size >> 8), UInt8(size & 0xFF)]
        try command(0x12A, handles: [0x4000_0001], parameters: [0, 0, 0, UInt8(area.count)] + area)
    }

    /// Keeps a key of the owner where systems keep the storage root key.
    package func keep(_ handle: UInt32, over line: any TPMTransport) throws {
        try command(0x120, handles: [0x4000_0001, handle], parameters: [0x81, 0, 0, 1], over: line)
    }

    private func command(
        _ code: UInt32, handles: [UInt32], parameters: [UInt8] = [], over line: (any TPMTransport)? = nil
    ) throws {
        let bytes = { (value: UInt32) in (0..<4).map { UInt8(truncatingIfNeeded: value >> (24 - 8 * UInt32($0))) } }
        let password: [UInt8] = [0, 0, 0, 9, 0x40, 0, 0, 9, 0, 0, 1, 0, 0]
        let body = handles.flatMap(bytes) + password + parameters
        let command = [0x80, 0x02] + bytes(UInt32(10 + body.count)) + bytes(code) + body
        let answer = try (line ?? way.connect()).exchange(command, within: .seconds(30))
        guard answer.count >= 10, answer[6..<10].allSatisfy({ $0 == 0 }) else {
            throw TPMError.refused(answer.dropFirst(6).prefix(4).reduce(0) { $0 << 8 | UInt32($1) })
        }
    }
}
