// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Foundation
import KeychainSync
import SecretMemory
import SyncEngines
import SyncLog

struct Watch: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Make a round whenever something changes, here or there, until a signal ends it.",
        discussion: """
            Each round is a process of its own that takes the keys from where the unlocked home has them, and ends; the next one waits already, and has opened nothing. This one opens no \
            keychain, so that nothing of it is left in memory when the home is locked.

            EXAMPLES:
              zamok sync watch
              systemctl --user enable --now zamok-sync-watch.service
            """)

    @OptionGroup var options: Options

    func run() async throws {
        // A round that was killed while it waited is no reason to end.
        signal(SIGPIPE) { _ in }
        var watcher = try Watcher(options)
        try await watcher.run()
    }
}

/// What a round tells the process that started it.
struct RoundAnswer: Codable {
    let account, engine: String
    let files: [String]
    let entries: UInt64
    let report: Report

    init(_ sync: KeychainSync, _ report: Report) throws {
        let log = sync.member.replica.state
        account = EngineName.account(log.account)
        engine = sync.engineURL
        files = try KeychainSync.watchedFiles(of: sync.home)
        entries = log.place
        self.report = report
    }
}

private enum Event: Sendable {
    /// Something was written in the home.
    case home
    /// Something may have been written in the folder of the log.
    case folder
    /// The engine has more than was known when this wait began, or it is time to look.
    case engine(wait: Int)
}

/// Waits for the engine and the home, and starts rounds. It knows where the log is, and nothing that is in it.
private struct Watcher {
    /// How long nothing has to happen until a round is made all the same: it states the head.
    private static let idle = Duration.seconds(900)
    /// A folder on another machine sends no events of changes.
    private static let look = Duration.seconds(60)
    private static let longestPause = Duration.seconds(60)

    private let options: Options
    /// Each round unlocks by itself, which writes the counter of attempts: an unlock is nothing to wait for.
    private let unlocksItself: Bool
    private let events: AsyncStream<Event>
    private let tell: AsyncStream<Event>.Continuation
    private let waits = Waits()
    private var known: RoundAnswer?
    private var url: EngineURL?
    private var engine: AnyEngine?
    private var changes: FolderChanges?
    private var next: WaitingRound?
    private var pause = Duration.seconds(1)

    init(_ options: Options) throws {
        self.options = options
        unlocksItself = try options.lastingPasscodeFile(for: "zamok sync watch") != nil
        (events, tell) = AsyncStream.makeStream()
    }

    mutating func run() async throws {
        try await round(ifChanged: false)
        for await event in events {
            switch event {
            case .home:
                changes?.taken()
                try await round(ifChanged: true)
            case .folder:
                changes?.taken()
                try await lookInFolder()
            case .engine(let wait):
                if wait == waits.current { try await round(ifChanged: false) }
            }
        }
    }

    private mutating func lookInFolder() async throws {
        guard let engine, let known, let account = [UInt8](digits: known.account) else { return }
        if (try? await engine.wait(account, after: known.entries, patience: .zero)) == true {
            try await round(ifChanged: false)
        }
    }

    /// Starts a round, and waits anew from where it ended.
    private mutating func round(ifChanged: Bool) async throws {
        let waiting = try next ?? WaitingRound(options)
        let child = try await waiting.run(ifChanged: ifChanged)
        next = try WaitingRound(options)
        switch child.status {
        case 0:
            pause = .seconds(1)
            guard let answer = child.answer else { return }
            if !answer.report.isNothing {
                // At once, also where it isn't a terminal that reads it.
                print(answer.report.text, to: .standardOutput)
            }
            try watch(answer)
            known = answer
            wait()
        // No account; or the log is not what it was: going on by itself would not mend it.
        case 44, 93: throw Failure(status: child.status, "the watch has ended, for the reason above")
        default:
            let (own, tell, number) = (pause, tell, waits.next())
            pause = min(pause * 2, Self.longestPause)
            waits.task = Task {
                try? await Task.sleep(for: own)
                tell.yield(.engine(wait: number))
            }
        }
    }

    private mutating func watch(_ answer: RoundAnswer) throws {
        if engine == nil || answer.engine != known?.engine {
            url = try EngineURL(answer.engine)
            engine = try url?.engine()
        }
        guard changes == nil || answer.files != known?.files || answer.account != known?.account else { return }
        let files = answer.files.map { URL(fileURLWithPath: $0) }
            .filter { !unlocksItself || $0.lastPathComponent != KeychainSync.attemptsFile }
        var folders: [(String, Set<String>, Event)] = [
            (files[0].deletingLastPathComponent().path, Set(files.map(\.lastPathComponent)), .home)
        ]
        if let folder = url?.folder { folders.append(("\(folder)/\(answer.account)/log", [], .folder)) }
        let tell = tell
        changes = FolderChanges(folders.map { folder in (folder.0, folder.1, { tell.yield(folder.2) }) })
        // Changes made during the round sent no event.
        for folder in folders { tell.yield(folder.2) }
    }

    private mutating func wait() {
        guard let engine, let known, let account = [UInt8](digits: known.account) else { return }
        let (tell, number, isFolder) = (tell, waits.next(), url?.folder != nil)
        waits.task = Task {
            if isFolder {
                let end = ContinuousClock.now + Self.idle
                while ContinuousClock.now < end {
                    guard (try? await Task.sleep(for: Self.look)) != nil else { return }
                    if (try? await engine.wait(account, after: known.entries, patience: .zero)) == true { break }
                }
            } else {
                do {
                    _ = try await engine.wait(account, after: known.entries, patience: Self.idle)
                } catch {
                    // The round that follows says what is wrong, and waits longer each time.
                    guard (try? await Task.sleep(for: .seconds(1))) != nil else { return }
                }
            }
            if !Task.isCancelled { tell.yield(.engine(wait: number)) }
        }
    }
}

/// The wait that counts: one that began before the last round is of no interest.
private final class Waits {
    private(set) var current = 0
    var task: Task<Void, Never>?

    /// Ends the wait that there is; the number of the one to come.
    func next() -> Int {
        task?.cancel()
        current += 1
        return current
    }
}
