// SPDX-License-Identifier: Apache-2.0

import Foundation
import Readers
import TestSupport
import Testing

@testable import UserPreferences

/// Files that are small and would be large in memory, or take for ever, if what they share were read at each use.
@Suite("Property lists and archives that unfold", .timeLimit(.minutes(15)))
struct HostileListTests {
    struct Bomb: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let bytes: [UInt8]
        let error: ReadingError.Code
    }

    static let bombs = [
        Bomb(testDescription: "bytes that an archive uses 60,000 times", bytes: sharedBytes(), error: .tooLarge),
        Bomb(testDescription: "a class of 5,000 fields, looked up 400 times", bytes: largeClass(), error: .malformed),
        Bomb(testDescription: "an archive of 16 levels of 16", bytes: tower(archive: true), error: .tooLarge),
        Bomb(testDescription: "a list of 16 levels of 16", bytes: tower(archive: false), error: .tooLarge),
        Bomb(testDescription: "a list of 2,000,000 references", bytes: manyReferences(), error: .tooLarge),
        Bomb(testDescription: "texts that lie on each other", bytes: overlapping(), error: .malformed),
        Bomb(testDescription: "containers that lie on each other", bytes: overlappingContainers(), error: .tooLarge),
        Bomb(testDescription: "a length of 2^62", bytes: hugeLength(), error: .malformed),
        Bomb(testDescription: "a table at 2^62", bytes: hugeTable(), error: .malformed),
        Bomb(testDescription: "a list that holds itself", bytes: cyclic(), error: .cyclic),
        Bomb(testDescription: "a date that is no number", bytes: date(.nan), error: .noDate),
        Bomb(testDescription: "a date of the year 10000", bytes: date(252_423_993_600), error: .noDate),
        Bomb(testDescription: "an archive's date without end", bytes: archivedDate(.infinity), error: .noDate),
    ]

    // Rule: references are counted by the size of the file | counted as sixteen times the values | a class of 5,000
    //   fields went on for 49 s
    // Rule: dates that no calendar has are refused | taken | 3 dates; also "looking for files that can be imported ends
    //   ..."
    @Test(arguments: bombs)
    func `a file that unfolds is refused at once`(bomb: Bomb) throws {
        let began = ContinuousClock.now
        #expect(#expect(throws: ReadingError.self) { try PropertyListReader.read(bomb.bytes) }?.code == bomb.error)
        #expect(ContinuousClock.now - began < .seconds(40))
    }

    @Test func `looking for files that can be imported ends, in any folder`() throws {
        let folder = try TemporaryFolder()
        for (number, bomb) in Self.bombs.enumerated() {
            try Data(bomb.bytes).write(to: folder.url.appending(path: "bomb\(number).plist"))
        }
        #expect(unsafe mkfifo(folder.path("pipe.plist"), 0o600) == 0)
        var good = ListRecipe()
        let entry = (key: good.text("key"), value: good.text("value"))
        let root = good.dictionary([entry])
        try Data(good.finished(root: root)).write(to: folder.url.appending(path: "good.plist"))
        let found = Preferences.importableFiles(in: folder.path).filter { $0.hasPrefix(folder.path) }
        #expect(found == [folder.path("good.plist")])
    }

    @Test func `what is shared within the limits is read, and what is no value costs its own entry`() throws {
        var list = ListRecipe()
        let text = list.text("a text of more than sixteen bytes")
        let number = list.add([0x14] + [UInt8](repeating: 0, count: 8) + [UInt8](repeating: 0xFF, count: 8))
        let shared = list.array([text, text, list.add([0x09])])
        let odd = list.array([number])
        let entries = [
            ("a", shared), ("b", shared), ("c", odd), ("d", odd), ("e", list.uid(1)), ("f", list.add([0x00])),
        ]
        let root = list.dictionary(entries.map { (key: list.text($0.0), value: $0.1) })
        let content = try PropertyListReader.read(list.finished(root: root))
        let value = PropertyValue.array(
            [
                .string("a text of more than sixteen bytes"), .string("a text of more than sixteen bytes"),
                .boolean(true),
            ])
        #expect(content.values == ["a": value, "b": value])
        #expect(content.rejections.map(\.key) == ["c", "d", "e", "f"])
        let large = "<array><integer>18446744073709551615</integer></array>"
        let xml = "<plist><dict><key>a</key>\(large)<key>b</key><true/></dict></plist>"
        let read = try PropertyListReader.read(Array(xml.utf8))
        #expect(read.values == ["b": .boolean(true)] && read.rejections.map(\.key) == ["a"])
    }

    @Test(arguments: ["not-a-date", "2023-02-29T00:00:00Z", "2023-13-01T00:00:00Z", "0000-01-01T00:00:00Z", ""])
    func `a date that is none is refused as such`(text: String) {
        let xml = "<plist><dict><key>a</key><date>\(text)</date></dict></plist>"
        #expect(#expect(throws: ReadingError.self) { try PropertyListReader.read(Array(xml.utf8)) }?.code == .noDate)
    }

    @Test func `a preference can't be set to a date that is none`() throws {
        let place = TemporaryHome()
        let preferences = try Preferences(home: try place.open())
        for seconds in [Double.nan, .infinity, 1e300, -63_114_076_801] {
            let date = Date(timeIntervalSinceReferenceDate: seconds)
            #expect(throws: PreferencesError(.invalidArgument, "")) { try preferences.set(date, forKey: "when") }
        }
        try preferences.set(Date.distantPast, forKey: "past")
        try preferences.set(Date.distantFuture, forKey: "future")
        #expect(try preferences.date(forKey: "past") == .distantPast)
        #expect(try preferences.dictionaryRepresentation().count == 2)
    }

    @Test func `hostile variants of lists and archives never trap, and cost little`() throws {
        let archive = try KeyedArchiveTests.archive(KeyedArchiveTests.values, secure: true)
        let binary = try PropertyListSerialization.data(
            fromPropertyList: KeyedArchiveTests.values, format: .binary, options: 0)
        let xml = try PropertyListSerialization.data(
            fromPropertyList: KeyedArchiveTests.values, format: .xml, options: 0)
        let corpus = [archive, Array(binary), Array(xml), Self.tower(archive: true), Self.tower(archive: false)]
        let run = FuzzRun.tried("property lists", corpus: corpus, bounded: 20_000) {
            _ = try PropertyListReader.read(Array($0))
            return true
        }
        #expect(run.refused > run.inputs / 3)
    }
}

