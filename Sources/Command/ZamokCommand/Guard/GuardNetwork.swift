// SPDX-License-Identifier: Apache-2.0

import Credentials
import DataProtection
import Foundation
import Guards
import KeychainEngine
import Keychains
import Readers
import Statuses

/// What the options and grants of a run give it of the network.
struct GuardNetwork {
    enum Kind: String, CaseIterable {
        case none
        case listed
        case open
    }

    private let guest: GuestName
    private let home: Home
    private let uses: [UseGrant]
    private let options: NetworkOptions
    private let kind: Kind

    /// Nil: no network. Without `--net`, a guest with a grant for use, or for which an option asks for something of the
    /// network, has the hosts that are listed.
    init?(_ guest: GuestName, _ home: Home?, _ options: NetworkOptions) throws {
        let named = try options.net.map { word in
            guard let kind = Kind(rawValue: word) else {
                throw CommandFailure.usage("--net takes none, listed or open, not \(word.printable)")
            }
            return kind
        }
        let asks = !options.env.isEmpty || !options.base.isEmpty || !options.reach.isEmpty
        guard named != Kind.none else {
            guard !asks else {
                throw CommandFailure.usage("--env, --base and --reach need the network: leave --net none out")
            }
            return nil
        }
        guard named != .open || options.env.isEmpty && options.base.isEmpty else {
            throw CommandFailure.usage(
                "with --net open no secret is put in, since a guest could carry what it gets anywhere; leave --env and --base out, or name hosts: --reach"
            )
        }
        let uses = try Self.uses(guest, home, mayBeLocked: named == nil && !asks)
        guard let kind = named ?? (asks || !uses.isEmpty ? .listed : nil) else { return nil }
        guard let home else {
            throw CommandFailure.status(
                .itemNotFound, "there is no home of zamok, so nothing is granted; see zamok guard allow --help")
        }
        (self.guest, self.home, self.uses, self.options, self.kind) = (guest, home, uses, options, kind)
    }

    /// `mayBeLocked`: a locked home then has none.
    private static func uses(_ guest: GuestName, _ home: Home?, mayBeLocked: Bool) throws -> [UseGrant] {
        guard let home else { return [] }
        do { return try GrantStore(try ItemStore.of(home)).uses(of: guest) } catch {
            guard mayBeLocked, error.code == .locked else { throw error }
            return []
        }
    }

    /// A proxy that runs, and what the guest gets of it.
    struct Started {
        let proxy: ProxyProcess
        let inside: InsideNetwork
        fileprivate let uses: GuestUses
        fileprivate let home: Home

        func begin() { proxy.begin(uses, home) }

        /// Says how many requests were refused: programs seldom show what the proxy answers.
        func tellRefusals() {
            guard let last = uses.lastRefusal else { return }
            let count = uses.refusalCount
            let what =
                count == 1
                ? "1 request of \(uses.name) was refused" : "\(count) requests of \(uses.name) were refused, the last"
            let more = isLogged ? "; see zamok guard log \(uses.name)" : ""
            try? Channel.error.line("zamok: guard: \(what): \(last.printable)\(more)")
        }

        /// Whether requests have lines in the log.
        private var isLogged: Bool { (try? AccessLog.of(home))?.isOn ?? false }

        fileprivate func tellOfLog() {
            guard !isLogged else { return }
            try? Channel.error.line(
                "zamok: guard: the access log is off, so there is no line of what \(uses.name) does with secrets; turn it on: zamok log on"
            )
        }
    }

    /// Has to run on the main thread. Errors: what can't be granted; the proxy can't be started.
    func start(beside executable: String, _ prompter: any GrantPrompter) throws -> Started {
        var configuration = ProxyConfiguration()
        configuration.isOpen = kind == .open
        configuration.trust = Environment.value("SSL_CERT_FILE") ?? InsideNetwork.systemFile
        var variables: [String: String] = [:]
        var bound: [GuestUses.Bound] = []
        for word in options.env {
            let (name, item) = try Self.split(word, "--env", "VAR=SERVICE/ACCOUNT")
            let grant = try grant(for: item)
            let placeholder = bound.first { $0.item == grant.item }?.placeholder ?? Placeholder.random(grant.shape)
            if !bound.contains(where: { $0.item == grant.item }) { bound.append(.init(placeholder, grant.item)) }
            variables[name] = placeholder
        }
        var bases: [GuestUses.Bound] = []
        for word in options.base {
            let (name, value) = try Self.split(word, "--base", "VAR=SERVICE/ACCOUNT@HOST[/PATH]")
            let (grant, path) = try base(value)
            bases.append(.init(Placeholder.random(grant.shape), grant.item))
            configuration.bases.append(.init(grant.host, path: path, placeholder: bases[bases.count - 1].placeholder))
            let port = InsideNetwork.firstPort + bases.count
            if case .postgres(let user) = grant.place {
                variables.merge(DatabaseVariables.all(name, port, user, path, grant, variables)) { _, new in new }
            } else {
                variables[name] = "http://127.0.0.1:\(port)"
            }
        }
        configuration.databaseTrust = try databaseTrust()
        configuration.placeholders = (bound + bases).map(\.placeholder)
        configuration.hosts = try listed()
        let proxy = try ProxyProcess(configuration, beside: executable, home)
        let inside = InsideNetwork(
            bundle: try bundle(configuration.trust, proxy.certificate), baseCount: bases.count, own: variables,
            direct: ["127.0.0.1", "localhost", "::1"].filter { name in
                !configuration.hosts.contains { $0.host.name == name }
            })
        let started = Started(
            proxy: proxy, inside: inside,
            uses: GuestUses(guest, home, bound, bases: bases, process: proxy.process, prompter: prompter), home: home)
        if !uses.isEmpty { started.tellOfLog() }
        return started
    }

