// SPDX-License-Identifier: Apache-2.0

import TPMs
import Testing

struct TPMAddressTests {
    @Test(arguments: ["device:/dev/tpmrm0", "swtpm:/run/user/1000/chip.sock"])
    func `a way reads as it was written`(_ text: String) {
        #expect(TPMAddress(text)?.description == text)
    }

    // Rule: a way to a TPM is an absolute path of a kind that is known | relative paths taken | 1 of 8
    @Test(arguments: [
        "", "/dev/tpmrm0", "device:", "device:/", "device:tpmrm0", "tcp:/x", "swtpm:/a\nb",
        "swtpm:/" + String(repeating: "a", count: 260),
    ])
    func `anything else is refused`(_ text: String) {
        #expect(TPMAddress(text) == nil)
    }
}
