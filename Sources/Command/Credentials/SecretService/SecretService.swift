// SPDX-License-Identifier: Apache-2.0

package import DataProtection
import Foundation
import KeychainEngine
import SecretMemory

/// The Secret Service over a keychain (Documentation/Formats/SecretService.md): one call in, one answer out, and the signals that it causes. It
/// waits for nobody but the keychain: who is to be asked is told to whoever runs it.
package final class SecretService {
    static let sessionLimit = 64
    static let allSessionsLimit = 1024
    static let promptLimit = 16
    static let memoryItemLimit = 256
    static let memoryBytesLimit = 4 << 20
    static let collectionLimit = 64

    let items: SecretItems
    var memory = SecretMemoryItems()
    var sessions: [String: SecretSession] = [:]
    var prompts: [String: SecretPrompt] = [:]
    private var signals: [BusSignal] = []
    private var questions: [String] = []
    private var unwanted: [String] = []
    private let numbers: SecretNumbers
    /// As it was last told.
    private var wasLocked: Bool

    package convenience init(_ home: Home, group: String) {
        self.init(home, group: group, numbers: SecretNumbers())
    }

    init(_ home: Home, group: String, numbers: SecretNumbers) {
        self.numbers = numbers
        items = SecretItems(home, group: group)
        wasLocked = items.isLocked
    }

    /// What is answered to a call. Signals and questions that it causes are there afterwards.
    package func answer(_ call: BusCall) throws(BusFailure) -> [BusValue] {
        do {
            return try method(call)
        } catch let failure as BusFailure {
            throw failure
        } catch {
            throw Self.failure(error)
        }
    }

    /// Signals to send, in their order.
    package func takeSignals() -> [BusSignal] {
        defer { signals = [] }
        return signals
    }

    /// Prompts about which a person is to be asked now.
    package func takeQuestions() -> [String] {
        defer { questions = [] }
        return questions
    }

    /// Prompts about which a person was to be asked, and to which nobody wants the answer any more.
    package func takeUnwanted() -> [String] {
        defer { unwanted = [] }
        return unwanted
    }

    /// A client has left the bus.
    package func left(_ owner: String) {
        sessions = sessions.filter { $0.value.owner != owner }
        for (name, prompt) in prompts where prompt.owner == owner {
            prompts[name] = nil
            withdraw(name, prompt)
        }
    }

    func withdraw(_ name: String, _ prompt: SecretPrompt) { if prompt.isAsking { unwanted.append(name) } }

    /// Tells what others did since it was last called: locked or unlocked the home and, if `deeply`, made or deleted items.
    package func lookAround(deeply: Bool = true) {
        lookAtLock()
        if deeply, items.isOutdated { try? items.refresh() }
        let foreign = items.takeForeign()
        for account in foreign.created { told("ItemCreated", account) }
        for account in foreign.deleted { told("ItemDeleted", account) }
    }

    private func lookAtLock() {
        let isLocked = items.isLocked
        guard isLocked != wasLocked else { return }
        wasLocked = isLocked
        if isLocked { forgetMemory() }
        for collection in items.knownCollections() {
            changed(collection.path, Self.collection, "Locked", .boolean(isLocked))
            tell(SecretPlace.root, Self.service, "CollectionChanged", collection.path)
        }
    }

    /// What only this process holds goes with a lock.
    private func forgetMemory() {
        let lost = memory.accounts
        memory = SecretMemoryItems()
        for account in lost { told("ItemDeleted", account) }
    }

    // MARK: Calls

    static let service = "org.freedesktop.Secret.Service"
    static let collection = "org.freedesktop.Secret.Collection"
    static let item = "org.freedesktop.Secret.Item"
    static let session = "org.freedesktop.Secret.Session"
    static let prompt = "org.freedesktop.Secret.Prompt"

    private func method(_ call: BusCall) throws -> [BusValue] {
        // What was locked meanwhile is told before anything is answered.
        lookAround(deeply: false)
        guard var place = SecretPlace(call.path) else { throw BusFailure.noObject }
        if case .aliasItem(let alias, let name) = place {
            place = .item(try collection(.alias(alias)).name, "\(try collection(.alias(alias)).name)/\(name)")
        }
        switch call.interface {
        case "org.freedesktop.DBus.Properties": return try property(call, place)
        case "org.freedesktop.DBus.Introspectable": return [.text(try introspection(call, place))]
        case "org.freedesktop.DBus.Peer": return try peer(call)
        default: break
        }
        switch place {
        case .service: return try serviceMethod(call)
        case .collection, .alias: return try collectionMethod(call, try collection(place))
        case .item(_, let account): return try itemMethod(call, account)
        case .session(let name): return try sessionMethod(call, name)
        case .prompt(let name): return try promptMethod(call, name)
        case .between, .aliasItem: throw BusFailure.unknownMethod(call.member.printable)
        }
    }

    /// The arguments, if they are of these types.
    func arguments(_ call: BusCall, _ interface: String, _ signature: String) throws(BusFailure) -> [BusValue] {
        guard call.interface == nil || call.interface == interface else { throw .unknownMethod(call.member.printable) }
        guard call.signature == signature else {
            throw .arguments("\(call.member.printable) takes (\(signature))")
        }
        return call.arguments
    }

    private func peer(_ call: BusCall) throws -> [BusValue] {
        switch call.member {
        case "Ping": return []
        case "GetMachineId":
            let text = try? String(contentsOfFile: "/etc/machine-id", encoding: .utf8)
            return [.text(String((text ?? "").prefix { $0.isHexDigit }))]
        default: throw BusFailure.unknownMethod(call.member.printable)
        }
    }

    /// Words of the bus for an error of the keychain. Locked is never told as absent.
    static func failure(_ error: any Error) -> BusFailure {
        let error = (error as? KeychainError) ?? KeychainError(error)
        return switch error.code {
        case .locked: .locked
        case .itemNotFound: .noObject
        case .dataTooLarge: .limits(error.message)
        default: .failed(error.message)
        }
    }

    // MARK: What is told to everybody

    func number() -> String { numbers.next() }

    func tell(_ path: String, _ interface: String, _ member: String, _ object: String) {
        signals.append(BusSignal(path: path, interface: interface, member: member, arguments: [.path(object)]))
    }

    /// ItemCreated and the like.
    func told(_ member: String, _ account: String) {
        guard case .item(let name, _) = SecretPlace.item(account) else { return }
        let collection = SecretPlace.collection(name).path
        tell(collection, Self.collection, member, SecretPlace.item(account).path)
    }

    func send(_ signal: BusSignal) { signals.append(signal) }

    /// With the value: clients that keep properties would have none otherwise, and libsecret takes none for a fault. Lists of items and collections are not told so: they are long, and clients
    /// keep theirs by ItemCreated and the like.
    func changed(_ path: String, _ interface: String, _ name: String, _ value: BusValue) {
        signals.append(
            BusSignal(
                path: path, interface: "org.freedesktop.DBus.Properties", member: "PropertiesChanged",
                arguments: [.text(interface), .properties([(name, value)]), .array("s", [])]))
    }

    func ask(_ prompt: String) { questions.append(prompt) }
}

extension String {
    /// With what can't be shown left out, and not too long for a message.
    var printable: String {
        String(unicodeScalars.filter { $0.isASCII && $0.value >= 0x20 }.prefix(80).map(Character.init))
    }
}
