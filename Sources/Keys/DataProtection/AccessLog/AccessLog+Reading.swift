// SPDX-License-Identifier: Apache-2.0

import Files
import Sealing
import SecretMemory
import Statuses

/// A defect of an access log.
package enum AccessFinding: Sendable, Equatable {
    /// A line whose code is invalid.
    case changed(UInt64)
    /// Numbers that no line has.
    case missing(Range<UInt64>)
    /// A line in the place of another.
    case outOfPlace(UInt64)
    /// A segment of another log, of another place in this log, or made with other keys.
    case foreign(UInt64)
    case segmentMissing(UInt64)
    /// Lines that the tail counts but that are missing at the end.
    case cut(Range<UInt64>)
    /// The tail is missing or damaged, or does not belong to this chain.
    case tail
    /// The home remembers more lines than the tail counts.
    case putBack(known: UInt64)
    /// The home remembers no number of lines, or has begun to count anew.
    case forgotten
    /// Accesses that could not be recorded and that no line reports yet.
    case lost(UInt32)

    /// A description for the user.
    package var text: String {
        switch self {
        case .changed(let number): "line \(number) was changed"
        case .missing(let range): "\(Self.lines(range)) missing"
        case .outOfPlace(let number): "a line that says it is \(number) is in another's place"
        case .foreign(let segment): "segment \(segment) is not of this log, or its header was changed"
        case .segmentMissing(let segment): "segment \(segment) is missing"
        case .cut(let range): "\(Self.lines(range)) missing at the end: it was cut, or a power cut lost them"
        case .tail: "the tail is missing, damaged, or not of this log"
        case .putBack(let known): "the home remembers \(known) lines: an older copy was put back"
        case .forgotten:
            "the home can't tell how many lines there were: \(StoreRecord.fileName) was lost or damaged, so lines may have been cut"
        case .lost(let count): "\(count) uses of secrets since the last line could not be recorded"
        }
    }

    private static func lines(_ range: Range<UInt64>) -> String {
        range.count == 1 ? "line \(range.lowerBound) is" : "lines \(range.lowerBound) to \(range.upperBound - 1) are"
    }
}

/// The result of reading an access log.
package struct AccessReport: Sendable {
    /// The number of the first line that is kept.
    package var first: UInt64 = 0
    /// The number of the next line.
    package var next: UInt64 = 0
    /// The number of lines whose code is valid.
    package var whole: UInt64 = 0
    package var findings: [AccessFinding] = []
}

extension AccessLog {
    /// Passes the lines from `start` on to `body`, in their order, and verifies the whole log. With `verifiesAll`
    /// false, it verifies only the segments that it reads. With `last`, it begins that many lines before the end.
    /// `progress` receives the number of segments examined and of all segments.
    ///
    /// Errors: `.locked`, `.notAvailable` (the log was never on), `.damaged` (settings), `.newerFormat`, those of
    /// reading and of `body`.
    package func read(
        from start: UInt64 = 0, last count: UInt64? = nil, verifiesAll: Bool = true,
        progress: (UInt64, UInt64) -> Void = { _, _ in }, _ body: (AccessLine) throws -> Void
    ) throws(DataProtectionError) -> AccessReport {
        try DataProtectionError.mapping(about: home.path) {
            let known = try record.known()
            guard let settings = try settings(known) else { throw neverOn }
            let remembered = known.flatMap { UInt64(exactly: $0.revision) }
            let secrets = try settings.secrets(keybag)
            var reading = try snapshot(settings, try AccessChain(segment: secrets.segment))
            reading.report.next = reading.tail?.next ?? 0
            if let tail = reading.tail {
                switch remembered {
                case nil: reading.report.findings.append(.forgotten)
                case let known? where tail.next < known: reading.report.findings.append(.putBack(known: known))
                default:
                    let doubt = try StoreRecord.doubt(in: home, keybag)
                    if doubt == .begunAnew { reading.report.findings.append(.forgotten) }
                }
                if tail.lost > 0 { reading.report.findings.append(.lost(tail.lost)) }
            }
            let from = count.map { reading.report.next - min($0, reading.report.next) } ?? start
            let form = AccessSegment(log: settings.log, home: settings.home)
            try reading.run(form, from: from, verifiesAll: verifiesAll, progress) { bytes in
                try body(try form.open(bytes, secrets.privateKey))
            }
            return reading.report
        }
    }

    /// The number of the next line. Errors: as `read`.
    package func nextNumber() throws(DataProtectionError) -> UInt64 {
        try DataProtectionError.mapping(about: home.path) {
            guard let settings = try settings() else { throw neverOn }
            return try alone { folder in try next(folder, settings) ?? 0 }
        }
    }

