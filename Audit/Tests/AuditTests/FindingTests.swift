// SPDX-License-Identifier: Apache-2.0

import Findings
import Testing

@Suite("Findings")
struct FindingTests {
    @Test("Places sort by file, then by line, then by column")
    func order() {
        #expect(Place(file: "A.swift", line: 2) < Place(file: "A.swift", line: 10))
        #expect(Place(file: "A.swift", line: 10) < Place(file: "B.swift", line: 1))
    }
}
