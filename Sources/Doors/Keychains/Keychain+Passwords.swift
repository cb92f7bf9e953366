// SPDX-License-Identifier: Apache-2.0

public import DataProtection
public import KeychainEngine
public import SecretMemory

extension Keychain {
    /// Stores a password under an account: updates the one that is there, or adds it.
    ///
    /// In a keychain of a server it is an internet password, otherwise a generic one. A password that asks for a person asks before it is replaced.
    /// Errors: those of `add` and `update`.
    public func setPassword(
        _ password: String, for account: String, authentication: AuthenticationContext? = nil
    ) throws(KeychainError) {
        do {
            try setSecret(try Secret(copying: Array(password.utf8)), for: account, authentication: authentication)
        } catch {
            throw KeychainError(error)
        }
    }

    /// The password of an account; nil if there is none. This copies it out of guarded memory; ``secret(for:authentication:)`` doesn't.
    ///
    /// Errors: those of ``item(matching:authentication:)``, `.invalidEncoding` (not UTF-8), but never `.itemNotFound`.
    public func password(
        for account: String, authentication: AuthenticationContext? = nil
    ) throws(KeychainError) -> String? {
        guard let secret = try secret(for: account, authentication: authentication) else { return nil }
        do {
            if let password = try String(exposing: secret) { return password }
        } catch {
            throw KeychainError(error)
        }
        throw KeychainError(.invalidEncoding, "the secret is not text; read it with secret(for:)")
    }

    /// Stores secret bytes under an account, as ``setPassword(_:for:authentication:)``.
    public func setSecret(
        _ secret: Secret, for account: String, authentication: AuthenticationContext? = nil
    ) throws(KeychainError) {
        if scope.server != nil {
            try set(
                InternetPassword(account: account, secret: secret), secret: secret, query: .account(account),
                authentication: authentication)
        } else {
            try set(
                GenericPassword(account: account, secret: secret), secret: secret, query: .account(account),
                authentication: authentication)
        }
    }

    /// The secret bytes of an account; nil if there are none. Errors: as ``password(for:authentication:)``.
    public func secret(
        for account: String, authentication: AuthenticationContext? = nil
    ) throws(KeychainError) -> Secret? {
        do {
            if scope.server != nil {
                let query = KeychainQuery<InternetPassword>.account(account)
                return try item(matching: query, authentication: authentication).secret
            }
            let query = KeychainQuery<GenericPassword>.account(account)
            return try item(matching: query, authentication: authentication).secret
        } catch let error where error.code == .itemNotFound {
            return nil
        }
    }

    /// Removes what is stored under an account; false if there was nothing. Errors: those of `delete`.
    @discardableResult
    public func removePassword(for account: String) throws(KeychainError) -> Bool {
        do {
            if scope.server != nil {
                return try delete(matching: KeychainQuery<InternetPassword>.account(account)) > 0
            }
            return try delete(matching: KeychainQuery<GenericPassword>.account(account)) > 0
        } catch let error where error.code == .itemNotFound {
            return false
        }
    }

    /// Another process may add or delete between the two steps: then they are tried again.
    private func set<Item: KeychainItem>(
        _ item: Item, secret: Secret, query: KeychainQuery<Item>, authentication: AuthenticationContext?
    ) throws(KeychainError) {
        var last = KeychainError(.itemNotFound, "there is no such item")
        for _ in 0..<16 {
            do {
                try update(matching: query, authentication: authentication) { $0.secret = secret }
                return
            } catch let error where error.code == .itemNotFound {
                last = error
            }
            do {
                try add(item, authentication: authentication)
                return
            } catch let error where error.code == .duplicateItem {
                last = error
            }
        }
        throw last
    }
}
