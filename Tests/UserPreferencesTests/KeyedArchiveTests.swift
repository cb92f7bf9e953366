// SPDX-License-Identifier: Apache-2.0

import Foundation
import Readers
import TestSupport
import Testing

@testable import UserPreferences

@Suite("Keyed archives, made by Foundation's archiver")
struct KeyedArchiveTests {
    static let date = Date(timeIntervalSinceReferenceDate: 700_000_000.25)

    // Without 0 and 1: Foundation on Linux writes equal numbers once, and true equals 1 there, so that such an archive
    // itself no longer tells which was meant.
    static var values: [String: Any] {
        [
            "name": "Анна", "size": 12, "negative": -3, "large": Int64.max, "ratio": 0.5, "on": true, "off": false,
            "when": date, "raw": Data([0, 1, 2, 255]), "list": ["a", 7, ["b": true]] as [Any], "empty": [String: Any](),
            "nested": ["deep": ["deeper": ["value": 8]]],
        ]
    }

    static func archive(_ values: [String: Any], secure: Bool) throws -> [UInt8] {
        Array(try NSKeyedArchiver.archivedData(withRootObject: values, requiringSecureCoding: secure))
    }

    static func read(_ bytes: [UInt8]) throws -> PropertyListReader.Content { try PropertyListReader.read(bytes) }

    @Test(arguments: [true, false])
    func `all property-list types come back`(secure: Bool) throws {
        let archive = try Self.read(try Self.archive(Self.values, secure: secure))
        #expect(archive.rejections.isEmpty)
        let expected: [String: PropertyValue] = [
            "name": .string("Анна"), "size": .integer(12), "negative": .integer(-3), "large": .integer(.max),
            "ratio": .real(0.5), "on": .boolean(true), "off": .boolean(false), "when": .date(700_000_000.25),
            "raw": .data([0, 1, 2, 255]),
            "list": .array([.string("a"), .integer(7), .dictionary(["b": .boolean(true)])]), "empty": .dictionary([:]),
            "nested": .dictionary(["deep": .dictionary(["deeper": .dictionary(["value": .integer(8)])])]),
        ]
        for (key, value) in expected { #expect(archive.values[key] == value, "\(key)") }
        #expect(archive.values.count == expected.count)
    }

    @Test func `a class outside the property-list types costs its key alone, and is named`() throws {
        let values: [String: Any] = [
            "keep": 1, "link": NSURL(string: "https://example.com") as Any, "nested": ["set": NSSet(array: [1])],
        ]
        let archive = try Self.read(try Self.archive(values, secure: false))
        #expect(archive.values == ["keep": .integer(1)])
        #expect(Set(archive.rejections.map(\.key)) == ["link", "nested"])
        #expect(Set(archive.rejections.map(\.type)) == ["NSURL", "NSSet"])
    }

    @Test func `an archive that is cut short or is garbage is refused`() throws {
        let bytes = try Self.archive(Self.values, secure: true)
        for count in [0, 7, 8, 39, bytes.count / 2, bytes.count - 33, bytes.count - 1] {
            #expect(throws: ReadingError.self) { try Self.read(Array(bytes.prefix(count))) }
        }
        #expect(
            #expect(throws: ReadingError.self) { try Self.read([UInt8](repeating: 7, count: 500)) }?.code
                == .unknownForm)
    }

    @Test func `a root that is no dictionary is refused`() throws {
        let bytes = Array(try NSKeyedArchiver.archivedData(withRootObject: ["a"], requiringSecureCoding: true))
        #expect(#expect(throws: ReadingError.self) { try Self.read(bytes) }?.code == .noDictionary)
    }

    @Test func `a plain property list is not taken for an archive`() throws {
        let data = try PropertyListSerialization.data(fromPropertyList: ["a": 1], format: .binary, options: 0)
        #expect(try Self.read(Array(data)).values == ["a": .integer(1)])
    }

    // Rule: an archive that refers to itself is refused as such | not looked at | "too large" in place of it
    @Test func `an array that holds itself is refused`() throws {
        var bytes = try Self.archive(["outer": ["inner", "second"] as [Any]], secure: false)
        // The array's members are references (80 NN) that follow each other; let one name each object in turn.
        var refused: Set<ReadingError.Code> = []
        for index in bytes.indices where bytes[index] == 0x80 && index + 1 < bytes.count {
            let kept = bytes[index + 1]
            for target in UInt8(1)..<8 {
                bytes[index + 1] = target
                do { _ = try Self.read(bytes) } catch let error as ReadingError { refused.insert(error.code) }
            }
            bytes[index + 1] = kept
        }
        #expect(refused.contains(.cyclic))
    }

    @Test func `hostile variants never trap`() throws {
        let environment = ProcessInfo.processInfo.environment
        var mutator = Mutator(
            corpus: [
                try Self.archive(Self.values, secure: true), try Self.archive(["a": ["b": [1, 2]]], secure: false),
            ],
            seed: FuzzBudget.seed(environment: environment))
        var refused = 0
        let inputs = FuzzBudget.inputs(environment: environment, bounded: 20_000)
        for _ in 0..<inputs {
            do { _ = try Self.read(mutator.next()) } catch { refused += 1 }
        }
        #expect(refused > inputs / 3)
    }
}