    /// The number of the next line; nil if the tail doesn't open. The caller holds the lock.
    func next(_ folder: HomeFolder, _ settings: AccessLogSettings) throws -> UInt64? {
        guard let opened = try tail(folder, settings) else { return nil }
        return opened.tail.next
    }

    func tail(_ folder: HomeFolder, _ settings: AccessLogSettings) throws -> AccessLogTail.Opened? {
        guard let file = try folder.openFile(AccessLogTail.fileName(settings.log), .read),
            let opened = try AccessLogTail.read(file, try tailKey(), settings.home), opened.tail.log == settings.log
        else { return nil }
        return opened
    }

    /// The tail and the open segments at one moment. A segment that is removed later can still be read to its end.
    private func snapshot(_ settings: AccessLogSettings, _ chain: consuming AccessChain) throws -> AccessReading {
        guard try home.folder(Self.folderName, making: false) != nil else {
            return AccessReading(settings, nil, nil, [:], chain)
        }
        let (files, tail, expected): ([UInt64: OpenFile], AccessLogTail?, Secret?) = try alone { folder in
            var files: [UInt64: OpenFile] = [:]
            for name in try folder.names() {
                if let number = AccessSegment.number(name) { files[number] = try folder.openFile(name, .read) }
            }
            guard let opened = try self.tail(folder, settings) else { return (files, nil, nil) }
            return (files, opened.tail, Secret(try opened.chain.stored()))
        }
        return AccessReading(settings, tail, expected, files, chain)
    }
}

/// One pass through the log.
private struct AccessReading: ~Copyable {
    private let settings: AccessLogSettings
    let tail: AccessLogTail?
    /// The keys that the tail contains.
    private let expected: Secret?
    private let files: [UInt64: OpenFile]
    private var chain: AccessChain
    /// The number that the next line must have; nil: only its segment's header tells.
    private var number: UInt64?
    var report = AccessReport()

    /// The limit of chain steps for finding where lines of one segment were dropped.
    private static let mostSearch = 16_384
    private static let mostSegments: UInt64 = 1 << 20

    init(
        _ settings: AccessLogSettings, _ tail: AccessLogTail?, _ expected: Secret?, _ files: [UInt64: OpenFile],
        _ chain: consuming AccessChain
    ) {
        (self.settings, self.tail, self.expected, self.files) = (settings, tail, expected, files)
        self.chain = chain
    }

    mutating func run(
        _ form: AccessSegment, from: UInt64, verifiesAll: Bool, _ progress: (UInt64, UInt64) -> Void,
        _ body: ([UInt8]) throws -> Void
    ) throws {
        let first = tail?.firstKept ?? files.keys.min() ?? settings.firstSegment
        let last = tail?.segment ?? files.keys.max() ?? settings.firstSegment
        guard tail != nil, first >= settings.firstSegment, last - first < Self.mostSegments,
            first - settings.firstSegment < Self.mostSegments
        else {
            report.findings.append(.tail)
            guard first >= settings.firstSegment, last - first < Self.mostSegments,
                first - settings.firstSegment < Self.mostSegments
            else { return }
            return try walk(first, last, form, from: from, verifiesAll: verifiesAll, progress, body)
        }
        try walk(first, last, form, from: from, verifiesAll: verifiesAll, progress, body)
        try compareTail()
    }

    private mutating func walk(
        _ first: UInt64, _ last: UInt64, _ form: AccessSegment, from: UInt64, verifiesAll: Bool,
        _ progress: (UInt64, UInt64) -> Void, _ body: ([UInt8]) throws -> Void
    ) throws {
        for _ in settings.firstSegment..<first { chain = try chain.ofNextSegment() }
        number = first == settings.firstSegment ? settings.firstLine : nil
        var isFirst = true
        for segment in first...last {
            let isSkipped = try !verifiesAll && segment < last && start(of: segment + 1).map { $0 <= from } ?? false
            if isSkipped { number = nil } else { try look(at: segment, form, from: from, body) }
            if isFirst, let start = try start(of: segment) { (report.first, isFirst) = (start, false) }
            if segment < last { chain = try chain.ofNextSegment() }
            progress(segment - first + 1, last - first + 1)
        }
    }

    /// The number of a segment's first line, as its header claims, unverified.
    private func start(of segment: UInt64) throws -> UInt64? {
        guard let bytes = try files[segment]?.read(count: 64), bytes.count == 64 else { return nil }
        return bytes[56...].reduce(0) { $0 << 8 | UInt64($1) }
    }

