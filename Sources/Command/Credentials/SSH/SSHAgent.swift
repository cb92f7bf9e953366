// SPDX-License-Identifier: Apache-2.0

package import DataProtection
import Foundation
import KeychainEngine
import Keychains
import Readers
import Sealing
import SecretMemory

/// An agent of ssh over a keychain (draft-ietf-sshm-ssh-agent): one message in, one out. It keeps no private key: each is opened for one signature, or for those that
/// wait for it at the same moment.
package final class SSHAgent {
    /// Bytes of the longest message, as in OpenSSH.
    package static let messageLimit = 256 << 10
    /// How many keys are told at most.
    static let keyLimit = 64

    /// What is answered to a message.
    package enum Answer: Sendable {
        case now([UInt8])
        /// A person is asked: takes as long as that takes, and may be called on any thread.
        case later(@Sendable () -> [UInt8])
    }

    private enum Number {
        static let failure: UInt8 = 5
        static let success: UInt8 = 6
        static let requestIdentities: UInt8 = 11
        static let identitiesAnswer: UInt8 = 12
        static let signRequest: UInt8 = 13
        static let signResponse: UInt8 = 14
        static let removeIdentity: UInt8 = 18
        static let removeAllIdentities: UInt8 = 19
        static let lock: UInt8 = 22
        static let unlock: UInt8 = 23
        static let extend: UInt8 = 27
        static let extensionFailure: UInt8 = 28
        static let extensionResponse: UInt8 = 29
    }

    private static let sessionBind = "session-bind@openssh.com"
    private static let query = "query"
    private static let failure = Answer.now([Number.failure])
    private static let success = Answer.now([Number.success])

    private let home: Home
    private let pairs: KeyPairs
    /// Whether connections over which another machine asks get nothing.
    private let refusesForwarded: Bool
    private let now: () -> ContinuousClock.Instant
    /// Public keys that `ssh-add -d` took out of this agent; the keychain keeps them.
    private var removed: Set<[UInt8]> = []
    /// What `ssh-add -x` locked the agent with.
    private var word: Secret?
    private var wrongWords = 0
    private var nextTry: ContinuousClock.Instant?
    /// The key that was opened last in the present turn; never between two turns.
    private var opened: Opened?
    private var isInTurn = false

    private struct Opened {
        let reference: PersistentReference
        let key: KeyMaterial
        let end: ContinuousClock.Instant
    }

    /// How long a key stays open for others that wait for it.
    private static let openTime = Duration.milliseconds(50)

    package init(
        _ home: Home, refusesForwarded: Bool = false, now: @escaping () -> ContinuousClock.Instant = { .now }
    ) {
        self.home = home
        self.refusesForwarded = refusesForwarded
        self.now = now
        pairs = KeyPairs(Keychain(home: home))
    }

    /// The answer to a message, both without their length.
    package func answer(_ message: [UInt8], _ session: inout SSHAgentSession) -> Answer {
        var reader = SSHReader(message)
        do {
            let number = try reader.byte()
            guard !isRefused(session) || Self.forEverybody.contains(number) else { return Self.failure }
            switch number {
            case Number.requestIdentities:
                try reader.end()
                return try identities(session)
            case Number.signRequest: return try sign(&reader, session)
            case Number.removeIdentity: return try remove(&reader)
            case Number.removeAllIdentities:
                try reader.end()
                return try removeAll()
            case Number.lock: return try lock(&reader)
            case Number.unlock: return try unlock(&reader)
            case Number.extend: return try extend(&reader, &session)
            // Keys are added by the command, which asks what they are to be called and when they may be used: zamok keys import.
            default: return Self.failure
            }
        } catch {
            return Self.failure
        }
    }

    /// Answers to messages that are here at the same moment. What they have sign is opened once for those that follow each other: making an RSA key ready takes half as long
    /// as its signature. Whether they may be signed is looked at for each.
    package func turn<Failure: Error>(_ answers: () throws(Failure) -> Void) throws(Failure) {
        isInTurn = true
        var outcome = Result<Void, Failure>.success(())
        // What is thrown is the body's own, and comes out below.
        try? ClearedScope.run(depth: ClearedScope.depthOfMany) {
            defer { (opened, isInTurn) = (nil, false) }
            do throws(Failure) { try answers() } catch { outcome = .failure(error) }
        }
        try outcome.get()
    }

    /// Messages that change nothing and tell of no key: the list is empty then.
    private static let forEverybody = [Number.requestIdentities, Number.extend]

    /// Whether another machine asks, and is to get nothing: it neither uses keys nor takes them from who works here.
    private func isRefused(_ session: SSHAgentSession) -> Bool { refusesForwarded && session.isForwarded }

    /// Whether nothing is told and nothing signed. The home's state is looked at each time: nothing is remembered of it.
    private func isClosed(_ session: SSHAgentSession) -> Bool {
        word != nil || isRefused(session) || home.keybag.lockState != .unlocked
    }

    private func offered() throws -> [(key: [UInt8], name: String)] {
        try pairs.all().lazy.filter(\.isOffered).compactMap { pair in
            pair.publicKey?.sshPublicKey.map { (key: $0, name: pair.name) }
        }.filter { !self.removed.contains($0.key) }
    }

    private func identities(_ session: SSHAgentSession) throws -> Answer {
        let keys = isClosed(session) ? [] : try offered().prefix(Self.keyLimit)
        var writer = ByteWriter(capacity: 4096)
        writer.append([Number.identitiesAnswer])
        writer.integer(UInt32(keys.count))
        for (key, name) in keys {
            writer.prefixed(key)
            // A line of authorized_keys for whoever takes it from `ssh-add -L`.
            writer.prefixed(text: String(name.printable.prefix(256)))
        }
        return .now(writer.bytes)
    }

    private func sign(_ reader: inout SSHReader, _ session: SSHAgentSession) throws -> Answer {
        let (bytes, data, flags) = (Array(try reader.string()), Data(try reader.string()), try reader.number())
        try reader.end()
        guard !isClosed(session), !removed.contains(bytes) else { return Self.failure }
        let key = try KeyMaterial(sshPublicKey: bytes)
        // RFC 8332 by the flags of the draft; RSA with SHA-1, which no flag means, is not signed.
        let wanted: SSHSignature? = flags & 4 != 0 ? .rsaSHA512 : flags & 2 != 0 ? .rsaSHA256 : nil
        guard let way = key.sshSignature(wanted) else { return Self.failure }
        let pair = try pairs.offered(key)
        let pairs = pairs
        guard pair.asks.isEmpty else {
            return .later {
                let context = AuthenticationContext()
                context.reason = "to sign for ssh"
                return (try? Self.signed(data, way, pair, pairs, context)) ?? [Number.failure]
            }
        }
        return .now(try signedInTurn(data, way, pair))
    }

    private func signedInTurn(_ data: Data, _ way: SSHSignature, _ pair: KeyPair) throws -> [UInt8] {
        guard isInTurn, let reference = pair.privateItem.persistentReference else {
            return try Self.signed(data, way, pair, pairs, nil)
        }
        let time = now()
        if let opened, opened.reference == reference, time < opened.end {
            return Self.response(try opened.key.sshSigned(data, way))
        }
        opened = nil
        guard let key = try pairs.open(pair).material() else { return [Number.failure] }
        opened = Opened(reference: reference, key: key, end: time + Self.openTime)
        return Self.response(try key.sshSigned(data, way))
    }

    private static func signed(
        _ data: Data, _ way: SSHSignature, _ pair: KeyPair, _ pairs: KeyPairs, _ context: AuthenticationContext?
    ) throws -> [UInt8] {
        let item = try pairs.open(pair, authentication: context)
        let signature = try ClearedScope.run(depth: ClearedScope.depthOfMany) {
            try item.material()?.sshSigned(data, way)
        }
        return signature.map(response) ?? [Number.failure]
    }

    private static func response(_ signature: [UInt8]) -> [UInt8] {
        var writer = ByteWriter(capacity: signature.count + 8)
        writer.append([Number.signResponse])
        writer.prefixed(signature)
        return writer.bytes
    }

    // MARK: What `ssh-add` asks besides

    private func remove(_ reader: inout SSHReader) throws -> Answer {
        let key = Array(try reader.string())
        try reader.end()
        guard word == nil, try offered().contains(where: { $0.key == key }) else { return Self.failure }
        removed.insert(key)
        return Self.success
    }

    private func removeAll() throws -> Answer {
        guard word == nil else { return Self.failure }
        removed.formUnion(try offered().map(\.key))
        return Self.success
    }

    private func lock(_ reader: inout SSHReader) throws -> Answer {
        let given = try Secret(copying: try reader.string())
        try reader.end()
        guard word == nil else { return Self.failure }
        word = given
        wrongWords = 0
        return Self.success
    }

    /// After a wrong word none is looked at for a while, which grows to 10 s: nobody is held up meanwhile.
    private func unlock(_ reader: inout SSHReader) throws -> Answer {
        let given = try Secret(copying: try reader.string())
        try reader.end()
        let time = now()
        guard let word, nextTry.map({ $0 <= time }) ?? true else { return Self.failure }
        guard try word.isEqual(to: given) else {
            wrongWords += 1
            nextTry = time + .seconds(min(10, wrongWords))
            return Self.failure
        }
        (self.word, nextTry) = (nil, nil)
        return Self.success
    }

    private func extend(_ reader: inout SSHReader, _ session: inout SSHAgentSession) throws -> Answer {
        switch try reader.text() {
        case Self.sessionBind:
            return session.bind(&reader) ? Self.success : .now([Number.extensionFailure])
        case Self.query:
            var writer = ByteWriter()
            writer.append([Number.extensionResponse])
            for name in [Self.query, Self.query, Self.sessionBind] { writer.prefixed(text: name) }
            return .now(writer.bytes)
        default: return Self.failure
        }
    }
}
