// SPDX-License-Identifier: Apache-2.0

import CPlatform
import CTestSupport
import DataProtection
import Files
import Foundation
import SecretMemory
import TPMs

/// test-worker keybag HOME [--umask OCTAL] [--environment]: one process of several on a home. Reads a command a line,
/// answers a line each: "done", a value, or "error CODE". Keys are made and used with the package's own API, and never
/// printed.
final class KeybagWorker {
    private var configuration = Home.Configuration()
    private var home: Home?
    /// One key, wrapped under several classes.
    private var kept: [String: WrappedKey] = [:]
    private var key: Secret?
    private var handOver: KeyHandOver?
    private var lastCurrent: Home?

    static func run(_ arguments: [String]) {
        guard let folder = arguments.first else { exit(64) }
        if let place = arguments.firstIndex(of: "--umask"), let mask = Int(arguments[place + 1], radix: 8) {
            umask(mode_t(mask))
        }
        let worker = KeybagWorker(folder, readsEnvironment: arguments.contains("--environment"))
        while let words = Conversation.words(separator: " ", keepingEmpty: false) {
            Conversation.say(worker.answer(words))
        }
    }

    private init(_ folder: String, readsEnvironment: Bool) {
        configuration.folder = folder
        configuration.identity = ApplicationIdentity(applicationIdentifier: "worker", accessGroups: ["worker"])
        configuration.usesInsecureKDF = true
        configuration.holder = .process
        if !readsEnvironment { configuration.environment = { _ in nil } }
    }

    private func answer(_ words: [String]) -> String {
        do {
            return try answer(words.first ?? "", Array(words.dropFirst()))
        } catch let error as DataProtectionError {
            return "error \(error.code.codeName)"
        } catch let error as SecretMemoryError {
            return "error memory \(error.code == .forked ? "forked" : "other")"
        } catch {
            return "error \(error)"
        }
    }

    private func keybag() throws -> Keybag { try opened().keybag }

    private func opened() throws -> Home {
        if let home { return home }
        let opened = try Home(configuration)
        home = opened
        return opened
    }

    /// From here on the kernel's key service is forbidden, as in a container.
    private func refuseKeyring() -> String {
        let calls = unsafe [tools_system_call("keyctl"), tools_system_call("add_key")]
        let results = calls.map { tools_refuse($0, -1, 0, EPERM) }
        return results.allSatisfy { $0 == 0 } ? "done" : "error seccomp"
    }

    private func answer(_ command: String, _ words: [String]) throws -> String {
        switch command {
        case "open", "close", "session", "kdf", "kill-at", "stop-at", "as-user": return try prepare(command, words)
        case "set": try keybag().setPasscode(secret(words, 0))
        case "change":
            try keybag().changePasscode(from: secret(words, 0), to: secret(words, 1), rotatingKeys: words.count > 2)
        case "remove": try keybag().removePasscode(secret(words, 0))
        case "move":
            let passcode = words.count > 1 ? Secret(try secret(words, 1)) : nil
            try opened().moveDeviceSecret(to: words.first == "tpm" ? .tpm(.none) : .file, passcode: passcode)
        case "bind": try keybag().bindPasscode(secret(words, 0))
        case "unbind": try keybag().unbindPasscode(secret(words, 0))
        case "forget-retired": _ = try keybag().removeRetiredKeys()
        case "unlock":
            try keybag().unlock(
                passcode: secret(words, 0), for: words.count > 1 ? .milliseconds(Int(words[1]) ?? 0) : nil)
        case "lock": try keybag().lock()
        case "leave": try keybag().lockCompletely()
        case "lock-home", "leave-home":
            let scopes: [String: Home.LockScope] = ["root": .root, "everything": .everything]
            try Home.lock(configuration, scopes[words.first ?? ""] ?? .recorded, completely: command == "leave-home")
        case "work-until-refused": return try workUntilRefused()
        case "become-parent": return try becomeParent()
        case "fill-keyring": return try fillKeyring(leaving: Int(words[0]) ?? 0)
        case "published": return try publishedRoles()
        case "state-for-all": return "\(try keybag().isUnlockedForAll)"
        case "run-orphans":
            // Whether one is left dead and unburied for three seconds.
            let script =
                "for i in 1 2 3; do (true &); done; sleep 0.2; n=0; while grep -qs '^State:.Z' /proc/[0-9]*/status && [ $n -lt 60 ]; do n=$((n+1)); sleep 0.05; done; [ $n -lt 60 ]"
            guard case .ended(let status) = Launcher.run(["sh", "-c", script], with: nil) else { return "error run" }
            return "\(status)"
        case "state": return try keybag().lockState.rawValue
        case "erase": try Home.erase(configuration)
        case "keep": try keep(words)
        case "check": return try check(words)
        case "fork": return try inChild { try self.check(words) }
        case "current": return try current()
        case "fork-current": return try inChild { self.answer(["current"]) }
        case "holder": return "\(try opened().status().holder)"
        case "refuse-keyring": return refuseKeyring()
        case "hand-over": return try handOverKeys()
        case "start": return try start(words, configuration.folder ?? "")
        case "start-in": return try start(Array(words.dropFirst()), words[0])
        case "work": return try work(Int(words[0]) ?? 1)
        case "time": return try time(Int(words[0]) ?? 1000)
        // A scope that is never left: only the outermost one clears.
        case "clearing-off": _ = zamok_enter()
        default: return "unknown"
        }
        return "done"
    }

