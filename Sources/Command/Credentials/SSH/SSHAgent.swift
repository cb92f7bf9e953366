// SPDX-License-Identifier: Apache-2.0

package import DataProtection
import Foundation
import KeychainEngine
import Keychains
import Readers
import Sealing
import SecretMemory

/// An ssh agent over a keychain (draft-ietf-sshm-ssh-agent): one message in, one out.
/// It keeps no private key of the keychain. Each is opened for one signature, or for signatures that are requested at
/// the same moment.
package final class SSHAgent {
    /// The maximum length of a message in bytes, as in OpenSSH.
    package static let messageLimit = 256 << 10
    /// The maximum number of keys in a list.
    static let keyLimit = 64

    /// The answer to a message.
    package enum Answer: Sendable {
        case now([UInt8])
        /// An answer that takes time, for example because the user is prompted. May be called on any thread.
        case later(@Sendable () -> [UInt8])
    }

    private enum Number {
        static let failure: UInt8 = 5
        static let success: UInt8 = 6
        static let requestIdentities: UInt8 = 11
        static let identitiesAnswer: UInt8 = 12
        static let signRequest: UInt8 = 13
        static let signResponse: UInt8 = 14
        static let addIdentity: UInt8 = 17
        static let removeIdentity: UInt8 = 18
        static let removeAllIdentities: UInt8 = 19
        static let addProvider: UInt8 = 20
        static let removeProvider: UInt8 = 21
        static let lock: UInt8 = 22
        static let unlock: UInt8 = 23
        static let addIdentityConstrained: UInt8 = 25
        static let addProviderConstrained: UInt8 = 26
        static let extend: UInt8 = 27
        static let extensionFailure: UInt8 = 28
        static let extensionResponse: UInt8 = 29
    }

    private static let sessionBind = "session-bind@openssh.com"
    private static let query = "query"
    static let failure = Answer.now([Number.failure])
    static let done = [Number.success]
    static let success = Answer.now(done)

    /// Prompts the user whether a key may be used, given its name and its fingerprint.
    package typealias Confirming = @Sendable (_ name: String, _ fingerprint: String) -> Bool

    let home: Home
    private let pairs: KeyPairs
    /// Whether connections that another machine uses get nothing.
    private let refusesForwarded: Bool
    private let confirming: Confirming?
    let now: () -> ContinuousClock.Instant
    private var added = SSHAddedKeys()
    /// The last constraints of `ssh-add -s zamok`, which also apply to keys that are added to the keychain later.
    var constraintsOfAll: SSHAddedKeys.Entry?
    /// Public keys that `ssh-add -d` removed from this agent. The keychain keeps them.
    private var removed: Set<[UInt8]> = []
    /// The word with which `ssh-add -x` locked the agent.
    private var lockWord: Secret?
    private var wrongWords = 0
    /// An attempt before this is delayed until then.
    private var nextTry: ContinuousClock.Instant?
    /// The end of the delay of an attempt. Until then other attempts fail.
    private var heldUntil: ContinuousClock.Instant?
    /// The number of the current lock. A delayed answer runs on another thread, so it only notes the number of the lock
    /// that it opens. The next message opens that lock.
    private var lockNumber = 0
    private let openedLock = OpenedLock()
    /// The key that was opened last in the current turn. Nil between turns.
    private var opened: Opened?
    private var isInTurn = false
    private let questions = OpenQuestions()

    private final class OpenedLock: Sendable { let number = Locked(0) }

    private struct Opened {
        let reference: PersistentReference
        let key: KeyMaterial
        let end: ContinuousClock.Instant
    }

    /// How long a key stays open for other requests in the turn.
    private static let openTime = Duration.milliseconds(50)

    package init(
        _ home: Home, refusesForwarded: Bool = false, confirming: Confirming? = nil,
        now: @escaping () -> ContinuousClock.Instant = { .now }
    ) {
        self.home = home
        self.confirming = confirming
        self.refusesForwarded = refusesForwarded
        self.now = now
        pairs = KeyPairs(Keychain(home: home))
    }

    /// The answer to a message, both without their length prefix.
    package func answer(_ message: [UInt8], _ session: inout SSHAgentSession) -> Answer {
        removed.formUnion(added.removeExpired(now()))
        if lockWord != nil, openedLock.number.withLock({ $0 }) == lockNumber { (lockWord, nextTry) = (nil, nil) }
        defer { voidQuestions() }
        var reader = SSHReader(message)
        do {
            let number = try reader.byte()
            guard !isRefused(session) || Self.alwaysAllowed.contains(number) else { return Self.failure }
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
            case Number.addIdentity: return try add(&reader, constrained: false, session)
            case Number.addIdentityConstrained: return try add(&reader, constrained: true, session)
            case Number.addProvider: return try addProvider(&reader, constrained: false, session)
            case Number.addProviderConstrained: return try addProvider(&reader, constrained: true, session)
            case Number.removeProvider: return try removeProvider(&reader)
            default: return Self.failure
            }
        } catch {
            return Self.failure
        }
    }

    /// Answers messages that are available at the same moment.
    /// Consecutive signatures by one key open it once. Preparing an RSA key takes half as long as a signature.
    /// Each signature is still checked for permission.
    package func turn<Failure: Error>(_ answers: () throws(Failure) -> Void) throws(Failure) {
        isInTurn = true
        var outcome = Result<Void, Failure>.success(())
        // An error of the body is rethrown below.
        try? ClearedScope.run(depth: ClearedScope.depthOfMany) {
            defer { (opened, isInTurn) = (nil, false) }
            do throws(Failure) { try answers() } catch { outcome = .failure(error) }
        }
        try outcome.get()
    }

    /// Messages that change no key and reveal none, so a refused connection may send them. Its list of keys is empty.
    private static let alwaysAllowed = [Number.requestIdentities, Number.extend]

    /// Whether another machine uses the connection and is refused. It can neither use keys nor remove them.
    private func isRefused(_ session: SSHAgentSession) -> Bool { refusesForwarded && session.isForwarded }

    /// Whether no key is listed and nothing is signed. Checks the home's lock state at each call, and caches nothing.
    func isClosed(_ session: SSHAgentSession) -> Bool {
        lockWord != nil || isRefused(session) || home.keybag.lockState != .unlocked
    }

    /// The keychain's keys. `everyOne`: includes those that were removed from the agent.
    func offered(everyOne: Bool = false) throws -> [(key: [UInt8], name: String)] {
        try pairs.all().lazy.filter(\.isOffered).compactMap { pair in
            pair.publicKey?.sshPublicKey.map { (key: $0, name: pair.name) }
        }.filter { everyOne || !self.isTakenOut($0.key) }
    }

    /// The constraints that `ssh-add` set for a key. Nil: none.
    private func constraints(of key: [UInt8]) -> SSHAddedKeys.Entry? { added[key] ?? constraintsOfAll }

    /// Whether a key of the keychain isn't offered here: it was removed, or the lifetime that applies to it is over.
    private func isTakenOut(_ key: [UInt8]) -> Bool {
        removed.contains(key) || constraints(of: key)?.deadline.map { $0 <= now() } ?? false
    }

    /// The keys of `offered()`, and those that were added only to the agent.
    private func held() throws -> [(key: [UInt8], name: String)] {
        try offered() + added.entries.filter { $0.entry.sealed != nil }.map { ($0.key, $0.entry.comment) }
    }

    /// Whether this connection sees a key, by the destinations that the key is restricted to.
    func isShown(_ key: [UInt8], _ session: SSHAgentSession) -> Bool {
        session.shows(constraints(of: key)?.destinations ?? [], now: Self.wallTime)
    }

    private static var wallTime: UInt64 { UInt64(max(0, Date().timeIntervalSince1970)) }

    var isLockedByWord: Bool { lockWord != nil }

    /// Sets the constraints of a key, and offers it again if it was removed.
    func put(_ key: [UInt8], _ entry: SSHAddedKeys.Entry) -> Answer {
        guard added.put(key, entry) else { return Self.failure }
        // Open prompts about the key were made under other constraints.
        questions.void { $0 == key }
        removed.remove(key)
        return Self.success
    }

    private func identities(_ session: SSHAgentSession) throws -> Answer {
        let keys = isClosed(session) ? [] : try held().filter { isShown($0.key, session) }.prefix(Self.keyLimit)
        var writer = ByteWriter(capacity: 4096)
        writer.append([Number.identitiesAnswer])
        writer.integer(UInt32(keys.count))
        for (key, name) in keys {
            writer.prefixed(key)
            // The name becomes part of an authorized_keys line when `ssh-add -L` prints it.
            writer.prefixed(text: String(name.printable.prefix(256)))
        }
        return .now(writer.bytes)
    }

    private func sign(_ reader: inout SSHReader, _ session: SSHAgentSession) throws -> Answer {
        let (bytes, data, flags) = (Array(try reader.string()), Data(try reader.string()), try reader.number())
        try reader.end()
        guard !isClosed(session), !isTakenOut(bytes) else { return Self.failure }
        let key = try KeyMaterial(sshPublicKey: bytes)
        // RFC 8332 signatures by the draft's flags. RSA with SHA-1, which has no flag, is refused.
        let wanted: SSHSignature? = flags & 4 != 0 ? .rsaSHA512 : flags & 2 != 0 ? .rsaSHA256 : nil
        guard let way = key.sshSignature(wanted) else { return Self.failure }
        let entry = constraints(of: bytes)
        if let entry, !entry.destinations.isEmpty {
            let request = try SSHLoginRequest(Array(data)[...], of: bytes)
            guard session.allows(request, entry.destinations, now: Self.wallTime) else { return Self.failure }
        }
        let (work, asks) = try signing(data, way, key, bytes, entry, session.client)
        // For a key that was added to the keychain later, the entry has no name.
        let name = entry.map { $0.comment.isEmpty ? (try? pairs.offered(key).name) ?? "" : $0.comment }
        guard let entry, entry.confirms else {
            return asks ? asking(bytes, entry?.deadline, work) : .now(try work())
        }
        guard let confirming else { return Self.failure }
        return asking(bytes, entry.deadline) {
            guard confirming(name ?? entry.comment, KeyPair.fingerprint(of: bytes)) else { return nil }
            return try work()
        }
    }

    /// The delayed answer to a signature request. It is a failure if the prompt was voided meanwhile, the lifetime
    /// ended, or the home was locked, even if it was unlocked again.
    private func asking(
        _ key: [UInt8], _ deadline: ContinuousClock.Instant?, _ work: @escaping @Sendable () throws -> [UInt8]?
    ) -> Answer {
        let (questions, number) = (questions, questions.begin(key))
        let (keybag, locks) = (home.keybag, home.keybag.lockCount)
        return .later {
            defer { questions.end(number) }
            let signed = try? work()
            // The real clock: `now` isn't `Sendable`.
            let isInTime = deadline.map { .now < $0 } ?? true
            guard let signed, questions.isOpen(number), isInTime, keybag.lockCount == locks else {
                return [Number.failure]
            }
            return signed
        }
    }

    /// Called after each message. Voids the open prompts that the message has invalidated.
    private func voidQuestions() {
        questions.void { lockWord != nil || isTakenOut($0) }
    }

    /// The closure that makes the signature, and whether it may take long: the user is prompted, or the TPM works.
    private func signing(
        _ data: Data, _ way: SSHSignature, _ key: KeyMaterial, _ bytes: [UInt8], _ entry: SSHAddedKeys.Entry?,
        _ client: Int32?
    ) throws -> (work: @Sendable () throws -> [UInt8], asks: Bool) {
        if let sealed = entry?.sealed {
            let keybag = home.keybag
            return ({ try Self.signed(data, way) { try SSHAddedKeys.open(sealed, of: bytes, keybag) } }, false)
        }
        let (pairs, pair) = (pairs, try pairs.offered(key))
        let context = AccessContext(.agent, .sign, client: client)
        // A TPM may take a while, too.
        let asks = !pair.asks.isEmpty || pair.isInTPM
        // With a confirmation, nothing is signed before the answer.
        guard asks || entry?.confirms ?? false else {
            let answer = try AccessContext.$current.withValue(context) { try signedInTurn(data, way, pair) }
            return ({ answer }, false)
        }
        let work = { @Sendable () throws -> [UInt8] in
            let answer = asks ? AuthenticationContext() : nil
            answer?.reason = "to sign for ssh"
            let item = try AccessContext.$current.withValue(context) {
                try pairs.open(pair, authentication: answer)
            }
            return try Self.signed(data, way) { try item.material() }
        }
        return (work, asks)
    }

    private func signedInTurn(_ data: Data, _ way: SSHSignature, _ pair: KeyPair) throws -> [UInt8] {
        guard isInTurn, let reference = pair.privateItem.persistentReference else {
            return try Self.signed(data, way) { try pairs.open(pair).material() }
        }
        let time = now()
        if let opened, opened.reference == reference, time < opened.end {
            try note(pair, reference)
            return Self.response(try opened.key.sshSigned(data, way))
        }
        opened = nil
        guard let key = try pairs.open(pair).material() else { return [Number.failure] }
        opened = Opened(reference: reference, key: key, end: time + Self.openTime)
        return Self.response(try key.sshSigned(data, way))
    }

    /// Adds a line to the access log, which has one for each signature, not only for each opening of a key.
    private func note(_ pair: KeyPair, _ reference: PersistentReference) throws {
        let log = try AccessLog.of(home)
        guard log.isOn else { return }
        try log.note([
            AccessUse(
                itemClass: 4, item: Array(reference.bytes.dropFirst(4)), name: pair.name, source: .agent,
                operation: .sign)
        ])
    }

    private static func signed(_ data: Data, _ way: SSHSignature, _ open: () throws -> KeyMaterial?) throws -> [UInt8] {
        let signature = try ClearedScope.run(depth: ClearedScope.depthOfMany) { try open()?.sshSigned(data, way) }
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
        guard lockWord == nil, try held().contains(where: { $0.key == key }) else { return Self.failure }
        removed.insert(key)
        added.remove(key)
        return Self.success
    }

    private func removeAll() throws -> Answer {
        guard lockWord == nil else { return Self.failure }
        added.removeAll()
        questions.void { _ in true }
        return try removeOffered()
    }

    func removeOffered() throws -> Answer {
        let keys = try offered().map(\.key)
        removed.formUnion(keys)
        for key in keys { added.remove(key) }
        return Self.success
    }

    private func lock(_ reader: inout SSHReader) throws -> Answer {
        let given = try Secret(copying: try reader.string())
        try reader.end()
        guard lockWord == nil else { return Self.failure }
        lockWord = given
        wrongWords = 0
        lockNumber += 1
        return Self.success
    }

    /// After a wrong word the answer to the next one, right or wrong, is delayed, by up to 10 s.
    /// Other attempts fail meanwhile. Guessing is slow therefore, and a right word after a wrong one still succeeds.
    private func unlock(_ reader: inout SSHReader) throws -> Answer {
        let given = try Secret(copying: try reader.string())
        try reader.end()
        let time = now()
        guard let lockWord, heldUntil.map({ $0 <= time }) ?? true else { return Self.failure }
        let isRight = try lockWord.isEqual(to: given)
        let begin = max(time, nextTry ?? time)
        if !isRight {
            wrongWords += 1
            nextTry = begin + .seconds(min(10, wrongWords))
        }
        guard begin > time else {
            guard isRight else { return Self.failure }
            (self.lockWord, nextTry) = (nil, nil)
            return Self.success
        }
        heldUntil = begin
        let (openedLock, number, wait) = (openedLock, lockNumber, time.duration(to: begin))
        return .later {
            usleep(UInt32(wait / .seconds(1) * 1e6))
            guard isRight else { return [Number.failure] }
            openedLock.number.withLock { $0 = number }
            return Self.done
        }
    }

    private func extend(_ reader: inout SSHReader, _ session: inout SSHAgentSession) throws -> Answer {
        switch try reader.text() {
        case Self.sessionBind:
            return session.bind(&reader) ? Self.success : .now([Number.extensionFailure])
        case Self.query:
            var writer = ByteWriter()
            writer.append([Number.extensionResponse])
            // The request that this answers, then the extensions.
            writer.prefixed(text: Self.query)
            for name in [Self.query, Self.sessionBind] { writer.prefixed(text: name) }
            return .now(writer.bytes)
        default: return Self.failure
        }
    }
}
