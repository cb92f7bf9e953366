// SPDX-License-Identifier: Apache-2.0

import Crypto
public import DataProtection
import KeychainEngine
import Readers
import SyncEngines
public import SyncLog
import SyncMerge

extension KeychainSync {
    /// Founds an account. The first `now` sends the synchronizable items of this home.
    public static func create(
        _ home: Home, on engine: AnyEngine, at url: String, name: String
    ) async throws -> KeychainSync {
        let device = try DeviceKeys()
        let (genesis, _) = try LogWriter.genesis(by: device)
        return try await found(home, genesis, device, on: engine, at: url, name: name, group: nil)
    }

    static func found(
        _ home: Home, _ genesis: [UInt8], _ device: DeviceKeys, on engine: AnyEngine, at url: String, name: String,
        group: String?
    ) async throws -> KeychainSync {
        try SyncState.mustBeReadable(engine: url, name: name)
        let lock = try hold(home, group)
        let store = try LogStore(home, group)
        try refuseSecond(store)
        let replica = try LogReplica(genesis: genesis, account: nil, device: device)
        let state = SyncState(account: replica.state.account, engine: url, name: name, record: device.record.bytes)
        var sync = KeychainSync(home, store, lock, state, replica, engine)
        sync.state.written = replica.written
        // Kept first: an engine that lacks an entry receives it again.
        try sync.keep(device)
        do { try await sync.member.pull() } catch {
            // The account has no other member, and its first entry may be stored nowhere: another URL can be tried
            // at once.
            try forget(home, group: group)
            throw error
        }
        return sync
    }

    /// Checks whether a home may join or found an account, before anything else is done or asked for.
    /// - Throws: `.duplicateItem` if it is in an account, unless it has begun to join that one; `.locked` before the
    ///   first unlock.
    public static func mustHaveNone(_ home: Home, but begun: Digest32? = nil) throws {
        if let begun, try settings(of: home)?.account == begun { return }
        try refuseSecond(LogStore(home, nil))
    }

    static func refuseSecond(_ store: LogStore) throws {
        guard try store.syncRead({ try $0.record(RecordName.state) }) == nil else {
            if let group = store.group {
                throw KeychainError(
                    .duplicateItem,
                    "this home has a group \(group.printable) already; `zamok share leave \(group.printable)` ends that"
                )
            }
            throw KeychainError(
                .duplicateItem,
                "this home is in an account already; `zamok sync leave` ends that, or without its engine `zamok sync leave --here`"
            )
        }
    }

    /// Keeps the keys, and the log as it is. `stored`: the snapshot at which the log begins, which is kept as long as
    /// it can't be opened.
    mutating func keep(_ device: DeviceKeys, _ stored: StoredSnapshot? = nil) throws {
        // What is in the access group by now is of another group, or of none: in the same transaction, so that no round
        // can come between.
        var aside: SetAside?
        state = try store.syncWrite(changesItems: store.group != nil) { access in
            aside = try store.group.flatMap { try access.setAside(group: $0) }
            try Self.keep(device, generation: 0, access)
            var state = state
            let first = member.replica.firstKept
            guard first > 1 else { return try keep(state, access) }
            // The log begins at a snapshot, so the entries alone are not enough.
            (state.first, state.place) = (first, first - 1)
            state = try keepBase(try keep(state, access), access)
            if state.base == 0, let stored {
                try Self.keep(stored, access)
                return state
            }
            guard state.base > 0 else {
                throw SyncLogError(.unknownSnapshot, "the snapshot doesn't open; nothing was joined, so begin anew")
            }
            return state
        }
        setAside = aside
    }

    /// Joins an account: begins a handshake under `id`, which a member accepts with ``approve(_:patience:confirm:)``.
    /// `confirm` gets the words, and returns whether the member's are the same.
    public static func join(
        _ home: Home, account: Digest32, on engine: AnyEngine, at url: String, name: String, id: [UInt8],
        patience: Duration, confirm: (String) throws -> Bool
    ) async throws -> KeychainSync {
        try await join(
            home, account: account, on: engine, at: url, name: name, id: id, patience: patience, for: nil, group: nil
        ) { words, _ in try confirm(words) }
    }

