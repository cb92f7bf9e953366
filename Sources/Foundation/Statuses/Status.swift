// SPDX-License-Identifier: Apache-2.0

/// Apple's OSStatus. The functions of SecItem return it, every error has one, and the command exits with its low byte.
/// Numbers without a row in Statuses.tsv keep their value.
package struct Status: Hashable, Sendable {
    package let rawValue: Int32

    package init(rawValue: Int32) { self.rawValue = rawValue }

    /// Apple's name, for example `errSecItemNotFound`; nil if it has none.
    package var name: String? { row?.name }

    /// Its meaning, in one sentence.
    package var meaning: String { row?.meaning ?? "Status \(rawValue)." }

    /// The low byte, or 1 if that is 0, like the exit status of macOS's `security` command.
    package var exitStatus: Int32 {
        let low = Int32(UInt8(truncatingIfNeeded: rawValue))
        return low == 0 ? 1 : low
    }

    /// One row of the table.
    package struct Row: Sendable {
        package let rawValue: Int32
        package let name: String
        package let meaning: String
    }

    private static let byRawValue = Dictionary(table.map { ($0.rawValue, $0) }) { first, _ in first }

    /// The statuses of which only the name is known here.
    private static let otherByRawValue = Dictionary(
        others.split(separator: "\n").compactMap { line -> (Int32, Row)? in
            let parts = line.split(separator: "\t")
            guard parts.count == 3, let number = Int32(parts[0]) else { return nil }
            return (number, Row(rawValue: number, name: String(parts[1]), meaning: String(parts[2])))
        }
    ) { first, _ in first }

    /// Its row, also if nothing here returns the status.
    private var row: Row? { Self.byRawValue[rawValue] ?? Self.otherByRawValue[rawValue] }
}
