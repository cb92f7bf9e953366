// SPDX-License-Identifier: Apache-2.0

import CPlatform
import Files

/// The names in a folder, in one block of memory, in the order of their bytes.
struct FolderNames {
    private var bytes: [UInt8] = []
    private var ranges: [Range<Int>] = []

    /// At most ``most`` names; `isCut` if there are more.
    private(set) var isCut = false
    static let most = 1_000_000

    init(of folder: OpenFile) throws(FileError) {
        try folder.hooks.pass(.list, folder.path)
        let result = unsafe withUnsafeMutablePointer(to: &self) { names in
            unsafe zamok_list(
                folder.number,
                { context, name in
                    guard let name = unsafe name, let names = unsafe context?.assumingMemoryBound(to: FolderNames.self)
                    else { return }
                    unsafe names.pointee.append(UnsafeRawBufferPointer(start: name, count: strlen(name)))
                }, names)
        }
        if result < 0 { throw FileError(-result, operation: .list, path: folder.path) }
        let bytes = bytes
        ranges.sort { bytes[$0].lexicographicallyPrecedes(bytes[$1]) }
    }

    private init() {}

    private mutating func append(_ name: UnsafeRawBufferPointer) {
        guard ranges.count < Self.most else {
            isCut = true
            return
        }
        let start = bytes.count
        unsafe bytes.append(contentsOf: name)
        ranges.append(start..<bytes.count)
    }

    var count: Int { ranges.count }
    subscript(index: Int) -> [UInt8] { Array(bytes[ranges[index]]) }
}

extension OpenFile {
    /// Reads into a buffer from an index to its end. Returns the number of bytes, fewer only at the end of the file.
    func read(into buffer: inout [UInt8], from index: Int, at offset: Int) throws(FileError) -> Int {
        guard index >= 0, index < buffer.count else { return 0 }
        try hooks.pass(.read, path, offset: offset)
        let result = unsafe buffer.withUnsafeMutableBytes { bytes in
            let rest = unsafe UnsafeMutableRawBufferPointer(rebasing: bytes[index...])
            return unsafe zamok_read_at(number, rest.baseAddress, rest.count, Int64(offset))
        }
        if result < 0 { throw FileError(Int32(-result), operation: .read, path: path) }
        return Int(result)
    }
}
