// SPDX-License-Identifier: Apache-2.0

import AuditModel
import Crypto
import Dispatch
import Synchronization

/// What all files hold, as one digest, and which of them have a word for an audit in them.
struct Contents: Sendable {
    /// Of every path, origin and size, and of what the files hold that readers look at.
    let digest: [UInt8]
    let withAllowances: [String]

    init(_ tree: FileTree, _ settings: Settings) {
        let files = tree.files
        let count = min(settings.options.workers ?? 8, 8)
        let results = Mutex<[Int: ([UInt8], Bool)]>([:])
        let word = Array("zamok:allow".utf8)
        let size = max(1, (files.count + count - 1) / count)
        DispatchQueue.concurrentPerform(iterations: count) { part in
            var mine: [Int: ([UInt8], Bool)] = [:]
            for index in min(files.count, part * size)..<min(files.count, (part + 1) * size) {
                guard settings.isExamined(files[index]), ProjectFile.isRead(String(files[index].name)),
                    let bytes = tree.contents(of: files[index], most: settings.options.largestFile)
                else { continue }
                mine[index] = (Array(SHA256.hash(data: bytes)), ByteSearch.contains(bytes, word))
            }
            let found = mine
            results.withLock { $0.merge(found) { first, _ in first } }
        }
        let found = results.withLock { $0 }
        var hash = SHA256()
        for (index, file) in files.enumerated() {
            hash.update(data: Array("\(file.path)\u{0}\(file.origin)\u{0}\(file.size)\u{0}".utf8))
            if let digest = found[index]?.0 { hash.update(data: digest) }
        }
        for skipped in tree.skipped { hash.update(data: Array("\(skipped.path)\u{0}\(skipped.reason)".utf8)) }
        digest = Array(hash.finalize())
        withAllowances = files.indices.filter { found[$0]?.1 == true }.map { files[$0].path }
    }
}