    private func prepare(_ command: String, _ words: [String]) throws -> String {
        switch command {
        case "open":
            configuration.holder = ["kernel": .kernelKeyring, "automatic": .automatic][words.first ?? ""] ?? .process
            home = nil
            _ = try keybag()
        case "close": home = nil
        case "kdf": configuration.usesInsecureKDF = false
        case "as-user":
            guard let user = UInt32(words[0]), setgid(user) == 0, setuid(user) == 0 else { return "error user" }
        case "kill-at", "stop-at":
            let number = command == "kill-at" ? SIGKILL : SIGSTOP
            let steps = Locked(Int(words[0]) ?? 0)
            configuration.fileSystem = FileHooks { step in
                guard [.make, .write, .sync, .rename, .remove, .setMode, .makeFolder].contains(step.operation) else {
                    return 0
                }
                if steps.withLock({
                    $0 -= 1
                    return $0 == 0
                }) {
                    kill(getpid(), number)
                }
                return 0
            }
            home = nil
        default:
            // As an unrelated login: a session of processes, and a session keyring that is linked to nothing.
            setsid()
            return zamok_keyring_join_session() >= 0 ? "done" : "error keyring"
        }
        return "done"
    }

    private func secret(_ words: [String], _ index: Int) throws -> SecretBytes {
        try SecretBytes(copying: Array(words[index].utf8))
    }

    /// Wraps one new key under the classes that are named: their codes.
    private func keep(_ words: [String]) throws {
        let fresh = Secret(try SecretBytes.random(count: 32))
        key = fresh
        for word in words {
            guard let keyClass = UInt8(word).flatMap(KeyClass.init) else { continue }
            kept[word] = try fresh.withSecretBytes { try keybag().wrap($0, for: keyClass) }
        }
    }

    /// Unwraps again: for each class "ok" or what went wrong.
    private func check(_ words: [String]) throws -> String {
        let keybag = try keybag()
        return words.map { word in
            guard let wrapped = kept[word], let key else { return "none" }
            do {
                let isSame = try key.withSecretBytes { try keybag.unwrap(wrapped).isEqual(to: $0) }
                return isSame ? "ok" : "other"
            } catch let error as DataProtectionError {
                return error.code.codeName
            } catch {
                return "\(error)"
            }
        }.joined(separator: " ")
    }

    /// What `body` answers in a child after fork.
    private func inChild(_ body: () throws -> String) throws -> String {
        let pipe = Pipe()
        let child = tools_fork()
        if child == 0 {
            let text = (try? body()) ?? "error"
            pipe.fileHandleForWriting.write(Data("\(text)\n".utf8))
            tools_exit(0)
        }
        _ = tools_wait(child, 0)
        let text = String(decoding: pipe.fileHandleForReading.availableData, as: UTF8.self)
        return text.trimmingCharacters(in: .newlines)
    }

    /// The folder of the current home, and whether it is the object of before.
    private func current() throws -> String {
        let home = try Home.current
        defer { lastCurrent = home }
        return "\(home.folder) \(home === lastCurrent ? "same" : "new")"
    }

    private func handOverKeys() throws -> String {
        handOver = try keybag().handOver()
        guard let handOver else { return "none" }
        unsafe setenv(handOver.environment.name, handOver.environment.value, 1)
        return handOver.environment.value
    }

