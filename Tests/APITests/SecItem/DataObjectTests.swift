// SPDX-License-Identifier: Apache-2.0

import Foundation
import SecItem
import Testing

/// Foundation makes `Data` of an object by all its bytes at once if it has them contiguous. Otherwise it copies one by
/// one, a thousand times as slow.
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

    @Test func `the functions of CFData copy, lend, and use bytes where they are`() throws {
        let bytes: [UInt8] = [1, 2, 3]
        let copied = try #require(unsafe CFDataCreate(kCFAllocatorDefault, bytes, 3))
        #expect(CFDataGetLength(copied) == 3)
        #expect(unsafe CFDataGetBytePtr(copied)[2] == 3)
        let buffer = UnsafeMutablePointer<UInt8>.allocate(capacity: 3)
        defer { unsafe buffer.deallocate() }
        unsafe buffer.initialize(repeating: 7, count: 3)
        let lent = try #require(unsafe CFDataCreateWithBytesNoCopy(nil, buffer, 3, kCFAllocatorNull))
        #expect(unsafe CFDataGetBytePtr(lent) == UnsafePointer(buffer))
        #expect(lent as Data == Data([7, 7, 7]))
        #expect(unsafe CFDataCreateWithBytesNoCopy(nil, buffer, -1, kCFAllocatorNull) == nil)
        #expect(CFGetTypeID(NSSet() as CFSet) == CFSetGetTypeID())
    }
}