    private mutating func look(
        at segment: UInt64, _ form: AccessSegment, from: UInt64, _ body: ([UInt8]) throws -> Void
    ) throws {
        guard let file = files[segment] else {
            report.findings.append(.segmentMissing(segment))
            number = nil
            return
        }
        guard let header = try form.openHeader(try file.read(count: AccessSegment.piece), segment: segment, chain)
        else {
            report.findings.append(.foreign(segment))
            return try lookWithoutHeader(at: segment, file, from: from, body)
        }
        if let number, header.start > number { report.findings.append(.missing(number..<header.start)) }
        number = header.start
        try lines(of: segment, file, at: header.start, from: from, body)
    }

    /// Reads a segment without a valid header. Each line has its own code, so valid lines are passed on. If none is
    /// valid, no finding about lines is reported.
    private mutating func lookWithoutHeader(
        at segment: UInt64, _ file: OpenFile, from: UInt64, _ body: ([UInt8]) throws -> Void
    ) throws {
        let claimed = segment == tail?.segment ? tail?.segmentStart : try start(of: segment)
        guard let begin = number ?? claimed, begin < 1 << 62 else { return }
        let before = report
        number = begin
        try lines(of: segment, file, at: begin, from: from, body)
        guard report.whole == before.whole else { return }
        report = before
        number = nil
    }

    private mutating func lines(
        of segment: UInt64, _ file: OpenFile, at begin: UInt64, from: UInt64, _ body: ([UInt8]) throws -> Void
    ) throws {
        let limit = segment == tail?.segment ? tail?.next : nil
        var place = begin
        var search = Self.mostSearch
        var offset = AccessSegment.piece
        let most = (4096 + 1) * AccessSegment.piece
        while offset < most, limit.map({ number ?? 0 < $0 }) ?? true {
            let bytes = try file.read(count: 128 * AccessSegment.piece, at: offset)
            guard bytes.count >= AccessSegment.piece else { break }
            for begin in stride(from: 0, through: bytes.count - AccessSegment.piece, by: AccessSegment.piece) {
                guard limit.map({ number ?? 0 < $0 }) ?? true else { break }
                try take(Array(bytes[begin..<begin + AccessSegment.piece]), at: place, from: from, &search, body)
                place += 1
            }
            offset += bytes.count - bytes.count % AccessSegment.piece
        }
    }

    private mutating func take(
        _ piece: [UInt8], at place: UInt64, from: UInt64, _ search: inout Int, _ body: ([UInt8]) throws -> Void
    ) throws {
        guard let due = number else { return }
        let claimed = AccessSegment.claimedNumber(piece)
        if claimed == due, try AccessSegment.isWhole(piece, chain) {
            report.whole += 1
            if due >= from { try body(piece) }
        } else if piece.allSatisfy({ $0 == 0 }) {
            // Lines that were moved here from further on leave holes in their own places. Those holes are not
            // missing lines.
            guard place >= due else { return }
            addMissing(due..<due + 1)
        } else if claimed < due {
            // It takes no number: inserting it only shifted the lines after it.
            report.findings.append(.outOfPlace(claimed))
            return
        } else if try skip(from: due, to: claimed, piece, &search) {
            addMissing(due..<claimed)
            report.whole += 1
            if claimed >= from { try body(piece) }
            number = claimed
        } else {
            report.findings.append(.changed(due))
        }
        try chain.step()
        number = (number ?? due) + 1
    }

    private mutating func addMissing(_ range: Range<UInt64>) {
        if case .missing(let before) = report.findings.last, before.upperBound == range.lowerBound {
            report.findings[report.findings.count - 1] = .missing(before.lowerBound..<range.upperBound)
        } else {
            report.findings.append(.missing(range))
        }
    }

    /// Whether the piece is the valid line that it claims to be, some lines further on. If so, the chain advances
    /// to it.
    private mutating func skip(
        from due: UInt64, to claimed: UInt64, _ piece: [UInt8], _ search: inout Int
    ) throws -> Bool {
        guard claimed > due, claimed - due <= UInt64(max(0, search)), claimed - due <= 4096 else { return false }
        var ahead = try AccessChain(stored: try chain.stored())
        for _ in due..<claimed {
            try ahead.step()
            search -= 1
        }
        guard try AccessSegment.isWhole(piece, ahead) else { return false }
        chain = ahead
        return true
    }

    private mutating func compareTail() throws {
        guard let tail, let expected else { return }
        guard let reached = number, tail.next >= reached else {
            // Without the last segment, the end of the chain can't be compared.
            if number != nil { report.findings.append(.tail) }
            return
        }
        if reached < tail.next {
            report.findings.append(.cut(reached..<tail.next))
            guard tail.next - reached <= 4096 else { return }
            for _ in reached..<tail.next { try chain.step() }
        }
        let kept = try expected.withSecretBytes { try AccessChain(stored: $0) }
        if try !chain.isEqual(to: kept) { report.findings.append(.tail) }
    }
}