    static func join(
        _ home: Home, account: Digest32, on engine: AnyEngine, at url: String, name: String, id: [UInt8],
        patience: Duration, for person: HandshakePerson?, group: String?,
        confirm: (String, Applicant.Answered) throws -> Bool
    ) async throws -> KeychainSync {
        try SyncState.mustBeReadable(engine: url, name: name)
        let lock = try hold(home, group)
        let store = try LogStore(home, group)
        try refuseSecond(store)
        // Without the account there would never be an answer.
        try await SyncMember<AnyEngine>.mustExist(account, on: engine)
        let device = try DeviceKeys()
        let applicant = try Applicant(
            device.record, id: id, nonce: SymmetricKey(size: .bits256).exposingBytes, for: person)
        guard try await engine.put(applicant.first, at: .join(id: id, step: 1), of: account) == .done else {
            throw SyncEngineError(.refused, "a hand-shake with this code was begun before; begin anew")
        }
        let end = ContinuousClock.now + patience
        let second = try await message(2, id, account, engine, until: end)
        let answered = try applicant.answer(second)
        guard answered.account == account else {
            throw SyncLogError(.notALog, "the answer is of another account; begin anew")
        }
        _ = try await engine.put(answered.third, at: .join(id: id, step: 3), of: account)
        let compare = { (words: String) throws -> Bool in try confirm(words, answered) }
        guard try await confirmed(answered.words, id, WordsAnswer.byApplicant, account, engine, compare) else {
            throw SyncLogError(
                .wrongWords, "the words differ, so another machine may be between them; nothing was joined")
        }
        let followed = try await follow(device, answered, id, on: engine, until: end)
        try mustBe(group, followed.state)
        let state = SyncState(account: account, engine: url, name: name, record: device.record.bytes)
        var sync = KeychainSync(home, store, lock, state, followed, engine)
        try sync.keep(device)
        return sync
    }

    /// The log, once the compared member has added this device to it.
    private static func follow(
        _ device: DeviceKeys, _ answered: Applicant.Answered, _ id: [UInt8], on engine: AnyEngine,
        until end: ContinuousClock.Instant
    ) async throws -> LogReplica {
        var member = try await SyncMember.follow(answered, device, on: engine)
        while member.replica.member == nil {
            if let message = try await engine.get(.join(id: id, step: WordsAnswer.byApprover), of: answered.account),
                try !WordsAnswer.read(message, step: WordsAnswer.byApprover, id: id)
            {
                throw SyncLogError(
                    .wrongWords, "a person said at the other machine that the words differ; nothing was joined")
            }
            guard ContinuousClock.now < end else {
                throw SyncEngineError(.waiting, "the member has not approved in time; begin anew")
            }
            _ = try await engine.wait(answered.account, after: member.replica.state.place, patience: .seconds(5))
            try await member.pull()
        }
        guard member.replica.state.record(of: answered.approver) == answered.approverRecord else {
            throw SyncLogError(.fork, "the engine shows another log than the member has; nothing was joined")
        }
        let isWrong = member.replica.notices.contains { if case .wrongSnapshot = $0 { true } else { false } }
        guard !isWrong else {
            throw SyncLogError(
                .unknownSnapshot, "the snapshot is not what its own codes say; nothing was joined")
        }
        return member.replica
    }

    /// Prompts the user, and sends the answer to the other machine. The approver sends only a "no", since an addition
    /// means "yes".
    private static func confirmed(
        _ words: String, _ id: [UInt8], _ step: UInt8, _ account: Digest32, _ engine: AnyEngine,
        _ confirm: (String) throws -> Bool
    ) async throws -> Bool {
        let key = SideKey.join(id: id, step: step)
        // No `do` and `catch`: the optimiser of Swift 6.3.1 crashes if that is inlined into `join`.
        let answer = Result { try confirm(words) }
        // Without an answer the other machine need not wait.
        let isSame = (try? answer.get()) ?? false
        guard !isSame || step == WordsAnswer.byApplicant else { return isSame }
        let told = WordsAnswer.message(isSame, step: step, id: id)
        guard case .failure(let error) = answer else {
            _ = try await engine.put(told, at: key, of: account)
            return isSame
        }
        _ = try? await engine.put(told, at: key, of: account)
        throw error
    }

