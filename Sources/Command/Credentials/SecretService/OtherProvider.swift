// SPDX-License-Identifier: Apache-2.0

import Foundation
import SecretMemory

/// Another Secret Service on the session bus, used like by any other client. It is read, and not changed.
package final class OtherProvider {
    /// The objects of the provider.
    package struct Contents {
        /// The paths of items by the names of their collections, in the provider's order.
        package var paths: [(collection: String, items: [String])] = []
        package var labels: [String: String] = [:]
        /// The labels of collections that stay locked.
        package var locked: [String] = []

        package var count: Int { paths.reduce(0) { $0 + $1.items.count } }
    }

    private static let bus = "org.freedesktop.DBus"
    private static let busPath = "/org/freedesktop/DBus"
    private static let properties = "org.freedesktop.DBus.Properties"
    package static let name = "org.freedesktop.secrets"
    private static let patience = Duration.seconds(30)
    /// How long the user may take to answer the other provider's prompt.
    private static let patienceForPerson = Duration.seconds(120)

    private let connection: BusConnection
    private var session = ""
    /// Signals that arrived while this waited for an answer.
    private var signals: [BusMessage] = []

    package init(_ connection: BusConnection) { self.connection = connection }

    // MARK: Identifying the provider

    /// The process that owns the bus name. Nil: none does.
    package func owner() throws -> Int32? {
        do {
            let number = try ask(Self.bus, Self.busPath, Self.bus, "GetConnectionUnixProcessID", [.text(Self.name)])
            return number.first?.number.flatMap { Int32(exactly: $0) }
        } catch let failure as BusFailure where failure.name == "\(Self.bus).Error.NameHasNoOwner" {
            return nil
        }
    }

    /// Makes the bus reread its configuration files.
    package func reloadBus() throws { _ = try ask(Self.bus, Self.busPath, Self.bus, "ReloadConfig", []) }

    /// Starts the provider that the bus's service files name.
    package func start() throws {
        _ = try ask(Self.bus, Self.busPath, Self.bus, "StartServiceByName", [.text(Self.name), .word(0)])
    }

    // MARK: What it has

    /// All collections except those in memory. With `unlocking`, it asks the other provider to unlock a locked one.
    /// The provider prompts the user for this, after `willAsk` was called with the collection's label.
    package func contents(unlocking: Bool, willAsk: (String) throws -> Void) throws -> Contents {
        session = ""
        let opened = try ask(
            SecretObject.root, SecretService.service, "OpenSession", [.text("plain"), .variant(.text(""))])
        session = opened.last?.path ?? ""
        var contents = Contents()
        for path in try get(SecretObject.root, SecretService.service, "Collections").paths ?? [] {
            guard case .collection(let name) = SecretObject(path), name != SecretMemoryItems.collection else {
                continue
            }
            let label = try get(path, SecretService.collection, "Label").text ?? name
            if try get(path, SecretService.collection, "Locked").bool == true {
                if unlocking {
                    try willAsk(label)
                    try unlock(path)
                }
                guard try get(path, SecretService.collection, "Locked").bool == false else {
                    contents.locked.append(label)
                    continue
                }
            }
            contents.labels[name] = label
            contents.paths.append((name, try get(path, SecretService.collection, "Items").paths ?? []))
        }
        return contents
    }

    private func unlock(_ path: String) throws {
        let answer = try ask(SecretObject.root, SecretService.service, "Unlock", [.paths([path])])
        guard let prompt = answer.last?.path, prompt != SecretObject.none else { return }
        let rule = "type='signal',interface='\(SecretService.prompt)',member='Completed',path='\(prompt)'"
        _ = try ask(Self.bus, Self.busPath, Self.bus, "AddMatch", [.text(rule)])
        signals = []
        _ = try ask(prompt, SecretService.prompt, "Prompt", [.text("")])
        let end = ContinuousClock.now + Self.patienceForPerson
        while !signals.contains(where: { $0.member == "Completed" && $0.path == prompt }) {
            guard let message = try next(before: end) else { return }
            if case .signal = message.kind { signals.append(message) }
        }
    }

    /// An item and its secret. Nil: it was deleted meanwhile, or can't be stored here.
    /// Errors: a `BusFailure` of the other provider.
    func item(_ path: String) throws -> (item: SecretItem, secret: Secret)? {
        guard case .item(let collection, _) = SecretObject(path) else { return nil }
        do {
            let all = try ask(path, Self.properties, "GetAll", [.text(SecretService.item)])
            guard let values = all.first?.properties else { return nil }
            let given = try ask(path, SecretService.item, "GetSecret", [.path(session)])
            guard let fields = given.first?.fields, fields.count == 4, let secret = fields[2].bytes else { return nil }
            var item = SecretItem(account: collection)
            item.attributes = values["Attributes"]?.attributes ?? [:]
            item.label = values["Label"]?.text ?? ""
            item.contentType = fields[3].text ?? "text/plain"
            return (item, secret)
        } catch let failure as BusFailure
            where failure.name.hasSuffix(".NoSuchObject") || failure.name.hasSuffix(".UnknownObject")
        {
            return nil
        }
    }

    // MARK: Asking

    private func get(_ path: String, _ interface: String, _ property: String) throws -> BusValue {
        let answer = try ask(path, Self.properties, "Get", [.text(interface), .text(property)])
        guard let value = answer.first?.content else { throw BusFailure.failed("the other provider's answer is none") }
        return value
    }

    private func ask(_ path: String, _ interface: String, _ member: String, _ values: [BusValue]) throws -> [BusValue] {
        try ask(Self.name, path, interface, member, values)
    }

    private func ask(
        _ destination: String, _ path: String, _ interface: String, _ member: String, _ values: [BusValue]
    ) throws -> [BusValue] {
        let number = try connection.call(destination, path, interface, member, values)
        let end = ContinuousClock.now + Self.patience
        while let message = try next(before: end) {
            switch message.kind {
            case .reply(of: number): return try message.arguments()
            case .failure(of: number, let name):
                throw BusFailure(name, (try? message.arguments())?.first?.text ?? "the other provider refused it")
            case .signal: signals.append(message)
            default: break
            }
        }
        throw BusFailure.failed("the other provider does not answer")
    }

    /// The next message. Nil: the time is over.
    private func next(before end: ContinuousClock.Instant) throws -> BusMessage? {
        while true {
            if let message = connection.next() { return message }
            guard ContinuousClock.now < end else { return nil }
            guard connection.wait(.seconds(1)) else { throw BusFailure.failed("the session's bus has ended") }
        }
    }
}
