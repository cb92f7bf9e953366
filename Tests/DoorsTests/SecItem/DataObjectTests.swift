// SPDX-License-Identifier: Apache-2.0

import Foundation
import SecItem
import Testing

/// Foundation makes `Data` of an object by its bytes together if it has them, and one by one else, a thousand times as slow.
@Suite struct DataObjectTests {
    // Rule: an NSData lends its bytes together, and becomes the same `Data` | the conformance removed | 5 of 5 sizes
    @Test(arguments: [0, 1, 31, 4_096, 1_000_003])
    func `An object of data lends its bytes together, and becomes the same data`(_ count: Int) throws {
        let bytes = Data((0..<count).map { UInt8(truncatingIfNeeded: $0) })
        for object in [NSData(data: bytes), NSMutableData(data: bytes), bytes as NSData] {
            let lender = try #require(object as Any as? any ContiguousBytes)
            #expect(unsafe lender.withUnsafeBytes { unsafe Data($0) } == bytes)
            #expect(object as Data == bytes)
            #expect(Data(referencing: object) == bytes)
        }
    }

    @Test func `Data made of an object that can change stays as it was`() {
        let object = NSMutableData(data: Data([1, 2, 3]))
        let copy = object as Data
        object.resetBytes(in: NSRange(location: 0, length: 3))
        #expect(copy == Data([1, 2, 3]))
        #expect(object as Data == Data(count: 3))
    }
}