    private static func message(
        _ step: UInt8, _ id: [UInt8], _ account: Digest32, _ engine: AnyEngine, until end: ContinuousClock.Instant
    ) async throws -> [UInt8] {
        var pause = Duration.milliseconds(50)
        while true {
            if let bytes = try await engine.get(.join(id: id, step: step), of: account) { return bytes }
            guard ContinuousClock.now < end else {
                throw SyncEngineError(
                    .waiting,
                    "the other machine has not answered in time; compare the code with what it shows, or begin anew")
            }
            try await Task.sleep(for: pause)
            pause = min(pause * 2, .seconds(1))
        }
    }

    /// Accepts the handshake of a machine that joins, and adds it once the user has compared the words. Returns
    /// its number.
    public mutating func approve(
        _ id: [UInt8], patience: Duration, confirm: (String) throws -> Bool
    ) async throws -> UInt32 {
        let compare = { (words: String, _: [UInt8]?) throws -> Bool in try confirm(words) }
        return try await approve(id, patience: patience, as: nil, confirm: compare) { writer, record, _ in
            try writer.addition(of: record)
        }
    }

    mutating func approve(
        _ id: [UInt8], patience: Duration, as approving: HandshakePerson?,
        confirm: (String, _ key: [UInt8]?) throws -> Bool,
        add: (LogWriter, DeviceRecord, Digest32?) throws -> Entry
    ) async throws -> UInt32 {
        try await member.pull()
        let own = try number()
        let engine = member.engine
        // The machine shows its code before it has stored its first message.
        let first = try await Self.message(
            1, id, state.account, engine, until: .now + (approving == nil ? min(patience, .seconds(15)) : patience))
        let beginning = try await member.beginning(now: Self.clock)
        let approver = try Approver(
            first, state: member.replica.state, as: own, nonce: SymmetricKey(size: .bits256).exposingBytes,
            snapshot: beginning?.place ?? 0, as: approving)
        guard try await engine.put(approver.second, at: .join(id: id, step: 2), of: state.account) == .done else {
            throw SyncEngineError(.refused, "this hand-shake was answered before; let the machine begin anew")
        }
        let third = try await Self.message(3, id, state.account, engine, until: .now + patience)
        let (words, record, person) = try approver.finish(third)
        let compare = { (words: String) throws -> Bool in try confirm(words, person?.key) }
        guard try await Self.confirmed(words, id, WordsAnswer.byApprover, state.account, engine, compare) else {
            throw SyncLogError(
                .wrongWords, "the words differ, so another machine may be between them; nothing was added")
        }
        let answer = try await Self.message(
            WordsAnswer.byApplicant, id, state.account, engine, until: .now + patience)
        guard try WordsAnswer.read(answer, step: WordsAnswer.byApplicant, id: id) else {
            throw SyncLogError(
                .wrongWords,
                "a person said at the other machine that the words differ, or no person answered there; nothing was added"
            )
        }
        try await insist { try add($0, record, person?.id) }
        try await now()
        return member.replica.state.member(record) ?? 0
    }

    /// This device's number.
    /// - Throws: `endedHere` if it is no member.
    func number() throws(SyncLogError) -> UInt32 {
        _ = try member.replica.writer()
        return member.replica.member ?? 0
    }

    /// The members, with the names that they gave themselves.
    public var devices: [SyncDevice] {
        member.replica.state.members.map { number in
            var (name, credential) = ("", String?.none)
            if case .value(let bytes) = member.replica.items[DeviceName.key(number)].value {
                (name, credential) = DeviceName.read(bytes)
            }
            return SyncDevice(
                number: number, name: name, credential: credential, isThis: number == member.replica.member)
        }
    }

