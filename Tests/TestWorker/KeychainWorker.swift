// SPDX-License-Identifier: Apache-2.0

import CPlatform
import CTestSupport
import DataProtection
import Foundation
import KeychainEngine
import Keychains
import SecretMemory
import TestSupport

/// test-worker keychain HOME: works on a home's keychain. Reads a command a line, fields separated by tabs. Answers a
/// line each: "ok" with a value, or "error" with the OSStatus.
struct KeychainWorker {
    private let home: Home
    private let store: ItemStore
    private let person: Person
    /// One for all searches that say so.
    private let context = AuthenticationContext()

    init(path: String) throws {
        var configuration = TemporaryHome.configuration(of: path)
        let environment = ProcessInfo.processInfo.environment
        configuration.holder = environment["WORKER_HOLDER"] == "automatic" ? .automatic : .process
        if environment["WORKER_KDF"] == "real" { configuration.usesInsecureKDF = false }
        let person = Person(environment["WORKER_PASSCODE"] ?? "")
        configuration.prompter = person
        self.person = person
        home = try Home(configuration)
        store = try ItemStore.of(home)
    }

    static func run(_ folder: String) throws {
        var worker = try KeychainWorker(path: folder)
        Conversation.say("ready")
        while let words = Conversation.words(separator: "\t", keepingEmpty: true) {
            Conversation.say(worker.answer(words))
        }
    }

    private mutating func answer(_ words: [String]) -> String {
        do {
            guard let value = try perform(words) else { return "ok" }
            return "ok\t\(value)"
        } catch {
            return "error\t\(KeychainError(error).code.rawValue)"
        }
    }

    private func perform(_ words: [String]) throws -> String? {
        switch (words.first, words.count) {
        case ("add", 4): _ = try store.add(try item(words[1], words[2], words[3]))
        case ("update", 4): try store.update(query(words), with: try changes(words[3]))
        case ("find", 3): return try find(words)
        case ("add-guarded", 4):
            var item = try item(words[1], words[2], words[3])
            item.attributes.constraints = .userPresence
            _ = try store.add(item)
        case ("find-in-context", 3):
            let found = try find(words, PersonPrompt(context))
            return "\(person.askedCount) \(found)"
        case ("answer", 2): person.say(words[1])
        case ("delete", 3): try store.delete(query(words))
        case ("count", 1): return try "\(count())"
        case ("check", 1): return try store.checkInvariants().joined(separator: "; ")
        case ("write", 3): try write(words[1], words[2])
        case ("fork", 3): return try inChild(words)
        case ("lock", 1): try home.keybag.lock()
        case ("unlock-by-file", 2): try unlock(byFile: words[1])
        case ("threads", 5...): try findOnThreads(Int(words[1]) ?? 1, words[2], words[3], Array(words[4...]))
        case ("nil-service", 1): return try Self.service(nil, home)
        case ("service", 2): return try Self.service(words[1], home)
        case ("plant", 1): Planted.plant()
        case ("clearing-off", 1): Self.stopClearing()
        case ("unlock", 2): try home.keybag.unlock(passcode: try SecretBytes(text: words[1]))
        case ("set-passcode", 2): try home.keybag.setPasscode(try SecretBytes(text: words[1]))
        case ("change-passcode", 3):
            try home.keybag.changePasscode(
                from: try SecretBytes(text: words[1]), to: try SecretBytes(text: words[2]), rotatingKeys: true
            )
        case ("remove-passcode", 2): try home.keybag.removePasscode(try SecretBytes(text: words[1]))
        default: throw KeychainError(.parameter, "no such command")
        }
        return nil
    }

    /// Adds items and changes one of them until it is killed; says what is acknowledged: "a" added, "u" changed, "l"
    /// locked.
    private func write(_ prefix: String, _ pdmn: String) throws {
        do {
            _ = try store.add(try item(prefix, "own", "0", pdmn))
        } catch let error as KeychainError {
            guard error.code == .duplicateItem else { throw error }
        }
        var number = 0
        while true {
            do {
                try step(prefix, pdmn, number)
            } catch let error as KeychainError {
                guard error.code == .locked else { throw error }
                Conversation.say("l\t\(prefix)\t\(number)\t")
            }
            number += 1
        }
    }

    private func step(_ prefix: String, _ pdmn: String, _ number: Int) throws {
        let account = "\(number)-\(ProcessInfo.processInfo.processIdentifier)"
        let secret = secret(number)
        _ = try store.add(try item(prefix, account, secret, pdmn))
        Conversation.say("a\t\(prefix)\t\(account)\t\(secret)")
        try store.update(query(["", prefix, "own"]), with: try changes(secret))
        Conversation.say("u\t\(prefix)\town\t\(secret)")
    }

    /// What find and add answer in a child after fork: two statuses.
    private func inChild(_ words: [String]) throws -> String {
        let item = try item(words[1], words[2], "x")
        let child = tools_fork()
        guard child == 0 else {
            let status = tools_wait(child, 0)
            return status == 0 ? "-25291 -25291" : "status \(status)"
        }
        let found = failure(KeychainError.self) { try find(words) }
        let added = failure(KeychainError.self) { try store.add(item) }
        let isRefused = found?.code == .notAvailable && added?.code == .notAvailable
        tools_exit(isRefused ? 0 : 1)
    }

