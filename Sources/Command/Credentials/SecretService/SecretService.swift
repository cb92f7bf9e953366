// SPDX-License-Identifier: Apache-2.0

package import DataProtection
import Foundation
import KeychainEngine
import SecretMemory

/// The Secret Service over a keychain (Documentation/Formats/SecretService.md).
/// Each call gets one answer and may cause signals.
/// It waits only for the keychain. The process that runs it takes the pending prompts and shows them.
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
    /// The lock state that was signalled last.
    private var wasLocked: Bool

    package convenience init(_ home: Home, group: String) {
        self.init(home, group: group, numbers: SecretNumbers())
    }

    init(_ home: Home, group: String, numbers: SecretNumbers) {
        self.numbers = numbers
        items = SecretItems(home, group: group)
        wasLocked = items.isLocked
    }

    /// The answer to a call. The signals and prompts that it causes can be taken afterwards.
    package func answer(_ call: BusCall) throws(BusFailure) -> [BusValue] {
        do {
            return try method(call)
        } catch let failure as BusFailure {
            throw failure
        } catch {
            throw Self.failure(error)
        }
    }

    /// Takes the signals to send, in order.
    package func takeSignals() -> [BusSignal] {
        defer { signals = [] }
        return signals
    }

    /// Takes the prompts to show now.
    package func takeQuestions() -> [String] {
        defer { questions = [] }
        return questions
    }

    /// Takes the prompts that were to be shown, but whose answer no client wants any more.
    package func takeUnwanted() -> [String] {
        defer { unwanted = [] }
        return unwanted
    }

    /// Removes the sessions and prompts of a client that has left the bus.
    package func left(_ owner: String) {
        sessions = sessions.filter { $0.value.owner != owner }
        for (name, prompt) in prompts where prompt.owner == owner {
            prompts[name] = nil
            withdraw(name, prompt)
        }
    }

    func withdraw(_ name: String, _ prompt: SecretPrompt) { if prompt.isAsking { unwanted.append(name) } }

    /// Signals what other processes did since the last call: they locked or unlocked the home.
    /// If `deeply`, also items that they added or deleted.
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
            tell(SecretObject.root, Self.service, "CollectionChanged", collection.path)
        }
    }

    /// Deletes the items that are only in memory, as a lock requires.
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
        // A lock state that has changed is signalled before the answer.
        lookAround(deeply: false)
        guard var place = SecretObject(call.path) else { throw BusFailure.noObject }
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

    /// The arguments of a call, after a check of its interface and their types.
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

    /// The bus error for an error of the keychain. `.locked` is never reported as absent.
    static func failure(_ error: any Error) -> BusFailure {
        let error = (error as? KeychainError) ?? KeychainError(error)
        return switch error.code {
        case .locked: .locked
        case .itemNotFound: .noObject
        case .dataTooLarge: .limits(error.message)
        default: .failed(error.message)
        }
    }

    // MARK: Signals

    func number() -> String { numbers.next() }

    func tell(_ path: String, _ interface: String, _ member: String, _ object: String) {
        signals.append(BusSignal(path: path, interface: interface, member: member, arguments: [.path(object)]))
    }

    /// Signals ItemCreated, ItemDeleted or ItemChanged.
    func told(_ member: String, _ account: String) {
        guard case .item(let name, _) = SecretObject.item(account) else { return }
        let collection = SecretObject.collection(name).path
        tell(collection, Self.collection, member, SecretObject.item(account).path)
    }

    func send(_ signal: BusSignal) { signals.append(signal) }

    /// Signals a changed property with its value.
    /// Clients that cache properties would otherwise have none, and libsecret treats a missing value as an error.
    /// Lists of items and collections are long, so they aren't signalled. Clients update theirs by ItemCreated
    /// and the like.
    func changed(_ path: String, _ interface: String, _ name: String, _ value: BusValue) {
        signals.append(
            BusSignal(
                path: path, interface: "org.freedesktop.DBus.Properties", member: "PropertiesChanged",
                arguments: [.text(interface), .properties([(name, value)]), .array("s", [])]))
    }

    func ask(_ prompt: String) { questions.append(prompt) }
}

extension String {
    /// At most 80 characters of the text, without those that aren't printable ASCII.
    var printable: String {
        String(unicodeScalars.filter { $0.isASCII && $0.value >= 0x20 }.prefix(80).map(Character.init))
    }
}
