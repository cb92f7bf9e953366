// SPDX-License-Identifier: Apache-2.0

import Foundation

/// Homes as processes, for tests of the engines and for figures.
@main
enum SyncStorm {
    private static let usage = """
        usage: sync-storm storm etcd|s3|file EDITS [keychain]  five homes x so many edits, with kills, cut cables and wrong clocks; etcd and s3 as root
               sync-storm home found FOLDER ENGINE          found an account
               sync-storm home add FOLDER ENGINE NEWCOMER   add a home
               sync-storm home work FOLDER ENGINE EDITS SEED OFFSET open|locked PAUSE
               sync-storm home show FOLDER ENGINE [HOME...] what it came to, and how many acknowledged edits of these homes it lacks
               sync-storm keychain ...                      the same with real homes
               sync-storm figures ENGINE                    what sync costs over an engine
               sync-storm idle ENGINE                       how often a home that waits wakes up in a minute
        An engine is file:FOLDER, etcd:URL,URL,... or s3:URL/BUCKET with LAB_S3_KEY and LAB_S3_SECRET in the environment.
        """

    static func main() async {
        do {
            try await run(CommandLine.arguments.dropFirst().map { $0 })
        } catch {
            FileHandle.standardError.write(Data("sync-storm: \(error)\n".utf8))
            exit(1)
        }
    }

    private static func run(_ words: [String]) async throws {
        switch words.first {
        case "storm" where words.count == 3 || words.count == 4 && words[3] == "keychain":
            guard let kind = Storm.Kind(rawValue: words[1]), let edits = Int(words[2]) else { return print(usage) }
            guard kind == .file || LabNetwork.isAllowed else {
                return print("skipped: needs root, for network namespaces")
            }
            print(try Storm(kind, edits: edits, of: words.count == 4 ? "keychain" : "home").run())
        case "figures" where words.count == 2: try await Figures.run(words[1])
        case "idle" where words.count == 2: try await Figures.idle(words[1])
        case "home" where words.count >= 4, "keychain" where words.count >= 4:
            var engine = try LabEngine(words[3])
            engine.keepsAll = words[0] == "keychain"
            do {
                if words[0] == "home" { try await home(words, engine) } else { try await keychain(words, engine) }
                await engine.close()
            } catch {
                await engine.close()
                throw error
            }
        default: print(usage)
        }
    }

    private static func keychain(_ words: [String], _ engine: LabEngine) async throws {
        let home = try KeychainHome(words[2], engine)
        switch words[1] {
        case "found": try await home.found()
        case "add" where words.count == 5:
            try await home.add(KeychainHome(words[4], engine), isLocked: words[4].hasSuffix("4"))
        case "show" where words.count >= 5:
            try await home.show(Array(words.dropFirst(5)), seed: UInt64(words[4]) ?? 0)
        case "work" where words.count == 9:
            guard let count = Int(words[4]), let seed = UInt64(words[5]), let pause = Int(words[8]) else { return }
            try await home.work(
                count, seed: seed, isLockedMostly: words[7] == "locked", pause: .milliseconds(pause))
        default: print(usage)
        }
    }

    private static func home(_ words: [String], _ engine: LabEngine) async throws {
        switch words[1] {
        case "found": try await Home.found(words[2], engine)
        case "add" where words.count == 5: try await Home.add(words[2], engine, words[4])
        case "show": try await Home.show(words[2], engine, Array(words.dropFirst(4)))
        case "work" where words.count == 9:
            guard let count = Int(words[4]), let seed = UInt64(words[5]), let offset = Int64(words[6]),
                let pause = Int(words[8])
            else { return print(usage) }
            try await Home.work(
                words[2], engine,
                Home.Work(
                    count: count, seed: seed, offset: offset, isLockedMostly: words[7] == "locked",
                    pause: .milliseconds(pause)))
        default: print(usage)
        }
    }
}

extension [UInt8] {
    var hexadecimal: String { map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined() }
}

/// SplitMix64: the same edits for the same seed.
struct Seed: RandomNumberGenerator {
    private var state: UInt64

    init(_ seed: UInt64) { state = seed }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ mixed >> 30) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ mixed >> 27) &* 0x94D0_49BB_1331_11EB
        return mixed ^ mixed >> 31
    }

    mutating func below(_ limit: Int) -> Int { Int(next() % UInt64(limit)) }
}