    /// Removes members and begins an epoch without them: they can read nothing that is written later. Tickets and the
    /// recovery code also end, since a removed machine may know them and return with them, unless `keepingCodes`.
    ///
    /// With `rotating`, everything is sealed anew afterwards, by a later round if this process ends before. No round
    /// precedes the removal: no entry of a member can prevent it.
    /// - Returns: The tickets that ended, and whether the recovery code did.
    /// - Throws: `notAMember` if one is no member, or is this device; errors of the engine.
    @discardableResult
    public mutating func remove(
        _ numbers: [UInt32], rotating: Bool = false, keepingCodes: Bool = false
    ) async throws -> EndedCodes {
        try await member.pull(without: Set(numbers))
        forgetDeadOutgoing()
        if let own = member.replica.member, numbers.contains(own) {
            throw SyncLogError(.notAMember, "a machine doesn't remove itself: `zamok sync leave` does that")
        }
        for number in numbers where !member.replica.state.members.contains(number) {
            throw SyncLogError(.notAMember, "\(number) is no device of this account; `zamok sync devices` lists them")
        }
        if rotating { try beginRotation() }
        var ended = EndedCodes()
        // Whether keys that are in use were sealed to a code that has ended.
        var needsKeys = false
        for _ in 0..<Self.tries {
            // Codes first, so that the new keys are sealed to none of them. Codes that are added meanwhile
            // end afterwards.
            if !keepingCodes, let number = openCodes.first {
                let isRecovery = number == member.replica.state.recovery
                guard try await member.end(ticket: number, without: Set(numbers)) else { continue }
                needsKeys = true
                if isRecovery { ended.recoveryCode = true } else { ended.tickets.append(number) }
                continue
            }
            // Other members may also remove them.
            let left = numbers.filter { member.replica.state.members.contains($0) }
            if !left.isEmpty {
                if try await member.remove(left) { needsKeys = false }
                continue
            }
            if needsKeys { try await insist { try $0.epoch().entry } }
            try keepLog()
            try await now()
            return ended
        }
        throw Self.busy
    }

    /// The numbers of usable tickets, and of the recovery code.
    private var openCodes: [UInt32] {
        let log = member.replica.state
        return log.tickets.map(\.number) + (log.recovery.map { [$0] } ?? [])
    }

    /// Writes an entry, with a limited number of retries while others take its place.
    mutating func insist(_ make: (LogWriter) throws -> Entry) async throws {
        for _ in 0..<Self.tries where try await member.send(make) { return }
        throw Self.busy
    }

    /// Separate from `leave`: the optimiser of Swift 6.3.1 crashes if the two are one function.
    private mutating func sayLeaving() async throws {
        guard member.replica.state.members.count > 1 else { return }
        try await insist { try $0.leaving() }
    }

    /// Leaves the account, and forgets it here. The items stay.
    public mutating func leave() async throws {
        try await now()
        try await sayLeaving()
        setAside = try Self.forget(home, group: store.group)
    }

    /// Forgets the account here, without a change to the account. The items stay.
    /// - Throws: `.itemNotFound` if the home is in none.
    /// `group`: that shared group instead, by its name. Its items are set aside.
    @discardableResult
    public static func forget(_ home: Home, group: String? = nil) throws -> SetAside? {
        try LogStore(home, group).syncWrite(changesItems: group != nil) { access in
            guard try access.record(RecordName.state) != nil else { throw none(group) }
            try access.forgetAll()
            return try group.flatMap { try access.setAside(group: $0) }
        }
    }

    static var noAccount: KeychainError { none(nil) }

    static func none(_ group: String?) -> KeychainError {
        if let group {
            return KeychainError(
                .itemNotFound, "this home is in no group \(group.printable); `zamok share list` lists its groups")
        }
        return KeychainError(
            .itemNotFound,
            "this home is in no account; found one with `zamok sync create ENGINE-URL`, or `zamok sync join`")
    }
}

/// The codes that a removal ended.
public struct EndedCodes: Sendable, Hashable {
    /// The numbers of the tickets.
    public internal(set) var tickets: [UInt32] = []
    /// Whether the recovery code ended, so that it adds no machine any more.
    public internal(set) var recoveryCode = false
}

/// A member of an account.
public struct SyncDevice: Sendable, Hashable {
    /// Its number, which is never reused.
    public let number: UInt32
    /// The name that it gave itself.
    public let name: String
    /// The engine credential that it stated; nil if the engine needs none, or it has not stated one.
    public let credential: String?
    /// Whether it is this device.
    public let isThis: Bool
}