// MARK: - Files

extension HostileListTests {
    /// 122 KB that held 6 GB.
    private static func sharedBytes() -> [UInt8] {
        var archive = ArchiveRecipe()
        let (array, dictionary) = (archive.type("NSArray"), archive.type("NSDictionary"))
        let data = archive.object(archive.list.data(100_000))
        let items = archive.list.array([Int](repeating: data, count: 600))
        let inner = archive.instance(array, [("NS.objects", items)])
        let outer = archive.list.array([Int](repeating: inner, count: 100))
        let root = entry(archive.instance(array, [("NS.objects", outer)]), dictionary, &archive)
        return archive.finished(root: root)
    }

    private static func entry(_ value: Int, _ type: Int, _ archive: inout ArchiveRecipe) -> Int {
        let key = archive.object(archive.list.text("key"))
        let (keys, values) = (archive.list.array([key]), archive.list.array([value]))
        return archive.instance(type, [("NS.keys", keys), ("NS.objects", values)])
    }

    /// Each of 400 classes is the same one.
    private static func largeClass() -> [UInt8] {
        var archive = ArchiveRecipe()
        let (array, dictionary) = (archive.type("NSArray"), archive.type("NSDictionary"))
        let name = archive.list.text("NSDate")
        var items: [Int] = []
        let time = archive.list.add([0x23] + [UInt8](repeating: 0, count: 8))
        var classes: [Int] = []
        let fields = (0..<5_000).map { (key: archive.list.text("f\($0)"), value: name) }
        let description = archive.list.dictionary([(key: archive.name("$classname"), value: name)] + fields)
        for _ in 0..<400 { classes.append(archive.object(description)) }
        for number in 0..<5_000 {
            items.append(archive.instance(classes[number % classes.count], [("NS.time", time)]))
        }
        let all = archive.list.array(items)
        let root = entry(archive.instance(array, [("NS.objects", all)]), dictionary, &archive)
        return archive.finished(root: root)
    }

