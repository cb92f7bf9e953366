// SPDX-License-Identifier: Apache-2.0

package import DataProtection
import KeychainEngine
import Readers
import Sealing
import SecretMemory

/// A guest's use of secrets that it doesn't hold, outside: judges each request that the proxy asks about, by the grants
/// as they are then, and gives the secret for this one request. For any thread.
package final class GuestUses: Sendable {
    /// A placeholder of this run, and the item that it represents.
    package struct Bound: Sendable {
        package let placeholder: String
        package let item: UsedItem

        package init(_ placeholder: String, _ item: UsedItem) { (self.placeholder, self.item) = (placeholder, item) }
    }

    /// Shorter secrets would be found in answers by chance, and can't be taken out of them.
    package static let shortestSecret = 8
    /// Lines of refused requests a minute, so that a guest can't push others out of the log.
    private static let refusedLines = 60

    package let name: GuestName
    private let home: Home
    private let placeholders: [Bound]
    private let bases: [Bound]
    private let process: Int32
    private let prompter: (any GrantPrompter)?
    private let run = RunUses()
    private let state = Locked(State())
    /// Combine lines of the log. Searches, which the guest causes without using anything, don't count as uses.
    private let repeated = RepeatedUses()
    private let repeatedSearches = RepeatedUses()

    private struct State {
        var grants: [UseGrant]?
        var stamp: UInt64 = 0
        /// Items of which this run has had the secret.
        var used: Set<UsedItem> = []
        /// What is put in place of secrets that have no placeholder in this run.
        var replacements: [UsedItem: String] = [:]
        var refusals = RefusalLimit(count: GuestUses.refusedLines)
        var refusalCount = 0
        var lastRefusal: String?
    }

    /// - Parameters:
    ///   - process: The proxy's, for the log.
    ///   - prompter: Asks the person about grants that say so. Nil: these permit nothing.
    package init(
        _ name: GuestName, _ home: Home, _ placeholders: [Bound], bases: [Bound], process: Int32,
        prompter: (any GrantPrompter)? = nil
    ) {
        self.prompter = prompter
        (self.name, self.home, self.placeholders, self.bases, self.process) = (name, home, placeholders, bases, process)
    }

    /// The answer to a question. Never throws: what goes wrong is a refusal. `isStill`: the question was answered
    /// before, and what it permitted goes on; it has had its secrets.
    package func verdict(_ question: ProxyQuestion, isStill: Bool = false) -> ProxyVerdict {
        verdict(question, isStill: isStill, mayAsk: true) ?? .refused(status: 403, "")
    }

    /// The answer to a question that needs no person; nil: one has to be asked, which may take a minute.
    package func verdictAtOnce(_ question: ProxyQuestion) -> ProxyVerdict? {
        verdict(question, isStill: false, mayAsk: false)
    }

    private func verdict(_ question: ProxyQuestion, isStill: Bool, mayAsk: Bool) -> ProxyVerdict? {
        do {
            return .allowed(try isStill ? judgeAgain(question) : judge(question, mayAsk: mayAsk))
        } catch is NeedsPerson {
            return nil
        } catch let refusal as Refusal {
            note(question.host, question.method, question.path, refusal.text)
            return .refused(status: 403, refusal.text)
        } catch {
            let error = KeychainError(error)
            let text = error.code == .locked ? "locked" : "the secret can't be had: \(error.code.meaning)"
            note(question.host, question.method, question.path, text)
            return .refused(status: 403, text)
        }
    }

    private struct Refusal: Error { let text: String }
    private struct NeedsPerson: Error {}

    /// How many requests of this run were refused, or had no answer.
    package var refusalCount: Int { state.withLock { $0.refusalCount } }

    /// The host of the last one, and why; nil: there was none.
    package var lastRefusal: String? { state.withLock { $0.lastRefusal } }

    /// What the proxy notes of an answer that had a secret: nothing was refused.
    private static let found = "the secret was in the answer, and was taken out"

    /// Whether the home is locked.
    package var isLocked: Bool { home.keybag.lockState != .unlocked }

    private func judge(_ question: ProxyQuestion, mayAsk: Bool) throws -> [ProxyVerdict.Given] {
        let (grants, places) = try permitted(question, mayAsk: mayAsk)
        let used = state.withLock { state in
            for (bound, _) in places { state.used.insert(bound.item) }
            return state.used
        }
        var given: [ProxyVerdict.Given] = []
        let searched = searched(question.host, grants, used, Set(places.map(\.0.item)))
        for (bound, place) in places.map({ ($0.0, Optional($0.1)) }) + searched.map({ ($0, nil) }) {
            let mayLack = place == nil && !used.contains(bound.item)
            guard let secret = try secret(of: bound.item, question, isSearched: place == nil, mayLack: mayLack) else {
                continue
            }
            guard secret.count >= Self.shortestSecret else {
                if mayLack { continue }
                throw Refusal(
                    text:
                        "\(bound.item.name) has fewer than \(Self.shortestSecret) bytes, too few to be found in answers"
                )
            }
            given.append(
                .init(placeholder: bound.placeholder, place: place, account: bound.item.account, secret: secret))
        }
        return given
    }

    /// Where secrets are put in, once a person has permitted what grants ask about, and uses are counted. Errors: what
    /// is not granted; `NeedsPerson` unless it may ask.
    private func permitted(
        _ question: ProxyQuestion, mayAsk: Bool
    ) throws -> (grants: [UseGrant], places: [(Bound, UsePlace)]) {
        let (grants, places) = try places(question)
        let limited = Set(places.map(\.grant)).filter { $0.limits != .none }
        let asking = limited.filter { $0.limits.asks && !run.isPermitted(Self.key(of: $0)) }
        guard asking.isEmpty || mayAsk else { throw NeedsPerson() }
        for grant in limited {
            guard let rate = grant.limits.rate, !run.take(GrantStore.account(of: grant), rate) else { continue }
            throw Refusal(text: "\(grant.item.name) was used as often as it is granted: \(rate)")
        }
        for grant in asking { try ask(grant, question) }
        // The answers may have taken long.
        guard try asking.isEmpty || self.places(question).places.map(\.grant) == places.map(\.grant) else {
            throw Refusal(text: "\(asking.first?.item.name ?? "") was granted otherwise while a person was asked")
        }
        return (grants, places.map { ($0.bound, $0.grant.place) })
    }

    /// Of an answer for all of the run: for the grant as it is.
    private static func key(of grant: UseGrant) -> String {
        "\(GrantStore.account(of: grant)) \(String(hexadecimal: GrantStore.bytes(grant)))"
    }

    private func ask(_ grant: UseGrant, _ question: ProxyQuestion) throws {
        // Another request may have waited for the same answer.
        guard !run.isPermitted(Self.key(of: grant)) else { return }
        let isDatabase = question.host.scheme == .postgres
        let method = isDatabase ? "" : "\(question.method) "
        let wish = GrantWish("use", grant.item.name, "\(method)\(question.host)\(question.path)", isCall: false)
        switch prompter?.permits(wish) ?? GrantAnswer.none {
        case .once: break
        case .run: run.permit(Self.key(of: grant))
        case .no: throw Refusal(text: "a person refused the use of \(grant.item.name)")
        case .none: throw Refusal(text: "\(grant.item.name) is granted if a person permits it, and none was asked")
        }
    }

    /// Errors: a grant or an item is there no more.
    private func judgeAgain(_ question: ProxyQuestion) throws -> [ProxyVerdict.Given] {
        let items = try ItemStore.of(home)
        for bound in Set(try places(question).places.map(\.bound.item)) where bound.isRemoved(from: items) {
            throw Refusal(text: "\(bound.name) is not there")
        }
        return []
    }

    /// Where secrets are put in, by which grants. Errors: what is not granted.
    private func places(
        _ question: ProxyQuestion
    ) throws -> (grants: [UseGrant], places: [(bound: Bound, grant: UseGrant)]) {
        guard !isLocked else { throw Refusal(text: "locked") }
        let grants = try grants()
        var places: [(bound: Bound, grant: UseGrant)] = []
        if question.base > 0 {
            guard question.base <= bases.count else { throw Refusal(text: "there is no such base address") }
            let base = bases[question.base - 1]
            let isDatabase = question.host.scheme == .postgres
            let wanted = isDatabase ? question.found.first?.place : nil
            guard !isDatabase || wanted != nil else {
                throw Refusal(text: "the session names no role that can be granted")
            }
            places.append((base, try grant(for: base, in: question, wanted, grants)))
        } else if !question.found.isEmpty {
            for (placeholder, wanted) in question.found {
                guard let bound = placeholders.first(where: { $0.placeholder.utf8.elementsEqual(placeholder.utf8) }),
                    let wanted
                else { throw Refusal(text: "a placeholder is at a place that can't be granted") }
                places.append((bound, try grant(for: bound, in: question, wanted, grants)))
            }
        }
        return (grants, places)
    }

    /// What is searched for in the answer: what this run has had, at any host, and what the server may have of other
    /// runs and guests.
    private func searched(
        _ host: UseHost, _ grants: [UseGrant], _ used: Set<UsedItem>, _ placed: Set<UsedItem>
    ) -> [Bound] {
        var items = placed
        let bound = placeholders + bases
        let here = grants.filter { $0.host.isSame(as: host) }
        let known = bound.filter { one in
            (used.contains(one.item) || here.contains { $0.item == one.item }) && items.insert(one.item).inserted
        }
        let others = here.filter { items.insert($0.item).inserted }
            .map { grant in
                Bound(
                    state.withLock { state in
                        let text = state.replacements[grant.item] ?? Placeholder.random(grant.shape)
                        state.replacements[grant.item] = text
                        return text
                    }, grant.item)
            }
        return known + others
    }

    /// The grant that permits it. Errors: why there is none.
    private func grant(
        for bound: Bound, in question: ProxyQuestion, _ place: UsePlace?, _ grants: [UseGrant]
    ) throws -> UseGrant {
        let own = grants.filter { $0.item == bound.item }
        guard !own.isEmpty else { throw Refusal(text: "\(bound.item.name) is not granted") }
        let here = own.filter { $0.host.isSame(as: question.host) }
        guard !here.isEmpty else { throw Refusal(text: "\(bound.item.name) is not granted for \(question.host)") }
        var objections: [String] = []
        // Those for this place first: what they say is nearer to what was meant.
        for grant in here.filter({ $0.place == place }) + here.filter({ $0.place != place }) {
            let objection = grant.objection(
                host: question.host, method: question.method, path: question.path, place: place)
            guard let objection else { return grant }
            objections.append(objection)
        }
        throw Refusal(text: objections[0])
    }

    private func grants() throws -> [UseGrant] {
        let stamp = home.keybag.changeCount(.keychain)
        if let known = state.withLock({ $0.stamp == stamp ? $0.grants : nil }) { return known }
        let grants = try GrantStore(try ItemStore.of(home)).uses(of: name)
        state.withLock { ($0.grants, $0.stamp) = (grants, stamp) }
        return grants
    }

    /// Nil, if it may lack: the item is not there, or requires a person. No run could have used it then.
    private func secret(
        of item: UsedItem, _ question: ProxyQuestion, isSearched: Bool, mayLack: Bool
    ) throws -> Secret? {
        guard let reference = PersistentReference(bytes: item.reference), let itemClass = reference.itemClass else {
            throw Refusal(text: "\(item.name) is not there")
        }
        var query = ItemQuery(itemClass)
        query.persistentReference = reference
        query.source = .guest
        let request =
            isSearched
            ? "\(AccessLine.search) \(question.host)" : Self.request(question.host, question.method, question.path)
        do {
            let found = try AccessContext.$current.withValue(
                context(.use, request, isSearched ? repeatedSearches : repeated)
            ) {
                try ItemStore.of(home).items(matching: query, withSecret: true, .forbidden)
            }
            guard let secret = found.first?.secret else {
                if mayLack { return nil }
                throw Refusal(text: "\(item.name) has no secret")
            }
            return secret
        } catch  where mayLack && !isLocked {
            guard [.itemNotFound, .interactionRequired, .locked].contains(KeychainError(error).code) else {
                throw error
            }
            return nil
        }
    }

    // MARK: Log

    private func context(
        _ operation: AccessOperation, _ request: String, _ repeated: RepeatedUses? = nil
    ) -> AccessContext {
        AccessContext(
            .guest, operation, client: process, guest: name.text, request: request, repeated: repeated)
    }

    /// Method, host and path, as a line of the log has them: printable ASCII, and no blank but after the method. No
    /// method is that of a search.
    private static func request(_ host: UseHost?, _ method: String, _ path: String) -> String {
        let plain = { (text: String) in
            String(decoding: text.utf8.map { (0x21...0x7E).contains($0) ? $0 : UInt8(ascii: "?") }, as: UTF8.self)
        }
        let word = method.isEmpty || method == AccessLine.search ? AccessLine.noMethod : plain(method)
        return "\(word) \(host.map { "\($0)" } ?? "")\(plain(path))"
    }

    /// Writes a line about a request that was not sent, or an answer that had the secret.
    package func note(_ host: UseHost?, _ method: String, _ path: String, _ text: String) {
        let (isWritten, before) = state.withLock { state in
            if text != Self.found {
                state.refusalCount += 1
                state.lastRefusal = host.map { "\($0): \(text)" } ?? text
            }
            return state.refusals.take(.now)
        }
        guard isWritten, let log = try? AccessLog.of(home) else { return }
        let lines = [RefusalLimit.text(skipped: before), text].compactMap(\.self)
        let uses = lines.map {
            AccessUse(itemClass: 0, item: [], name: $0, source: .guest, operation: .refusedUse)
        }
        try? AccessContext.$current.withValue(context(.refusedUse, Self.request(host, method, path))) {
            try log.note(uses)
        }
    }
}
