// SPDX-License-Identifier: Apache-2.0

import SecretMemory

/// The API or credential helper through which a secret was requested (Documentation/Formats/AccessLog.md).
package enum AccessSource: UInt8, Sendable, CaseIterable {
    case keychains = 1
    case secItem, command, agent, token, git, docker, cargo, aws, age, askpass, systemd, run, guest

    /// The name as shown to users.
    package var name: String {
        switch self {
        case .keychains: "api"
        case .secItem: "SecItem"
        case .command: "zamok"
        case .aws: "AWS"
        default: "\(self)"
        }
    }
}

/// What was done with a secret or with the log itself.
package enum AccessOperation: UInt8, Sendable, CaseIterable {
    case read = 1
    case sign, decrypt, agree, export, history
    /// What a guest of `zamok guard` was refused, and what it changed.
    case refused = 16
    case add, change, delete
    /// Up to `RepeatedUses.most` further uses of an item by a guest.
    case repeated
    /// A secret put into a guest's request, and a request that was refused or whose answer had the secret.
    case use, refusedUse
    case turnedOn = 64
    case turnedOff, changedSettings, removedOldest, cleared, linesMissing
    /// A guard and its guest.
    case guestBegan = 80
    case guestEnded, layerLeftOut

    /// The operation that secrets are opened for while this is set; nil: to be returned to the caller.
    @TaskLocal package static var current: AccessOperation?

    /// The name as shown to users.
    package var name: String {
        switch self {
        case .turnedOn: "log on"
        case .turnedOff: "log off"
        case .changedSettings: "log settings"
        case .removedOldest: "oldest lines removed"
        case .cleared: "log cleared"
        case .linesMissing: "lines missing"
        case .refusedUse: "use refused"
        case .guestBegan: "guest began"
        case .guestEnded: "guest ended"
        case .layerLeftOut: "without"
        default: "\(self)"
        }
    }
}

/// On whose behalf secrets are opened, if not the program's own.
package struct AccessContext: Sendable {
    /// What a task does on behalf of another process; nil: the process asks for itself.
    @TaskLocal package static var current: AccessContext?

    private static let ofProcess = Locked<AccessSource?>(nil)

    package let source: AccessSource
    /// The operation; nil: the one that the engine reports.
    package let operation: AccessOperation?
    /// The process that asked, over a socket or a pipe.
    package let client: Int32?
    /// The guest that the client belongs to. The line has its name instead of the client's path, which the guest
    /// chooses.
    package let guest: String?
    /// What the guest's request is: method, server and path; or `search` and the server, if an answer is searched.
    package let request: String?
    /// Which uses of the guest have no line of their own.
    let repeated: RepeatedUses?

    package init(
        _ source: AccessSource, _ operation: AccessOperation? = nil, client: Int32? = nil, guest: String? = nil,
        request: String? = nil, repeated: RepeatedUses? = nil
    ) {
        (self.source, self.operation, self.client) = (source, operation, client)
        (self.guest, self.request, self.repeated) = (guest, request, repeated)
    }

    /// The entry point of this whole process, unless a context names another. Nil: each use names its own.
    package static var processSource: AccessSource? {
        get { ofProcess.withLock { $0 } }
        set { ofProcess.withLock { $0 = newValue } }
    }
}

/// One use of one secret, before the secret is returned.
package struct AccessUse: Sendable {
    package let itemClass: UInt8
    /// The item's UUID, 16 bytes. Zeros for an access to the log itself.
    package let item: [UInt8]
    package let name: String
    package let source: AccessSource
    package let operation: AccessOperation

    package init(
        itemClass: UInt8, item: [UInt8], name: String, source: AccessSource, operation: AccessOperation = .read
    ) {
        (self.itemClass, self.item, self.name) = (itemClass, item, name)
        (self.source, self.operation) = (source, operation)
    }
}