    private static func tower(archive: Bool) -> [UInt8] {
        var recipe = ArchiveRecipe()
        guard !archive else {
            let (array, dictionary) = (recipe.type("NSArray"), recipe.type("NSDictionary"))
            var level = recipe.object(recipe.list.text("x"))
            for _ in 0..<16 {
                let items = recipe.list.array([Int](repeating: level, count: 16))
                level = recipe.instance(array, [("NS.objects", items)])
            }
            let root = entry(level, dictionary, &recipe)
            return recipe.finished(root: root)
        }
        var list = ListRecipe()
        var level = list.text("x")
        for _ in 0..<16 { level = list.array([Int](repeating: level, count: 16)) }
        let root = list.dictionary([(key: list.text("key"), value: level)])
        return list.finished(root: root)
    }

    private static func manyReferences() -> [UInt8] {
        var list = ListRecipe()
        let yes = list.add([0x09])
        let items = list.array([Int](repeating: yes, count: 2_000_000))
        let root = list.dictionary([(key: list.text("key"), value: items)])
        return list.finished(root: root)
    }

    private static func overlapping() -> [UInt8] {
        var list = ListRecipe()
        let text = list.text(String(repeating: "x", count: 1_000_000))
        let items = (0..<20_000).map { _ in list.again(text) }
        let root = list.dictionary([(key: list.text("key"), value: list.array(items))])
        return list.finished(root: root)
    }

    private static func overlappingContainers() -> [UInt8] {
        var list = ListRecipe()
        let yes = list.add([0x09])
        let row = list.array([Int](repeating: yes, count: 100_000))
        let rows = (0..<100_000).map { _ in list.again(row) }
        let root = list.dictionary([(key: list.text("key"), value: list.array(rows))])
        return list.finished(root: root)
    }

    private static func hugeLength() -> [UInt8] {
        var list = ListRecipe()
        let items = list.add([0xAF, 0x13, 0x40] + [UInt8](repeating: 0, count: 7))
        let root = list.dictionary([(key: list.text("key"), value: items)])
        return list.finished(root: root)
    }

    private static func hugeTable() -> [UInt8] {
        var bytes = tower(archive: false)
        for index in [24, 16, 8] { bytes[bytes.count - index] = 0x40 }
        return bytes
    }

    private static func cyclic() -> [UInt8] {
        var list = ListRecipe()
        let items = list.array([list.count])
        let root = list.dictionary([(key: list.text("key"), value: items)])
        return list.finished(root: root)
    }

    private static func real(_ value: Double) -> [UInt8] {
        (0..<8).reversed().map { UInt8(truncatingIfNeeded: value.bitPattern >> ($0 * 8)) }
    }

    private static func date(_ seconds: Double) -> [UInt8] {
        var list = ListRecipe()
        let date = list.add([0x33] + real(seconds))
        let root = list.dictionary([(key: list.text("key"), value: date)])
        return list.finished(root: root)
    }

    private static func archivedDate(_ seconds: Double) -> [UInt8] {
        var archive = ArchiveRecipe()
        let (type, dictionary) = (archive.type("NSDate"), archive.type("NSDictionary"))
        let time = archive.list.add([0x23] + real(seconds))
        let root = entry(archive.instance(type, [("NS.time", time)]), dictionary, &archive)
        return archive.finished(root: root)
    }
}
