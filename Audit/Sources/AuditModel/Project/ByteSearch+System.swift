// SPDX-License-Identifier: Apache-2.0

import Foundation

package enum ByteSearch {
    /// Whether a word is somewhere in the bytes; it begins with a byte that is rare, so that `memchr` does nearly all of it.
    package static func contains(_ bytes: [UInt8], _ word: [UInt8]) -> Bool {
        guard let first = word.first else { return true }
        return unsafe bytes.withUnsafeBytes { area in
            guard let start = area.baseAddress else { return false }
            var offset = 0
            while offset + word.count <= area.count {
                let left = area.count - offset - word.count + 1
                guard let found = unsafe memchr(start + offset, Int32(first), left) else { return false }
                offset = unsafe UnsafeRawPointer(found) - start
                if unsafe area[offset..<offset + word.count].elementsEqual(word) { return true }
                offset += 1
            }
            return false
        }
    }
}
