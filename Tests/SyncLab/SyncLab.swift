// SPDX-License-Identifier: Apache-2.0

import Crypto
import SyncHistories
import SyncLog

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// `sync-lab vectors FOLDER` writes the vectors. `sync-lab histories SEED COUNT` plays that many histories and prints
/// the digest of all views. `sync-lab home FOLDER ENGINE` is a home that tests kill. `sync-lab shares split SEED COUNT`
/// prints random secrets in shares, and `sync-lab shares join` reads shares and prints their secrets.
@main
enum SyncLab {
    static func main() async throws {
        let words = CommandLine.arguments.dropFirst().map { $0 }
        switch words.first {
        case "vectors" where words.count == 2:
            for (name, text) in try Scenarios.all() {
                try Data(text.utf8).write(to: URL(filePath: "\(words[1])/\(name).txt"))
            }
        case "histories" where words.count == 3:
            guard let seed = UInt64(words[1]), let count = Int(words[2]) else { return usage() }
            var histories = Histories(seed: seed)
            var digest = SHA256()
            var views = 0
            while histories.played < count {
                try histories.play(openings: 24) { view in
                    digest.update(data: view)
                    views += 1
                }
            }
            print("partial orders \(histories.orders)")
            print("orders of the log \(views)")
            print("histories \(histories.played)")
            print("digest \(Array(digest.finalize()).hexadecimal)")
        case "shares" where words.count == 4 && words[1] == "split":
            guard let seed = UInt64(words[2]), let count = Int(words[3]) else { return usage() }
            try LabShares(seed: seed).split(count)
        case "shares" where words.count == 2 && words[1] == "join": try LabShares.join()
        case "home" where words.count == 3 || words.count == 4:
            try await LabHome(words[1], words[2], death: words.count == 4 ? words[3] : nil).run()
        default: usage()
        }
    }

    private static func usage() {
        print(
            "usage: sync-lab vectors FOLDER | histories SEED COUNT | home FOLDER ENGINE [CALL-|CALL+] | shares split SEED COUNT | shares join"
        )
    }
}

extension [UInt8] {
    var hexadecimal: String {
        map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    }
}
