// SPDX-License-Identifier: Apache-2.0

public import DataProtection

/// A finding of an examination of the users. Each finding is damage.
public struct UsersFinding: Sendable, Equatable {
    /// The finding's word in reports: "missing-user", "missing-store", "unlisted-user", "damaged-user",
    /// "damaged-users", "damaged-record". Later versions may add more.
    public let word: String
    /// What happened and what to do next.
    public let message: String
}

/// Examines the list of users, whether their homes exist, and whether the homes have their stores. The content of the
/// stores is examined with each home.
public struct UsersDoctor: Sendable {
    private let root: Home

    /// Examines the users of the root home of `home`.
    public init(home: Home) { root = home.root ?? home }

    /// Opens the users' homes in any lock state, and none of their stores.
    public func examine() -> [UsersFinding] {
        do {
            let directory = try UserDirectory(root: root)
            do {
                return try directory.users().flatMap(missing) + unlisted(directory) + recorded(directory)
            } catch {
                return try [Self.damaged(error)] + unlisted(directory)
            }
        } catch {
            return [Self.damaged(error)]
        }
    }

    private func unlisted(_ directory: UserDirectory) throws -> [UsersFinding] {
        try directory.unlisted().map { user in
            UsersFinding(
                word: "unlisted-user",
                message:
                    "a home of the user \(user) is here, and no list names them; give them a name: zamok users adopt \(user) NAME"
            )
        }
    }

    private func recorded(_ directory: UserDirectory) -> [UsersFinding] {
        do {
            _ = try directory.recorded()
            return []
        } catch {
            return [Self.damaged(error)]
        }
    }

    private static func damaged(_ error: any Error) -> UsersFinding {
        UsersFinding(word: "damaged-users", message: AppUsersError(error).message)
    }

    private func missing(_ user: AppUser) throws -> [UsersFinding] {
        let parts = try root.missingParts(ofUser: user.id.unique)
        guard parts.isEmpty else {
            let list = parts.map { "\(root.folder)/\($0)" }.joined(separator: " and ")
            return [
                UsersFinding(
                    word: "missing-user",
                    message:
                        "of the user \(user.name) (\(user.id)) \(list) is missing; put it back from a backup, or give the user up: zamok users remove \(user.id)"
                )
            ]
        }
        do {
            let home = try root.home(ofUser: user.id.unique, making: false)
            let doubt = try home.doubtAboutStores().map { reason in
                UsersFinding(word: "damaged-record", message: "of the user \(user.name) \(reason)")
            }
            return [doubt].compactMap(\.self)
                + (try home.missingStores()).map { store in
                    UsersFinding(
                        word: "missing-store",
                        message:
                            "of the user \(user.name) \(home.folder)/\(store) is missing or empty, but there was one; put it back, or look: zamok doctor --user \(user.id)"
                    )
                }
        } catch {
            let reason = AppUsersError(error).message
            return [UsersFinding(word: "damaged-user", message: "the user \(user.name): \(reason)")]
        }
    }
}
