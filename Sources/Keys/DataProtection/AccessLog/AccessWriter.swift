// SPDX-License-Identifier: Apache-2.0

import Files
import Sealing
import SecretMemory

/// Appends lines to the access log. The caller holds the lock.
struct AccessWriter: ~Copyable {
    private let folder: HomeFolder
    /// The home's path, for messages.
    private let home: String
    private let settings: AccessLogSettings
    private let form: AccessSegment
    private let key: Secret
    private let tailFile: OpenFile
    private var opened: AccessLogTail.Opened
    private var pending: [UInt8] = []
    private var pendingStart: UInt64 = 0

    /// Errors: `.damaged` (no tail that opens), those of reading.
    init(_ folder: HomeFolder, _ settings: AccessLogSettings, _ key: Secret, home: String) throws {
        (self.folder, self.settings, self.key, self.home) = (folder, settings, key, home)
        form = AccessSegment(log: settings.log, home: settings.home)
        guard let file = try folder.openFile(AccessLogTail.fileName(settings.log), .change),
            let opened = try AccessLogTail.read(file, key, settings.home), opened.tail.log == settings.log
        else { throw AccessLog.missing(home) }
        tailFile = file
        self.opened = opened
    }

    /// The number of the next line.
    var next: UInt64 { opened.tail.next }

    /// Adds to the accesses that could not be recorded. Writes in place, which is possible on a full disk.
    static func countLost(
        _ count: UInt32, _ folder: HomeFolder, _ settings: AccessLogSettings, _ key: Secret, home: String
    ) throws {
        var writer = try AccessWriter(folder, settings, key, home: home)
        writer.opened.tail.lost &+= count
        try writer.writeTail()
    }

    /// If the current segment's file is missing, begins the next segment. Lines of the lost segment are missing, later
    /// ones are not.
    mutating func replaceMissingSegment() throws {
        guard try folder.status(of: AccessSegment.fileName(opened.tail.segment)) == nil else { return }
        let missing = opened.tail.segment
        try beginSegment()
        try add(AccessLine(about: .linesMissing, name: "segment \(missing)"))
    }

    /// If more lines were once written than the tail counts, their numbers stay missing. The next segment begins
    /// after them.
    mutating func stepOver(upTo seen: UInt64) throws {
        guard seen > opened.tail.next else { return }
        let missing = opened.tail.next..<seen
        opened.tail.next = seen
        try beginSegment()
        try add(
            AccessLine(about: .linesMissing, name: "\(missing.lowerBound) to \(missing.upperBound - 1)"))
    }

    mutating func add(_ line: AccessLine) throws {
        let now = UInt64(max(0, ThisProcess.wallTime)) / 1_000_000_000
        let isFull = opened.tail.next - opened.tail.segmentStart >= settings.linesInSegment
        let isOld = settings.secondsOfSegment.map { opened.tail.segmentBegan &+ $0 < now } ?? false
        if isFull || isOld {
            // A clock that was wrong once removes nothing: two segments must agree on the time.
            let agreed = min(now, opened.tail.segmentBegan)
            try beginSegment()
            if let removed = try removeOldest(agreed) { try write(AccessLine(about: .removedOldest, name: removed)) }
        }
        try write(line)
    }

    private mutating func write(_ line: AccessLine) throws {
        var line = line
        line.number = opened.tail.next
        line.lost &+= opened.tail.lost
        opened.tail.lost = 0
        if pending.isEmpty { pendingStart = line.number }
        pending += try form.seal(line, to: settings.publicKey, opened.chain)
        try opened.chain.step()
        opened.tail.next += 1
    }

    /// Writes the lines, then the tail. No secret is returned before the tail counts its line.
    mutating func finish() throws {
        try flush()
        try writeTail()
        for name in try folder.names() {
            if let number = AccessSegment.number(name), number < opened.tail.firstKept { try folder.remove(name) }
        }
    }

    private mutating func writeTail() throws {
        try opened.tail.write(opened.chain, to: tailFile, after: opened.slot, key, settings.home)
        opened.slot = 1 - opened.slot
    }

    private mutating func flush() throws {
        guard !pending.isEmpty else { return }
        guard let file = try folder.openFile(AccessSegment.fileName(opened.tail.segment), .change) else {
            throw AccessLog.missing(home)
        }
        try file.write(pending, at: Int(pendingStart - opened.tail.segmentStart + 1) * AccessSegment.piece)
        pending = []
    }

    private mutating func beginSegment() throws {
        try flush()
        opened.chain = try opened.chain.ofNextSegment()
        opened.tail.segment += 1
        opened.tail.segmentStart = opened.tail.next
        opened.tail.segmentBegan = UInt64(max(0, ThisProcess.wallTime)) / 1_000_000_000
        try folder.makeSegment(opened.tail, try form.header(opened.tail, opened.chain))
    }

    /// Stops counting segments beyond the limits, and returns a text about them. Their files are removed after the tail
    /// is written.
    private mutating func removeOldest(_ now: UInt64) throws -> String? {
        var sizes: [UInt64: FileStatus] = [:]
        for name in try folder.names() {
            guard let number = AccessSegment.number(name), number >= opened.tail.firstKept else { continue }
            sizes[number] = try folder.status(of: name)
        }
        var total = sizes.values.reduce(settings.linesInSegment * UInt64(AccessSegment.piece)) { $0 + UInt64($1.size) }
        let oldest = settings.days == 0 ? 0 : Int64(now) - Int64(settings.days) * 86_400
        let before = opened.tail.firstKept
        while opened.tail.firstKept < opened.tail.segment {
            let status = sizes[opened.tail.firstKept]
            guard let status else {
                opened.tail.firstKept += 1
                continue
            }
            let isOld = settings.days > 0 && status.modified / 1_000_000_000 < oldest
            guard total > settings.sizeLimit || isOld else { break }
            total -= min(total, UInt64(status.size))
            opened.tail.firstKept += 1
        }
        return before == opened.tail.firstKept ? nil : "segments \(before) to \(opened.tail.firstKept - 1)"
    }
}

extension HomeFolder {
    /// Makes a segment with only its header, in place of what a killed process left.
    func makeSegment(_ tail: AccessLogTail, _ header: [UInt8]) throws {
        let name = AccessSegment.fileName(tail.segment)
        try remove(name)
        try OpenFile.make(at(name), files).write(header)
    }
}

extension AccessLogTail {
    private static let namePrefix = "tail-"

    static func fileName(_ log: UniqueIdentifier) -> String { namePrefix + log.text.prefix(8) }

    static func isFileName(_ name: String) -> Bool { name.hasPrefix(namePrefix) }
}

extension AccessLine {
    /// A line about the log itself.
    init(about operation: AccessOperation, name: String = "") {
        let use = AccessUse(
            itemClass: 0, item: [UInt8](repeating: 0, count: 16), name: name, source: .keychains, operation: operation)
        self.init(
            use, .own, context: AccessContext.current, time: UInt64(max(0, ThisProcess.wallTime)) / 1000)
    }
}