    private func secret(_ number: Int) -> String {
        let filling = String(repeating: "x", count: number % 300)
        return "secret \(number) \(filling)"
    }

    private func item(
        _ service: String, _ account: String, _ secret: String, _ pdmn: String = "ak"
    ) throws -> ItemRecord {
        var item = ItemRecord(.genericPassword)
        item.attributes = ["svce": .text(service), "acct": .text(account), "pdmn": .text(pdmn)]
        item.secret = try Secret(secret)
        return item
    }

    private func query(_ words: [String]) -> ItemQuery {
        var query = ItemQuery(.genericPassword)
        query.attributes = ["svce": .text(words[1]), "acct": .text(words[2])]
        return query
    }

    private func changes(_ secret: String) throws -> ItemChanges {
        var changes = ItemChanges()
        changes.secret = try Secret(secret)
        return changes
    }

    private func find(_ words: [String], _ prompt: PersonPrompt = PersonPrompt()) throws -> String {
        let found = try store.items(matching: query(words), withSecret: true, prompt)
        return String(decoding: found.first?.secret?.exposedBytes ?? [], as: UTF8.self)
    }

    /// Under which service a keychain keeps what it is given.
    private static func service(_ name: String?, _ home: Home) throws -> String {
        let keychain = Keychain(service: name, home: home)
        try keychain.setPassword("x", for: "anna")
        let items: [GenericPassword] = try Keychain(home: home).items()
        return items.map(\.service).joined(separator: ",")
    }

    /// The passcode is nowhere but in memory for secrets.
    private func unlock(byFile path: String) throws {
        try home.keybag.unlock(passcode: try PasscodeFile.read(path))
    }

    /// Finds each account on each of some threads, which then wait until the process ends. One of them unlocks before
    /// it waits, if there is a passcode's file.
    private func findOnThreads(_ count: Int, _ passcode: String, _ service: String, _ accounts: [String]) throws {
        let done = DispatchSemaphore(value: 0)
        let failed = Locked(false)
        for number in 0..<count {
            Thread.detachNewThread { [self] in
                if Self.isCareless.value != 0 { _ = zamok_enter() }
                for account in accounts where (try? find(["", service, account])) != "secret of \(account)" {
                    failed.withLock { $0 = true }
                }
                if number == 0, !passcode.isEmpty, (try? unlock(byFile: passcode)) == nil {
                    failed.withLock { $0 = true }
                }
                if (try? leaveKey()) == nil { failed.withLock { $0 = true } }
                done.signal()
                while true { sleep(1000) }
            }
        }
        for _ in 0..<count { done.wait() }
        if failed.withLock({ $0 }) { throw KeychainError(.itemNotFound, "a thread did not find an item") }
    }

    private static let isCareless = SharedNumber(0)

    /// Scopes that are never left, one on each thread: only the outermost one clears.
    private static func stopClearing() {
        isCareless.value = 1
        _ = zamok_enter()
    }

    /// As a careless library would: a key of the keybag on the stack and in a freed block, inside the scope that clears
    /// both.
    private func leaveKey() throws {
        try ClearedScope.run {
            try home.keybag.withMetadataKey(.afterFirstUnlock) { key in
                try key.withBytes { span in
                    unsafe span.withUnsafeBytes { bytes in
                        unsafe tools_leave_on_stack(bytes.baseAddress, bytes.count, 4096)
                        unsafe tools_leave_in_freed_block(bytes.baseAddress, bytes.count, 136)
                    }
                }
            }
        }
    }

    private func count() throws -> Int {
        var query = ItemQuery(.genericPassword)
        query.limit = nil
        do {
            return try store.items(matching: query, withSecret: true).count
        } catch {
            guard error.code == .itemNotFound else { throw error }
            return 0
        }
    }
}

/// What a search of this process's memory has to find, or it can't find anything.
private enum Planted {
    private static let inHeap = Locked<[UInt8]>([])

    static func plant() {
        let bytes = (0..<32).map { UInt8(truncatingIfNeeded: $0 * 37 + 11) }
        inHeap.withLock { $0 = bytes }
        unsafe tools_leave_on_stack(bytes, bytes.count, 16_384)
    }
}

/// Always answers the same, and counts how often.
private final class Person: Prompter {
    private let state: Locked<(answer: String, count: Int)>

    init(_ answer: String) { state = Locked((answer, 0)) }

    var askedCount: Int { state.withLock { $0.count } }

    func say(_ answer: String) { state.withLock { $0.answer = answer } }

    func answer(_ request: PromptRequest) throws(DataProtectionError) -> SecretBytes {
        let answer = state.withLock { state in
            state.count += 1
            return state.answer
        }
        do {
            guard answer == "wait" else { return try SecretBytes(text: answer) }
            // The next line is the answer.
            Conversation.say("asked")
            return try SecretBytes(text: readLine() ?? "")
        } catch {
            throw DataProtectionError(.notAvailable, "no memory", cause: error)
        }
    }
}
