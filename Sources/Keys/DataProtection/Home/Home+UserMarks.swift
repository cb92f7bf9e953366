// SPDX-License-Identifier: Apache-2.0

/// Small files beside the homes of users that say what operation on a user is in progress. AppUsers defines
/// their content.
extension Home {
    private static let marksName = "marks"
    private static let markLimit = 1024

    /// The users with a mark.
    package func markedUsers() throws(DataProtectionError) -> [UniqueIdentifier] { try users(in: Self.marksName) }

    /// The users with a folder or an epoch.
    package func presentUsers() throws(DataProtectionError) -> Set<UniqueIdentifier> {
        Set(try users(in: Self.usersName) + users(in: Self.epochsName))
    }

    /// The missing parts of a user, as paths in this home: the home's folder, its keybag, or the epoch.
    package func missingParts(ofUser user: UniqueIdentifier) throws(DataProtectionError) -> [String] {
        do {
            let home = try openFolder.folder(Self.usersName, making: false)?.folder(user.text, making: false)
            let epochs = try openFolder.folder(Self.epochsName, making: false)
            var missing: [String] = []
            if home == nil { missing.append("\(Self.usersName)/\(user.text)") }
            if let home, try home.isMissingOrEmpty(KeybagFile.fileName) {
                missing.append("\(Self.usersName)/\(user.text)/\(KeybagFile.fileName)")
            }
            if try epochs?.isMissingOrEmpty(user.text) ?? true { missing.append("\(Self.epochsName)/\(user.text)") }
            return missing
        } catch {
            throw DataProtectionError(error, about: folder)
        }
    }

    /// Removes an epoch (its secret first) or a mark that a killed process was writing. The caller holds the
    /// directory's lock, like every writer of these files.
    package func removeUnfinishedUserFiles() throws(DataProtectionError) {
        do {
            for part in [Self.epochsName, Self.marksName] {
                guard let inner = try openFolder.folder(part, making: false) else { continue }
                for name in try inner.names() where name.hasSuffix(HomeFolder.temporarySuffix) {
                    let user = UniqueIdentifier(text: String(name.dropLast(HomeFolder.temporarySuffix.count)))
                    guard user != nil else { continue }
                    if part == Self.epochsName { try? Epoch(folder: inner, name: name).destroy() }
                    try inner.remove(name)
                }
            }
        } catch {
            throw DataProtectionError(error, about: folder)
        }
    }

    /// The name, before a number, of a `directory` that was put aside.
    static let asidePrefix = "directory.damaged"

    /// Renames a list of users that doesn't open to an unused name in the home, and returns that name.
    package func putAsideUserList(_ name: String) throws(DataProtectionError) -> String {
        do {
            let taken = Set(try openFolder.names())
            let aside = (1...).lazy.map { "\(Self.asidePrefix)-\($0)" }.first { !taken.contains($0) }
            guard let aside else { return name }
            try openFolder.rename(name, toNew: aside)
            try openFolder.sync()
            return aside
        } catch {
            throw DataProtectionError(error, about: folder)
        }
    }

    private func users(in name: String) throws(DataProtectionError) -> [UniqueIdentifier] {
        do {
            return try openFolder.folder(name, making: false)?.names().compactMap { UniqueIdentifier(text: $0) } ?? []
        } catch {
            throw DataProtectionError(error, about: folder)
        }
    }

    /// The mark of a user; nil if there is none.
    package func readMark(of user: UniqueIdentifier) throws(DataProtectionError) -> [UInt8]? {
        do {
            return try openFolder.folder(Self.marksName, making: false)?.read(user.text, limit: Self.markLimit)
        } catch {
            throw DataProtectionError(error, about: folder)
        }
    }

    /// Writes the mark of a user, durably.
    package func writeMark(_ bytes: [UInt8], of user: UniqueIdentifier) throws(DataProtectionError) {
        do {
            try openFolder.folder(Self.marksName, making: true)?.replace(user.text, with: bytes)
        } catch {
            throw DataProtectionError(error, about: folder)
        }
    }

    /// Removes the mark of a user, durably.
    package func removeMark(of user: UniqueIdentifier) throws(DataProtectionError) {
        do {
            guard let marks = try openFolder.folder(Self.marksName, making: false) else { return }
            try marks.remove(user.text)
            try marks.sync()
        } catch {
            throw DataProtectionError(error, about: folder)
        }
    }
}
