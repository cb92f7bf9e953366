// SPDX-License-Identifier: Apache-2.0

public import KeychainEngine
public import SecretMemory

/// The password of an account of a service. Identity: service, account, access group, synchronizable flag.
public struct GenericPassword: PasswordItem {
    /// The item class.
    public static var itemClass: ItemClass { .genericPassword }

    /// The content that the properties read and write.
    public var content: ItemContent

    /// An item with this content.
    public init(content: ItemContent) { self.content = content }

    /// A password to add. `service` nil: the service of the keychain that it is added to.
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

    /// Arbitrary bytes of the app. They are readable whenever the attributes are, so they are not for secrets.
    public var generic: [UInt8]? {
        get { content.bytes(.generic) }
        set { content.attributes[.generic] = newValue.map { .data($0) } }
    }
}

/// The password of an account on a server. Identity: server, account, port, protocol, path, security domain,
/// authentication type, access group, synchronizable flag.
public struct InternetPassword: PasswordItem {
    /// The item class.
    public static var itemClass: ItemClass { .internetPassword }

    /// The content that the properties read and write.
    public var content: ItemContent

    /// An item with this content.
    public init(content: ItemContent) { self.content = content }

    /// A password to add. `server` nil: the server of the keychain that it is added to.
    public init(server: String? = nil, account: String, port: Int? = nil, secret: Secret? = nil) {
        content = ItemContent()
        content.set(.server, server)
        content.set(.account, account)
        content.set(.port, port.map { Int64($0) })
        content.secret = secret
    }

    /// The host name.
    public var server: String {
        get { content.text(.server) ?? "" }
        set { content.set(.server, newValue) }
    }

    /// The port; 0: any.
    public var port: Int {
        get { content.number(.port).flatMap { Int(exactly: $0) } ?? 0 }
        set { content.set(.port, Int64(newValue)) }
    }

    /// The protocol as Apple's code of four characters, "htps" for example; empty: any.
    public var protocolCode: String {
        get { content.fourCharacters(.transport) }
        set { content.setFourCharacters(.transport, newValue) }
    }

    /// The path.
    public var path: String {
        get { content.text(.path) ?? "" }
        set { content.set(.path, newValue) }
    }

    /// The security domain (realm).
    public var securityDomain: String {
        get { content.text(.securityDomain) ?? "" }
        set { content.set(.securityDomain, newValue) }
    }

    /// How the account authenticates, as Apple's code of four characters, "form" for example; empty: any.
    public var authenticationType: String {
        get { content.text(.authenticationType) ?? "" }
        set { content.set(.authenticationType, newValue) }
    }
}

extension ItemContent {
    fileprivate func fourCharacters(_ name: AttributeName) -> String {
        let text = text(name) ?? ""
        return text == "0" ? "" : text
    }

    fileprivate mutating func setFourCharacters(_ name: AttributeName, _ text: String) {
        if text.isEmpty { set(name, 0) } else { set(name, text) }
    }
}