    static func split(_ word: String, _ option: String, _ form: String) throws -> (String, String) {
        guard let named = References.named(word) else { throw CommandFailure.usage("\(option) takes \(form)") }
        // A shell inside can name no other variable, and drops those of other names before what it starts.
        guard named.name.utf8.allSatisfy({ (97...122).contains($0 | 0x20) || (48...57).contains($0) || $0 == 95 })
        else {
            throw CommandFailure.usage("\(named.name.printable) can't be the name of a variable")
        }
        return named
    }

    /// A grant for the item that a word names. One for an item that was removed is none.
    static func grant(
        for word: String, of guest: GuestName, among uses: [UseGrant], _ home: Home
    ) throws -> UseGrant {
        var named = uses.filter { $0.item.name == word }
        if home.keybag.lockState == .unlocked {
            if let name = ItemName(word: word),
                let reference = try? name.only(in: Keychain(home: home)).persistentReference,
                let grant = uses.first(where: { $0.item.reference == reference.bytes })
            {
                return grant
            }
            let items = try ItemStore.of(home)
            let isAny = !named.isEmpty
            named.removeAll { $0.item.isRemoved(from: items) }
            guard !isAny || !named.isEmpty else {
                throw CommandFailure.status(
                    .missingEntitlement,
                    "\(word.printable), which \(guest) could use, was removed; for a new one of the name: zamok guard allow \(guest) --item \(word.printable) --use --host HOST"
                )
            }
        }
        // Locked, it can't be known which is there: the latest.
        if let item = named.last?.item, let grant = named.first(where: { $0.item == item }) { return grant }
        throw CommandFailure.status(
            .missingEntitlement,
            "\(guest) has no grant to use \(word.printable); give one: zamok guard allow \(guest) --item \(word.printable) --use --host HOST"
        )
    }

    private func grant(for word: String) throws -> UseGrant {
        try Self.grant(for: word, of: guest, among: uses, home)
    }

    private func base(_ value: String) throws -> (UseGrant, path: String) {
        guard let at = value.lastIndex(of: "@") else {
            throw CommandFailure.usage("--base takes VAR=SERVICE/ACCOUNT@HOST[/PATH]")
        }
        let (item, rest) = (String(value[..<at]), value[value.index(after: at)...])
        let start = rest.index(rest.startIndex, offsetBy: UseHost.Scheme.beginning(rest).count)
        let slash = rest[start...].firstIndex(of: "/") ?? rest.endIndex
        var path = String(rest[slash...])
        while path.hasSuffix("/") { path.removeLast() }
        guard let host = UseHost(word: String(rest[..<slash])), path.isEmpty || PathPattern(path) != nil else {
            throw CommandFailure.usage("\(String(rest).printable) is no host with a path")
        }
        let of = try grant(for: item).item
        guard let grant = uses.first(where: { $0.item == of && $0.host.isSame(as: host) }) else {
            throw CommandFailure.status(
                .missingEntitlement, "\(guest) has no grant to use \(of.name.printable) at \(host)")
        }
        return (grant, path)
    }

    private func listed() throws -> [ProxyConfiguration.Listed] {
        var hosts: [ProxyConfiguration.Listed] = []
        // With every host to carry it to, no secret is put in unasked.
        for grant in uses where kind == .listed && !hosts.contains(where: { $0.host.isSame(as: grant.host) }) {
            hosts.append(.init(grant.host, isOpened: true))
        }
        for word in options.reach {
            let parts = word.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
            guard let host = UseHost(word: parts[0], at: parts.count > 1 ? parts[1] : nil),
                host.scheme != .postgres
            else {
                throw CommandFailure.usage(
                    "--reach takes HOST[:PORT], or HOST[:PORT]=ADDRESS for one that is at an address of its own network, not \(word.printable)"
                )
            }
            if !hosts.contains(where: { $0.host.isSame(as: host) }) { hosts.append(.init(host, isOpened: false)) }
        }
        return hosts
    }

    /// Errors: the file can't be read.
    private func databaseTrust() throws -> String? {
        guard let file = options.databaseCa else { return nil }
        guard let path = RealPath.of(file), FileManager.default.contents(atPath: path) != nil else {
            throw CommandFailure.status(.inputOutput, "the authorities \(file.printable) can't be read")
        }
        return path
    }

    private func bundle(_ trust: String?, _ certificate: String) throws -> [UInt8] {
        var bytes: [UInt8] = []
        if let trust {
            guard let data = FileManager.default.contents(atPath: trust) else {
                throw CommandFailure.status(.inputOutput, "the trusted authorities \(trust.printable) can't be read")
            }
            bytes = Array(data)
            if bytes.last != 10 { bytes.append(10) }
        }
        return bytes + certificate.utf8
    }
}
