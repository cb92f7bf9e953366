// SPDX-License-Identifier: Apache-2.0

public import KeychainEngine
public import SecretMemory

/// The password of an account of a service. Identity: service, account, access group, synchronizable flag.
public struct GenericPassword: PasswordItem {
    /// The item class.
    public static var itemClass: ItemClass { .genericPassword }

    /// What the properties read and write.
    public var content: ItemContent

    /// An item with this content.
    public init(content: ItemContent) { self.content = content }

    /// A password to add. `service` nil: that of the keychain it is added to.
    public init(service: String? = nil, account: String, secret: Secret? = nil) {
        content = ItemContent()
        content.set(.service, service)
        content.set(.account, account)
        content.secret = secret
    }

    /// The service, an app's bundle identifier for example. Part of the identity.
    public var service: String {
        get { content.text(.service) ?? "" }
        set { content.set(.service, newValue) }
    }

    /// Bytes of the app's own; readable whenever the attributes are, so no place for a secret.
    public var generic: [UInt8]? {
        get { content.bytes(.generic) }
        set { content.attributes[.generic] = newValue.map { .data($0) } }
    }
}
