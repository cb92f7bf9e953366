// SPDX-License-Identifier: Apache-2.0

public import DataProtection
public import KeychainEngine
public import SecretMemory

extension Keychain {
    /// Stores a password under an account: updates the existing one, or adds it.
    ///
    /// In a server's keychain it is an internet password, otherwise a generic one. If the existing password's access
    /// control requires the user, replacing it prompts. Errors: those of `add` and `update`.
    public func setPassword(
        _ password: String, for account: String, authentication: AuthenticationContext? = nil
    ) throws(KeychainError) {
        do {
            try setSecret(try Secret(copying: Array(password.utf8)), for: account, authentication: authentication)
        } catch {
            throw KeychainError(error)
        }
    }

    /// The password of an account; nil if there is none. The returned copy is in ordinary memory, unlike the
    /// result of ``secret(for:authentication:)``.
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

    /// Stores secret bytes under an account, like ``setPassword(_:for:authentication:)``.
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

    /// Removes the password of an account. Returns false if there was none. Errors: those of `delete`.
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

    /// Updates or adds an item. Retries both if another process adds or deletes it in between.
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
