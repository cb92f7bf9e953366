// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import Guards

@Suite("The filter of system calls")
struct SyscallFilterTests {
    @Test(arguments: SyscallFilter.Machine.allCases)
    func `is a program that the kernel takes`(machine: SyscallFilter.Machine) {
        let program = SyscallFilter(machine).instructions
        #expect(SyscallFilter(machine).bytes.count == 8 * program.count)
        #expect(program.count < 4096)
        #expect(program.last?.code == 0x06)
        for (place, one) in program.enumerated() where one.code & 0x07 == 0x05 {
            #expect(place + 1 + Int(max(one.whenTrue, one.whenFalse)) < program.count)
        }
    }

    private func answer(_ machine: SyscallFilter.Machine, _ words: [UInt32]) -> UInt32 {
        let program = SyscallFilter(machine).instructions
        var (place, value) = (0, UInt32(0))
        while place < program.count {
            let one = program[place]
            place += 1
            let isTrue: Bool
            switch one.code {
            case 0x20:
                value = words[Int(one.k) / 4]
                continue
            case 0x06: return one.k
            case 0x15: isTrue = value == one.k
            case 0x25: isTrue = value > one.k
            case 0x35: isTrue = value >= one.k
            default: isTrue = value & one.k != 0
            }
            place += Int(isTrue ? one.whenTrue : one.whenFalse)
        }
        return 0
    }

    private func call(
        _ number: UInt32, _ first: UInt32 = 0, _ second: UInt32 = 0, _ audit: UInt32 = 0xC000_003E
    ) -> [UInt32] {
        [number, audit, 0, 0, first, 0, second, 0, 0, 0, 0, 0, 0, 0, 0, 0]
    }

    // Rule: no file gets the setuid or setgid bit | chmod and its kin might have any mode | it passed, in the guest too
    @Test func `permits what programs need, and refuses its table`() {
        let allow: UInt32 = 0x7FFF_0000
        for number: UInt32 in [0, 1, 2, 57, 59, 202, 257] { #expect(answer(.x86_64, call(number)) == allow) }
        for one in SyscallFilter.refused {
            if let number = one.number(.x86_64) { #expect(answer(.x86_64, call(number)) == 0x0005_0001, "\(one.name)") }
            if let number = one.number(.aarch64) {
                #expect(answer(.aarch64, call(number, 0, 0, 0xC000_00B7)) == 0x0005_0001, "\(one.name)")
            }
        }
        #expect(answer(.x86_64, call(56, 0x0120_0011)) == allow)
        #expect(answer(.x86_64, call(56, 0x1000_0011)) == 0x0005_0001)
        #expect(answer(.x86_64, call(272, 0x1000_0000)) == 0x0005_0001)
        #expect(answer(.x86_64, call(272, 0x0000_0400)) == allow)
        #expect(answer(.x86_64, call(435)) == 0x0005_0026)
        #expect(answer(.x86_64, call(16, 0, 0x5412)) == 0x0005_0001)
        #expect(answer(.x86_64, call(16, 0, 0x5413)) == allow)
        #expect(answer(.x86_64, call(41, 40)) == 0x0005_0061)
        #expect(answer(.x86_64, call(41, 2)) == allow)
        #expect(answer(.x86_64, call(53, 1)) == allow)
        #expect(answer(.x86_64, call(469)) == allow)
        #expect(answer(.x86_64, call(470)) == 0x0005_0026)
        #expect(answer(.x86_64, call(90, 0, 0o4755)) == 0x0005_0001)
        #expect(answer(.x86_64, call(90, 0, 0o2755)) == 0x0005_0001)
        #expect(answer(.x86_64, call(91, 0, 0o755)) == allow)
        #expect(answer(.x86_64, call(437)) == 0x0005_0026)
    }

    // Rule: no file is made with the setuid or setgid bit | open and openat might have any mode | both passed
    @Test(arguments: [(UInt32(2), 0), (257, 1)]) func `looks at the mode where a file is made`(
        number: UInt32, first: Int
    ) {
        func made(_ flags: UInt32, _ mode: UInt32) -> UInt32 {
            var words = call(number)
            (words[4 + 2 * (first + 1)], words[4 + 2 * (first + 2)]) = (flags, mode)
            return answer(.x86_64, words)
        }
        for bit: UInt32 in [0o4000, 0o2000] {
            #expect(made(0o101, 0o755 | bit) == 0x0005_0001)
            #expect(made(0o20_200_002, 0o755 | bit) == 0x0005_0001)
            // Without a file to make the mode is nothing, and some programs give any.
            #expect(made(0o1, 0o755 | bit) == 0x7FFF_0000)
        }
        #expect(made(0o101, 0o644) == 0x7FFF_0000)
    }

    @Test func `ends programs of another machine's calls`() {
        #expect(answer(.x86_64, call(1, 0, 0, 0x4000_0003)) == 0x8000_0000)
        #expect(answer(.x86_64, call(0x4000_0001)) == 0x8000_0000)
        #expect(answer(.aarch64, call(64)) == 0x8000_0000)
    }
}
