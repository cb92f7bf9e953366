// SPDX-License-Identifier: Apache-2.0

import Foundation
import SecretMemory

extension SecretService {
    /// The collection of a path. The one in memory has no record.
    /// Errors: `.noObject`; `.locked` before the first unlock, when it may exist.
    func collection(_ place: SecretObject) throws -> SecretCollection {
        let name: String
        switch place {
        case .collection(let word): name = word
        case .alias(let alias):
            guard let path = aliased(alias), case .collection(let word) = SecretObject(path) else {
                throw items.isKnown ? BusFailure.noObject : BusFailure.locked
            }
            name = word
        default: throw BusFailure.noObject
        }
        if name == SecretMemoryItems.collection { return SecretCollection(name: name, label: "Session") }
        if let known = items.knownCollections().first(where: { $0.name == name }) { return known }
        throw items.isKnown ? BusFailure.noObject : BusFailure.locked
    }

    func collectionMethod(_ call: BusCall, _ collection: SecretCollection) throws -> [BusValue] {
        switch call.member {
        case "Delete":
            _ = try arguments(call, Self.collection, "")
            try delete(collection)
            return [.path(SecretObject.none)]
        case "SearchItems":
            let found = try search(try arguments(call, Self.collection, "a{ss}")[0], in: collection.name)
            return [.paths(found.map(\.path))]
        case "CreateItem":
            return try createItem(call, try arguments(call, Self.collection, "a{sv}(oayays)b"), collection)
        default: throw BusFailure.unknownMethod(call.member.printable)
        }
    }

    private func delete(_ collection: SecretCollection) throws {
        guard collection.name != SecretMemoryItems.collection, collection.name != SecretItems.login else {
            throw BusFailure.notSupported("this collection is always there; delete its items")
        }
        guard !items.isLocked else { throw BusFailure.locked }
        try items.delete(collection)
        tell(SecretObject.root, Self.service, "CollectionDeleted", collection.path)
    }

    func createCollection(_ values: [BusValue]) throws -> [BusValue] {
        guard let properties = values[0].properties else { throw BusFailure.arguments("a property is named twice") }
        let alias = values[1].text ?? ""
        let label = try text(properties["\(Self.collection).Label"], "Label") ?? ""
        if !alias.isEmpty, let known = aliased(alias) { return [.path(known), .path(SecretObject.none)] }
        guard alias.isEmpty || SecretObject.isWord(alias) else {
            throw BusFailure.arguments("an alias has letters, digits and _ alone")
        }
        guard !items.isLocked else { throw BusFailure.locked }
        try items.refresh()
        guard items.collections.count < Self.collectionLimit else {
            throw BusFailure.limits("there may be \(Self.collectionLimit) collections")
        }
        var collection = SecretCollection(name: freeName(label), label: label)
        if !alias.isEmpty { collection.aliases = [alias] }
        try items.record(collection)
        tell(SecretObject.root, Self.service, "CollectionCreated", collection.path)
        return [.path(collection.path), .path(SecretObject.none)]
    }

    /// A path element made from the label, which no other collection has.
    private func freeName(_ label: String) -> String {
        let letters = label.lowercased().map { $0.isASCII && ($0.isLetter || $0.isNumber) ? $0 : "_" }
        let word = letters.isEmpty ? "collection" : String(letters.prefix(40))
        var (name, number) = (word, 1)
        while items.collections[name] != nil || name == SecretMemoryItems.collection {
            number += 1
            name = "\(word)_\(number)"
        }
        return name
    }

    func text(_ value: BusValue?, _ name: String) throws(BusFailure) -> String? {
        guard let value else { return nil }
        guard let text = value.text else { throw .arguments("the property \(name) is a text") }
        guard text.utf8.count <= Self.labelLimit else { throw .limits("a label may have \(Self.labelLimit) bytes") }
        return text
    }

    private static var labelLimit: Int { 4096 }

