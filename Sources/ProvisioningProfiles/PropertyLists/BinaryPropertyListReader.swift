// SPDX-License-Identifier: Apache-2.0

import Foundation

/// Reads the binary form (`bplist00`), in which Info.plist stands in built apps. Values may be shared inside the file;
/// each use counts against the limits, so that a small file can't unfold into a large value.
struct BinaryPropertyListReader {
    private let file: BoundedBytes
    private let offsetsStart: Int
    private let offsetWidth: Int
    private let referenceWidth: Int
    private let objectCount: Int
    private var budget: PropertyListBudget
    private var unfolded = 0

    static func read(_ bytes: [UInt8], _ limits: PropertyListLimits) throws(ProfileError) -> PropertyList {
        let file = BoundedBytes(bytes, failingAs: .propertyList)
        guard bytes.starts(with: "bplist00".utf8), bytes.count >= 40 else {
            throw ProfileError(.propertyList, "a binary property list of another version, or cut short")
        }
        let trailer = try file.window(at: file.count - 32, count: 32)
        var reader = try BinaryPropertyListReader(file, trailer, limits)
        let top = try trailer.uint64(at: 16, .big)
        return try reader.value(reader.checked(top))
    }

    private init(_ file: BoundedBytes, _ trailer: BoundedBytes, _ limits: PropertyListLimits) throws(ProfileError) {
        offsetWidth = Int(try trailer.uint8(at: 6))
        referenceWidth = Int(try trailer.uint8(at: 7))
        let count = try trailer.uint64(at: 8, .big)
        let start = try trailer.uint64(at: 24, .big)
        guard (1...8).contains(offsetWidth), (1...8).contains(referenceWidth), count <= UInt64(file.count),
            start <= UInt64(file.count)
        else { throw ProfileError(.propertyList, "the trailer of the binary property list does not fit") }
        objectCount = Int(count)
        offsetsStart = Int(start)
        self.file = file
        budget = PropertyListBudget(limits)
    }

    private func checked(_ reference: UInt64) throws(ProfileError) -> Int {
        guard reference < UInt64(objectCount) else {
            throw ProfileError(.propertyList, "a reference to a value that is not there")
        }
        return Int(reference)
    }

    private func number(at offset: Int, width: Int) throws(ProfileError) -> UInt64 {
        try file.window(at: offset, count: width).bytes.reduce(0) { $0 << 8 | UInt64($1) }
    }

    private mutating func value(_ reference: Int) throws(ProfileError) -> PropertyList {
        try budget.value()
        let offset = try number(at: offsetsStart + reference * offsetWidth, width: offsetWidth)
        guard offset < UInt64(file.count) else { throw ProfileError(.propertyList, "a value outside the file") }
        let marker = try file.uint8(at: Int(offset))
        let start = Int(offset) + 1
        switch marker >> 4 {
        case 0x0: return try simple(marker)
        case 0x1: return .integer(try integer(at: start, width: 1 << Int(marker & 0x0F)))
        case 0x2: return .real(try real(at: start, width: 1 << Int(marker & 0x0F)))
        case 0x3: return .date(Date(timeIntervalSinceReferenceDate: try finite(real(at: start, width: 8))))
        case 0x4: return .data(try content(marker, start, unit: 1).array)
        case 0x5, 0x6: return .string(try text(marker, start))
        case 0xA: return .array(try array(marker, start))
        case 0xD: return .dictionary(try dictionary(marker, start))
        default: throw ProfileError(.propertyList, "a value of a type that property lists do not have")
        }
    }
}

extension BinaryPropertyListReader {
    private func simple(_ marker: UInt8) throws(ProfileError) -> PropertyList {
        guard marker == 0x08 || marker == 0x09 else {
            throw ProfileError(.propertyList, "a value of a type that property lists do not have")
        }
        return .boolean(marker == 0x09)
    }

    private func integer(at offset: Int, width: Int) throws(ProfileError) -> Int64 {
        guard width <= 8 else { throw ProfileError(.propertyList, "a number of more than 64 bits") }
        return Int64(bitPattern: try number(at: offset, width: width))
    }

    private func real(at offset: Int, width: Int) throws(ProfileError) -> Double {
        guard width == 4 || width == 8 else { throw ProfileError(.propertyList, "a number of an unknown width") }
        let bits = try number(at: offset, width: width)
        return width == 4 ? Double(Float(bitPattern: UInt32(truncatingIfNeeded: bits))) : Double(bitPattern: bits)
    }

    private func finite(_ value: Double) throws(ProfileError) -> Double {
        guard value.isFinite else { throw ProfileError(.propertyList, "a date that can't be read") }
        return value
    }

    /// The count of a container or string, which may follow as a number of its own, and where its content begins.
    private func count(_ marker: UInt8, _ start: Int) throws(ProfileError) -> (count: Int, start: Int) {
        guard marker & 0x0F == 0x0F else { return (Int(marker & 0x0F), start) }
        let intMarker = try file.uint8(at: start)
        guard intMarker >> 4 == 0x1, intMarker & 0x0F <= 3 else {
            throw ProfileError(.propertyList, "a length that can't be read")
        }
        let width = 1 << Int(intMarker & 0x0F)
        let count = try number(at: start + 1, width: width)
        guard count <= UInt64(file.count) else { throw ProfileError(.propertyList, "a length past the end") }
        return (Int(count), start + 1 + width)
    }

    private mutating func content(_ marker: UInt8, _ start: Int, unit: Int) throws(ProfileError) -> BoundedBytes {
        let (count, start) = try count(marker, start)
        unfolded += count * unit
        guard unfolded <= 4 * budget.limits.bytes else {
            throw ProfileError(.tooLarge, "a property list that unfolds to many times its size")
        }
        return try file.window(at: start, count: count * unit)
    }

    private mutating func text(_ marker: UInt8, _ start: Int) throws(ProfileError) -> String {
        let isASCII = marker >> 4 == 0x5
        let bytes = try content(marker, start, unit: isASCII ? 1 : 2).bytes
        let text: String?
        if isASCII {
            text = String(validating: bytes, as: UTF8.self)
        } else {
            let units = stride(from: bytes.startIndex, to: bytes.endIndex - 1, by: 2).map {
                UInt16(bytes[$0]) << 8 | UInt16(bytes[$0 + 1])
            }
            text = String(validating: units, as: UTF16.self)
        }
        guard let text else { throw ProfileError(.propertyList, "a text that can't be read") }
        return text
    }

    private mutating func array(_ marker: UInt8, _ start: Int) throws(ProfileError) -> [PropertyList] {
        try budget.enter()
        defer { budget.leave() }
        let (count, start) = try count(marker, start)
        var values: [PropertyList] = []
        for index in 0..<count {
            let reference = try number(at: start + index * referenceWidth, width: referenceWidth)
            values.append(try value(checked(reference)))
        }
        return values
    }

    private mutating func dictionary(_ marker: UInt8, _ start: Int) throws(ProfileError) -> [String: PropertyList] {
        try budget.enter()
        defer { budget.leave() }
        let (count, start) = try count(marker, start)
        var values: [String: PropertyList] = [:]
        for index in 0..<count {
            let key = try number(at: start + index * referenceWidth, width: referenceWidth)
            let reference = try number(at: start + (count + index) * referenceWidth, width: referenceWidth)
            guard case .string(let name) = try value(checked(key)) else {
                throw ProfileError(.propertyList, "a key that is no text")
            }
            guard values.updateValue(try value(checked(reference)), forKey: name) == nil else {
                throw ProfileError(.propertyList, "a key that stands twice")
            }
        }
        return values
    }
}