    /// Starts another worker, which inherits descriptors and environment, asks it one thing, and answers what it said.
    private func start(_ words: [String], _ folder: String) throws -> String {
        let executable = try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
        let command =
            "printf '%s\\n' '\(words.joined(separator: " "))' | '\(executable)' keybag '\(folder)' --environment"
        guard let pipe = unsafe popen(command, "r") else { return "error popen" }
        defer { unsafe pclose(pipe) }
        var line = [CChar](repeating: 0, count: 256)
        guard unsafe fgets(&line, 256, pipe) != nil else { return "error silence" }
        return String(decoding: line.prefix { $0 != 0 && $0 != 10 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
    }

    /// Nanoseconds of one wrap, unwrap and metadata key of a class that is fetched on each call, and of one that isn't.
    private func time(_ count: Int) throws -> String {
        let keybag = try keybag()
        let key = try SecretBytes.random(count: 32)
        var words: [String] = []
        func measure(_ name: String, _ body: () throws -> Void) rethrows {
            try body()
            let begin = DispatchTime.now().uptimeNanoseconds
            for _ in 0..<count { try body() }
            words.append("\(name) \((DispatchTime.now().uptimeNanoseconds - begin) / UInt64(count))")
        }
        for protection in [ProtectionClass.complete, .completeUntilFirstUserAuthentication, .none] {
            let wrapped = try keybag.wrap(key, for: KeyClass(protection))
            try measure("wrap \(protection)") { _ = try keybag.wrap(key, for: KeyClass(protection)) }
            try measure("unwrap \(protection)") { _ = try keybag.unwrap(wrapped) }
        }
        for domain in MetadataDomain.allCases {
            try measure("metadata \(domain)") { try keybag.withMetadataKey(domain) { _ in } }
        }
        measure("generation") { _ = keybag.generation }
        measure("state") { _ = keybag.lockState }
        return words.joined(separator: ", ")
    }

    /// Wraps and unwraps under a class that is usable while unlocked only, until that is refused; why.
    private func workUntilRefused() throws -> String {
        Conversation.say("working")
        while true {
            do {
                let fresh = try SecretBytes.random(count: 32)
                let wrapped = try keybag().wrap(fresh, for: KeyClass(.complete))
                guard try keybag().unwrap(wrapped).isEqual(to: fresh) else { return "lost" }
            } catch let error as DataProtectionError {
                return error.code.codeName
            }
        }
    }

    /// Starts another worker in its own place, which inherits everything and answers from now on. This process only
    /// waits to be killed.
    private func becomeParent() throws -> String {
        let executable = try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
        let texts: [String] = [executable, "keybag", configuration.folder ?? "", "--environment"]
        let words: [UnsafeMutablePointer<CChar>?] = unsafe texts.map { unsafe strdup($0) } + [nil]
        let child = tools_fork()
        if child == 0 {
            if let path = unsafe words[0] { _ = unsafe execv(path, words) }
            tools_exit(1)
        }
        Conversation.say("\(child)")
        while true { pause() }
    }

    /// Uses up what the kernel lets this user keep, but for so many bytes.
    private func fillKeyring(leaving rest: Int) throws -> String {
        // What a process that has ended used up counts until the kernel has collected it.
        let end = ContinuousClock.now + .seconds(20)
        while try keyringQuota().used > keyringQuota().limit / 2, ContinuousClock.now < end { usleep(20_000) }
        // The process's own keyring counts too, which the first attempt makes, and so does the link in it.
        for link in [0, 4, 8] {
            let (used, limit) = try keyringQuota()
            let name = "filler"
            let bytes = [UInt8](repeating: 1, count: max(1, limit - used - rest - name.utf8.count - 1 - link))
            let key = unsafe zamok_key_add("user", name, bytes, bytes.count, ZAMOK_KEYRING_PROCESS)
            if key > 0 { return "done" }
            if key != -EDQUOT { return "error \(key)" }
        }
        return "error quota"
    }

    /// The roles of the groups that this user's keyring has, of all homes.
    private func publishedRoles() throws -> String {
        let keys = try String(contentsOfFile: "/proc/keys", encoding: .utf8).split(separator: "\n")
        let roles = keys.compactMap { line -> Substring? in
            let words = line.split(separator: " ")
            // Flags, of which I is instantiated and R revoked. A key with neither waits to be collected. At the end are
            // the name with a colon, and the length.
            guard words.count > 8, words[1].hasPrefix("I"), !words[1].contains("R"), words[5] == "\(getuid())",
                words[7] == "user", words[8].hasPrefix("zamok:")
            else { return nil }
            let parts = words[8].split(separator: ":")
            return parts.count == 4 ? parts[3] : nil
        }
        return roles.isEmpty ? "none" : roles.sorted().joined(separator: " ")
    }

    /// The bytes that the kernel counts for this user, of how many.
    private func keyringQuota() throws -> (used: Int, limit: Int) {
        let table = try String(contentsOfFile: "/proc/key-users", encoding: .utf8)
        let line = table.split(separator: "\n").first { $0.trimmingPrefix { $0 == " " }.hasPrefix("\(getuid()):") }
        let numbers = line?.split(separator: " ").last?.split(separator: "/").compactMap { Int($0) } ?? []
        guard numbers.count == 2 else { throw CocoaError(.fileReadCorruptFile) }
        return (numbers[0], numbers[1])
    }

    /// Wraps and unwraps `count` times under every usable class. Answers how often that was refused as locked; any
    /// other error ends it.
    private func work(_ count: Int) throws -> String {
        var refused = 0
        var held: [(WrappedKey, Secret)] = []
        for round in 0..<count {
            let fresh = Secret(try SecretBytes.random(count: 32))
            let keyClass = KeyClass(round % 2 == 0 ? .complete : .completeUntilFirstUserAuthentication)
            do {
                let wrapped = try fresh.withSecretBytes { try keybag().wrap($0, for: keyClass) }
                held.append((wrapped, fresh))
                for (wrapped, fresh) in held.suffix(20) {
                    let isSame = try fresh.withSecretBytes { try keybag().unwrap(wrapped).isEqual(to: $0) }
                    if !isSame { return "lost" }
                }
            } catch let error as DataProtectionError where error.code == .locked {
                refused += 1
            }
        }
        return "\(refused)"
    }
}