    // MARK: New items

    private func createItem(
        _ call: BusCall, _ values: [BusValue], _ collection: SecretCollection
    ) throws -> [BusValue] {
        guard let properties = values[0].properties else { throw BusFailure.arguments("a property is named twice") }
        let (secret, contentType) = try secret(in: values[1], of: call)
        var item = SecretItem(account: "")
        if let value = properties["\(Self.item).Attributes"] {
            item.attributes = try lookupAttributes(value)
        }
        item.label = try text(properties["\(Self.item).Label"], "Label") ?? ""
        // The property with which libgnome-keyring gives the schema.
        let type = try text(properties["\(Self.item).Type"], "Type") ?? ""
        if item.attributes["xdg:schema"] == nil, !type.isEmpty { item.attributes["xdg:schema"] = type }
        item.contentType = contentType
        let account =
            collection.name == SecretMemoryItems.collection
            ? try keepInMemory(item, secret, replaces: values[2].bool == true)
            : try store(item, secret, in: collection, replaces: values[2].bool == true)
        return [.path(SecretObject.item(account).path), .path(SecretObject.none)]
    }

    /// The checked attributes of an item. Errors: `.arguments`, `.limits`.
    func lookupAttributes(_ value: BusValue) throws(BusFailure) -> [String: String] {
        guard let attributes = value.attributes else { throw .arguments("attributes are texts, each named once") }
        _ = try LookupAttributes.text(attributes)
        return attributes
    }

    /// Decodes the structure of a secret. Errors: `.noSession`, `.arguments`, `.limits`.
    func secret(in value: BusValue, of call: BusCall) throws -> (Secret, contentType: String) {
        guard let fields = value.fields, fields.count == 4, let parameters = fields[1].bytes,
            let bytes = fields[2].bytes, let contentType = fields[3].text
        else { throw BusFailure.arguments("a secret is a structure (oayays)") }
        guard contentType.utf8.count <= 256 else { throw BusFailure.limits("a content type may have 256 bytes") }
        let secret = try session(fields[0].path, of: call).open(parameters, bytes)
        guard secret.count <= 16 << 20 else { throw BusFailure.limits("a secret may have 16 MiB") }
        return (secret, contentType)
    }

    func store(
        _ new: SecretItem, _ secret: Secret, in collection: SecretCollection, replaces: Bool
    ) throws -> String {
        guard replaces else { return try add(new, secret, to: collection) }
        return try items.alone {
            guard let account = try items.account(exactly: new.attributes, in: collection.name) else {
                return try add(new, secret, to: collection)
            }
            var item = new
            item.account = account
            try items.replace(item, secret)
            told("ItemChanged", account)
            return account
        }
    }

    func add(_ new: SecretItem, _ secret: Secret, to collection: SecretCollection) throws -> String {
        var item = new
        item.account = try SecretItems.newAccount(collection.name)
        try items.add(item, secret)
        told("ItemCreated", item.account)
        return item.account
    }

    private func keepInMemory(_ new: SecretItem, _ secret: Secret, replaces: Bool) throws -> String {
        var item = new
        let old = replaces ? memory.account(exactly: item.attributes) : nil
        guard memory.count < Self.memoryItemLimit || old != nil,
            memory.size - (old.flatMap { memory[$0]?.secret.count } ?? 0) + secret.count <= Self.memoryBytesLimit
        else { throw BusFailure.limits("in memory there may be \(Self.memoryItemLimit) items of 4 MiB together") }
        item.account = try old ?? SecretItems.newAccount(SecretMemoryItems.collection)
        (item.created, item.modified) = (old.flatMap { memory[$0]?.item.created } ?? Self.now, Self.now)
        memory.set(item, secret)
        told(old == nil ? "ItemCreated" : "ItemChanged", item.account)
        return item.account
    }

    static var now: UInt64 { UInt64(max(0, Date().timeIntervalSince1970)) }
}
