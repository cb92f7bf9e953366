// SPDX-License-Identifier: Apache-2.0

package import DataProtection
import KeychainEngine
import SecretMemory

/// The lines of a guest in the access log (Documentation/Formats/AccessLog.md, "Guests"). Those of secrets that are
/// given are written by the engine.
package final class GuestLog: Sendable {
    private let name: GuestName
    private let home: Home?
    private let limit = Locked(RefusalLimit())

    /// `home`: nil if there is none, and no log.
    package init(_ name: GuestName, _ home: Home?) { (self.name, self.home) = (name, home) }

    /// Why a call was refused.
    enum Reason: String, CaseIterable {
        case notGranted = "not granted"
        case locked = "locked"
        case person = "requires a person"
        case inTPM = "in a TPM"
        case malformed = "malformed"

        /// Nil: a call that ended with this was not refused.
        init?(_ code: KeychainError.Code, isLocked: Bool) {
            switch code {
            case .missingEntitlement: self = .notGranted
            case .locked: self = isLocked ? .locked : .person
            case .interactionRequired: self = .person
            case .unimplemented: self = .inTPM
            default: return nil
            }
        }
    }

    // MARK: The run

    /// A guest is about to begin. `program`: what the person named. Errors: those of writing, if the log's settings
    /// require a record.
    package func began(_ program: String, without layers: [String]) throws {
        try write(layers.map { line(.layerLeftOut, $0) } + [line(.guestBegan, program)])
    }

    /// A guest has ended with this status.
    package func ended(_ status: Int32) {
        try? write(skipped(limit.withLock { $0.reportSkipped() }) + [line(.guestEnded, "status \(status)")])
    }

    // MARK: Calls

    /// A change is about to be made. Errors: those of writing, if the log's settings require a record.
    func permitted(_ request: BrokerRequest) throws {
        try write(request.changes.map { line($0.operation, $0.text, $0.itemClass) })
    }

    /// A call was refused. `request`: nil if it could not be read.
    func refused(_ reason: Reason, _ request: BrokerRequest?) {
        let (isWritten, before) = limit.withLock { $0.take(.now) }
        guard isWritten else { return }
        let words = request.map { [$0.action] + ($0.group.map { [$0] } ?? []) } ?? []
        let text = words.isEmpty ? reason.rawValue : "\(reason.rawValue): \(words.joined(separator: " "))"
        try? write(skipped(before) + [line(.refused, text, request?.itemClass)])
    }

    private func skipped(_ count: Int) -> [AccessUse] {
        RefusalLimit.text(skipped: count).map { [line(.refused, $0)] } ?? []
    }

    private func line(_ operation: AccessOperation, _ text: String, _ itemClass: ItemClass? = nil) -> AccessUse {
        AccessUse(
            itemClass: itemClass?.kind ?? 0, item: [], name: text, source: .guest, operation: operation)
    }

    private func write(_ lines: [AccessUse]) throws {
        guard let home, !lines.isEmpty else { return }
        let context =
            AccessContext.current ?? AccessContext(.guest, client: ThisProcess.identifier, guest: name.text)
        let log = try AccessLog.of(home)
        try AccessContext.$current.withValue(context) { try log.note(lines) }
    }
}

extension BrokerRequest {
    /// What is asked, as a word of the log.
    fileprivate var action: String {
        switch self {
        case .name: "name"
        case .begin: "begin"
        case .find(_, let withSecret): withSecret ? "read" : "attributes"
        case .add, .addTogether, .addIdentity: "add"
        case .update(_, let changes): changes.attributes.group == nil ? "change" : "move"
        case .delete: "delete"
        }
    }

    /// The access group that the call names.
    fileprivate var group: String? {
        switch self {
        case .name, .begin: nil
        case .find(let query, _), .delete(let query), .update(let query, _): query.attributes.group
        case .add(let item, _), .addIdentity(_, let item): item.attributes.group
        case .addTogether(let items): items.first?.attributes.group
        }
    }

    fileprivate var itemClass: ItemClass? {
        switch self {
        case .name, .begin: nil
        case .find(let query, _), .delete(let query), .update(let query, _): query.itemClass
        case .add(let item, _), .addIdentity(_, let item): item.itemClass
        case .addTogether(let items): items.first?.itemClass
        }
    }

    /// The changes that the call makes, as far as they are known before it.
    fileprivate var changes: [(operation: AccessOperation, text: String, itemClass: ItemClass)] {
        switch self {
        case .name, .begin, .find: []
        case .add(let item, _): [(.add, item.attributes.logText, item.itemClass)]
        case .addTogether(let items): items.map { (.add, $0.attributes.logText, $0.itemClass) }
        case .addIdentity(let certificate, let key):
            [certificate, key].map { (.add, $0.attributes.logText, $0.itemClass) }
        case .update(let query, let changes):
            [(.change, query.attributes.logText + changes.attributes.logTarget, query.itemClass)]
        case .delete(let query): [(.delete, query.attributes.logText, query.itemClass)]
        }
    }
}

extension Attributes {
    /// Where a change moves items.
    fileprivate var logTarget: String { group.map { " to \($0)" } ?? "" }

    /// The item's name, or the group of many, as far as the attributes tell.
    fileprivate var logText: String {
        let name = AccessUse.name(self)
        if !name.isEmpty { return name }
        return group.map { "items of \($0)" } ?? "items"
    }
}
