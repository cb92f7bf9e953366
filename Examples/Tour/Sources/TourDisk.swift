// SPDX-License-Identifier: Apache-2.0

import Foundation

/// What lies in a folder at one moment, to show what a call changed.
struct TourDisk {
    /// By the path within the folder.
    let files: [String: [UInt8]]

    /// Reads every file under `folder`.
    init(_ folder: URL) {
        var files: [String: [UInt8]] = [:]
        for path in FileManager.default.subpaths(atPath: folder.path) ?? [] {
            guard let data = try? Data(contentsOf: folder.appending(path: path)) else { continue }
            files[path] = Array(data)
        }
        self.files = files
    }

    var byteCount: Int { files.values.reduce(0) { $0 + $1.count } }

    /// The most telling part of what was written since `before` to files whose names begin with `name`. It is the 32
    /// changed bytes with the most different values. Indexes that SQLite shares between processes (`-shm`) hold no
    /// data.
    func change(since before: TourDisk, in name: String) -> Change? {
        var best: Change?
        let candidates = files.filter { $0.key.hasPrefix(name) && !$0.key.hasSuffix("-shm") }
        // A database's log has what was written last; its file changes with it when it is new.
        for (path, bytes) in candidates.sorted(by: { $0.key > $1.key }) where best == nil {
            let old = before.files[path] ?? []
            for offset in stride(from: 0, through: bytes.count - Change.width, by: 8) {
                let window = bytes[offset..<offset + Change.width]
                if offset + Change.width <= old.count, old[offset..<offset + Change.width] == window { continue }
                let variety = Self.variety(of: window)
                if variety > best?.variety ?? 0 {
                    best = Change(path: path, offset: offset, bytes: Array(window), variety: variety)
                }
            }
        }
        return best
    }

    /// How many different values there are.
    private static func variety(of bytes: ArraySlice<UInt8>) -> Int {
        var seen = SIMD4<UInt64>.zero
        for byte in bytes { seen[Int(byte >> 6)] |= 1 << UInt64(byte & 63) }
        return (0..<4).reduce(0) { $0 + seen[$1].nonzeroBitCount }
    }

    /// Which files hold `marker`.
    func files(holding marker: [UInt8]) -> [String] {
        let marker = Data(marker)
        return files.filter { Data($0.value).range(of: marker) != nil }.keys.sorted()
    }

    struct Change {
        static let width = 32
        let path: String
        let offset: Int
        let bytes: [UInt8]
        fileprivate let variety: Int

        /// Name and hexadecimal dump, at most 32 columns wide.
        var lines: [String] { [path] + TourDisk.dump(bytes, at: offset) }
    }

    /// Eight bytes a line: offset, hexadecimal digits, text.
    static func dump(_ bytes: [UInt8], at offset: Int) -> [String] {
        stride(from: 0, to: bytes.count, by: 8).map { start in
            let row = bytes[start..<min(start + 8, bytes.count)]
            let place = padded(String(offset + start, radix: 16), 4, with: "0")
            let digits = row.map { padded(String($0, radix: 16), 2, with: "0") }.joined()
            let text = row.map { (0x20..<0x7F).contains($0) ? String(UnicodeScalar($0)) : "." }.joined()
            return "\(place)  \(digits.padding(toLength: 16, withPad: " ", startingAt: 0)) \(text)"
        }
    }

    private static func padded(_ text: String, _ width: Int, with pad: String) -> String {
        String(repeating: pad, count: max(0, width - text.count)) + text
    }
}
