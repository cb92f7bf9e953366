// SPDX-License-Identifier: Apache-2.0

import Foundation
import SecretMemory
import TestSupport
import Testing

@testable import Credentials

/// The provider on a bus of its own, and clients that speak the protocol by hand.
@Suite(.enabled(if: SecretsScene.hasPrograms, "this system has no dbus-daemon, dbus-send or secret-tool"))
struct SecretServiceBusTests {
    private static let locked = "org.freedesktop.Secret.Error.IsLocked"

    private func failure(_ body: () throws -> Void) -> String? {
        do { try body() } catch { return (error as? BusFailure)?.name ?? "\(error)" }
        return nil
    }

    private func process(_ scene: SecretsScene, _ name: String = "provider") throws -> Int32 {
        let text = try String(contentsOfFile: "\(scene.folder)/\(name).pid", encoding: .utf8)
        return try #require(Int32(text.trimmingCharacters(in: .whitespacesAndNewlines)))
    }

    // MARK: Floods

    @Test func `while others send without reading, a client is answered, and one that sends too much is refused`()
        throws
    {
        let scene = try SecretsScene()
        let somebody = try BusClient(scene)
        let session = try somebody.openSession()
        let item = try somebody.create([("who", "somebody")], Array("mine".utf8), session)
        let floods = try (0..<4).map { _ in try BusClient(scene) }
        let calls = 1500
        for flood in floods {
            for _ in 0..<calls {
                try flood.send(BusClient.root, BusClient.service, "SearchItems", [.array("{ss}", [])])
            }
        }
        let begin = ContinuousClock.now
        #expect(try somebody.search([("who", "somebody")]).unlocked == [item])
        #expect(try somebody.secret(item, session) == Array("mine".utf8))
        let time = ContinuousClock.now - begin
        var (answers, refused) = (0, 0)
        for flood in floods {
            var ends = 0
            _ = try flood.waited(60) { message -> Bool? in
                switch message.kind {
                case .reply: answers += 1
                case .failure(_, let name):
                    #expect(name == "org.freedesktop.DBus.Error.LimitsExceeded")
                    refused += 1
                default: return nil
                }
                ends += 1
                return ends == calls ? true : nil
            }
        }
        // Everything is answered, in one way or the other.
        #expect(answers + refused == floods.count * calls)
        #expect(refused > 0 && answers > 0)
        // All of it takes longer than the one call in the middle.
        let all = ContinuousClock.now - begin
        #expect(time < all, "\(time) of \(all)")
    }

    // MARK: Each program for itself

    @Test func `with --separate a program finds nothing of another one, and finds its own again`() throws {
        let scene = try SecretsScene("--separate")
        try scene.expect("cp /usr/bin/secret-tool other-tool; chmod 700 other-tool", "")
        try scene.expect("printf %s m-secret | secret-tool store --label=Mail user anna", "")
        try scene.expect("secret-tool lookup user anna", "m-secret")
        try scene.expect("./other-tool lookup user anna", "", status: 1)
        try scene.expect("printf %s o-secret | ./other-tool store --label=Mail user anna", "")
        try scene.expect("./other-tool lookup user anna; secret-tool lookup user anna", "o-secretm-secret")
        try scene.expect("./other-tool clear user anna; secret-tool lookup user anna", "m-secret")
        try scene.expect(
            "zamok keychain list --group org.freedesktop.secrets --json | grep -c user=anna", "0\n", status: 1)
    }

    // MARK: Prompts

    @Test func `dismissing a prompt ends the program that asks, and a passcode typed into it unlocks nothing`() throws {
        let scene = try SecretsScene()
        guard try scene.stage.has("kernel-keyring") else { return }
        try scene.restart(
            asking: "echo $$ > $D/asking; while [ ! -e $D/typed ]; do sleep 0.05; done; cat $D/passcode")
        let client = try BusClient(scene)
        let session = try client.openSession()
        let item = try client.create([("a", "1")], Array("one".utf8), session)
        try scene.expect("zamok lock", "")
        let prompt = try #require(
            try client.call(BusClient.root, BusClient.service, "Unlock", [.paths([item])]).last?.path)
        _ = try client.call(prompt, "org.freedesktop.Secret.Prompt", "Prompt", [.text("")])
        try scene.expect(
            "for i in $(seq 200); do [ -s $D/asking ] && break; sleep 0.05; done; kill -0 $(cat $D/asking)", "")
        _ = try client.call(prompt, "org.freedesktop.Secret.Prompt", "Dismiss")
        try scene.expect(
            "for i in $(seq 200); do kill -0 $(cat $D/asking) 2> log || break; sleep 0.05; done; kill -0 $(cat $D/asking) 2> log || echo gone",
            "gone\n")
        try scene.expect("touch $D/typed; sleep 0.2", "")
        #expect(failure { _ = try client.secret(item, session) } == Self.locked)
        #expect(client.signals.filter { $0.member == "Completed" }.count == 1)
    }

    // MARK: The home

    @Test func `a provider whose home was moved away writes nothing more into it, and ends`() throws {
        let scene = try SecretsScene()
        let client = try BusClient(scene)
        let session = try client.openSession()
        _ = try client.create([("a", "1")], Array("one".utf8), session)
        try scene.expect("mv $D/home $D/aside; cp -R $D/aside $D/home", "")
        #expect(failure { _ = try client.create([("a", "2")], Array("two".utf8), session) } != nil)
        try scene.expect(
            "for i in $(seq 200); do kill -0 $(cat $D/provider.pid) 2> log || break; sleep 0.05; done; cat $D/provider.log",
            "zamok: the home was erased, moved away or replaced; this ends, and the next one serves what is there\n")
        try scene.expect(
            "mv $D/home $D/copy; mv $D/aside $D/home; zamok keychain list --group org.freedesktop.secrets | wc -l",
            "1\n")
    }

    // MARK: Memory

    @Test(
        .disabled(if: MemorySearch.isHindered), .enabled(if: geteuid() == 0, "only root reads such a process's memory"))
    func
        `after a lock the provider's memory has no secret of an item, stored or read, and none of the session's collection`()
        throws
    {
        let scene = try SecretsScene()
        guard try scene.stage.has("kernel-keyring") else { return }
        let client = try BusClient(scene)
        let session = try client.openSession()
        // Of sizes for which blocks come from different places.
        let sizes = [24, 200, 1000, 5000, 100_000]
        let secrets = sizes.map { size in
            (0..<size).map { _ in UInt8.random(in: UInt8(ascii: "a")...UInt8(ascii: "z")) }
        }
        for (number, secret) in secrets.enumerated() {
            let item = try client.create([("number", "needle-\(number)")], secret, session)
            #expect(try client.secret(item, session) == secret)
        }
        let provider = try process(scene)
        let needles = secrets.flatMap { secret in
            stride(from: 0, through: secret.count - 16, by: max(16, secret.count / 8)).map {
                Array(secret[$0..<$0 + 16])
            }
        }
        try scene.expect("zamok lock", "")
        #expect(failure { _ = try client.openSession() } == nil)
        #expect(try client.search([("number", "needle-0")]).locked.count == 1)
        // The same search finds what is there.
        #expect(try !MemorySearch.search(process: provider, for: [Array("/org/freedesktop/secrets".utf8)]).isEmpty)
        let hits = try MemorySearch.search(process: provider, for: needles, inArena: true)
        #expect(hits.isEmpty, "\(hits)")
    }
}
