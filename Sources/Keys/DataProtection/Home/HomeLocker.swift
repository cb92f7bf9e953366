// SPDX-License-Identifier: Apache-2.0

import Files

/// Locks without opening. Neither a defect of the home nor a process that works on it keeps the keys alive. Needs the
/// folder, and waits for no process.
struct HomeLocker {
    let location: HomeLocation

    /// How other processes learn of a lock.
    enum Messenger {
        case page
        /// Through the runtime folder, because the home can't be written to, for this reason.
        case runtimeFolder(any Error)
    }

    /// Makes every group of `roles` of the home in `folder` void, and destroys those in the kernel keyring, of any
    /// generation. `home`: its identifier, if the caller knows it for sure. Errors: `.notLocked`, after everything else
    /// was done.
    @discardableResult
    func lock(
        _ roles: [KeyGroup.Role], _ folder: HomeFolder, home: UniqueIdentifier? = nil, erasing: Bool = false
    ) throws -> Messenger {
        let page = try? GenerationPage(mappingIn: folder, forLocking: true)
        // Read before the page may be replaced.
        let noted = noted(roles, page: page, folder: folder)
        let inHeader = Self.nameInHeader(folder)
        let inPage = page?.homeIdentifier
        // Neither is verified. If they agree, they are trusted. Otherwise groups without a known location count as
        // this home's.
        let isSure = home != nil || (inHeader != nil && inHeader == inPage)
        let told = Result {
            try tell(roles, folder: folder, page: page, home: home ?? inHeader ?? inPage, erasing: erasing)
        }
        let destroyed = Result {
            try KernelKeyringHolder.destroy(
                roles, Set([home, inHeader, inPage].compactMap(\.self)), at: folder, withUnknown: !isSure)
        }
        let refusal: KeyringError?
        do {
            refusal = try destroyed.get()
        } catch {
            throw DataProtectionError(
                .notLocked,
                "not locked: the keys in the kernel keyring could not be destroyed: \(DataProtectionError(error, about: folder.path).message)",
                cause: error)
        }
        let messenger = try told.get()
        if refusal == nil, folder.otherOwner == nil, let page {
            let space = Places.userNamespace()
            for role in roles { page.forgetPublished(role, in: space) }
        }
        if let elsewhere = try Elsewhere(noted, refusal: refusal, folder: folder, isHome: isHome(folder)) {
            throw elsewhere.error
        }
        return messenger
    }

    /// The user namespaces whose keyrings may contain groups; nil if unknown.
    private func noted(_ roles: [KeyGroup.Role], page: GenerationPage?, folder: HomeFolder) -> Set<UInt64>? {
        let now = BootClock.system.now()
        var all: Set<UInt64> = []
        for role in roles {
            guard
                let noted = page?.published(role, now: now)
                    ?? GenerationPage.published(role, now: now, in: folder)
            else { return nil }
            all.formUnion(noted)
        }
        return all
    }

    /// Keys in a keyring that this process can't access.
    private enum Elsewhere {
        case ofUser(UInt32)
        case refused(KeyringError, isKnown: Bool)
        case ofOtherSpace

        init?(_ noted: Set<UInt64>?, refusal: KeyringError?, folder: HomeFolder, isHome: Bool) {
            if let owner = folder.otherOwner, noted?.isEmpty != true, isHome {
                self = .ofUser(owner)
            } else if let refusal, noted?.isEmpty != true, isHome {
                self = .refused(refusal, isKnown: noted != nil)
            } else if let noted, !noted.subtracting([Places.userNamespace()]).isEmpty {
                self = .ofOtherSpace
            } else {
                return nil
            }
        }

        var error: DataProtectionError {
            let told = "every process that uses the home was told, but the keys can be read there until one looks"
            return switch self {
            case .ofUser(let owner):
                DataProtectionError(
                    .notLocked,
                    "not locked in the kernel's keyring of user id \(owner), whose home it is: \(told); run as that user: zamok lock"
                )
            case .refused(let refusal, true):
                DataProtectionError(
                    .notLocked,
                    "not locked in the kernel's keyring: the home was unlocked there, and this process is refused the keyring (\(refusal.text)): \(told); run where it was unlocked, outside the container: zamok lock",
                    cause: refusal)
            case .refused(let refusal, false):
                DataProtectionError(
                    .notLocked,
                    "the page that says whether keys lie in the kernel's keyring could not be read, and this process is refused the keyring (\(refusal.text)): every process that uses the home was told; if it was unlocked outside the container, run there: zamok lock",
                    cause: refusal)
            case .ofOtherSpace:
                DataProtectionError(
                    .notLocked,
                    "not locked in the kernel's keyring of another user namespace, where the home was unlocked: \(told); run there, inside or outside the container: zamok lock"
                )
            }
        }
    }

    /// Like the other `lock`, for a home whose folder is gone: destroys what the keyring still contains of it.
    func lock(_ roles: [KeyGroup.Role], at path: String) throws {
        try KernelKeyringHolder.destroy(roles, [], at: nil, path: path, withUnknown: true)
    }

    /// The home's identifier in the keybag's header, regardless of the rest of the file.
    static func nameInHeader(_ folder: HomeFolder) -> UniqueIdentifier? {
        guard let file = try? folder.openForLocking(KeybagFile.fileName, .read),
            let bytes = try? file.read(count: 32)
        else { return nil }
        return KeybagFile.homeIdentifier(inHeader: bytes)
    }

    private func tell(
        _ roles: [KeyGroup.Role], folder: HomeFolder, page: GenerationPage?, home: UniqueIdentifier?,
        erasing: Bool
    ) throws -> Messenger {
        if let page {
            if erasing { page.setKeybagGeneration(0) }
            for role in roles { page.count(role) }
            // If the page was truncated or replaced at that moment, no process was notified.
            if page.isStill() { return .page }
        } else if try !isHome(folder) {
            return .page
        }
        if let owner = folder.otherOwner {
            // The owner's processes would ignore a file of another user.
            throw DataProtectionError(
                .notLocked,
                "not locked: \(folder.path) belongs to user id \(owner), not to this process's user \(ThisProcess.user), and the page by which its processes hear of a lock can't be used; run as that user: zamok lock"
            )
        }
        do {
            // The page can't be used. A new one replaces it, which counts as a lock.
            try folder.replaceBesideOthers(GenerationPage.fileName, with: GenerationPage.fresh(home))
            return .page
        } catch {
            do {
                try RuntimeLocks(location: location).void(roles)
                return .runtimeFolder(error)
            } catch let second {
                throw DataProtectionError(
                    .notLocked,
                    "not locked for processes that keep keys themselves, since neither \(folder.path) can be written to (\(Self.text(error, folder.path))) nor the runtime folder (\(Self.text(second, ""))): end them; the keys in the kernel keyring are destroyed",
                    cause: error)
            }
        }
    }

    private static func text(_ error: any Error, _ place: String) -> String {
        DataProtectionError(error, about: place).message
    }

    /// Whether there is anything of a home. A lock leaves nothing in a folder that is not a home.
    private func isHome(_ folder: HomeFolder) throws -> Bool {
        try [KeybagFile.fileName, Epoch.fileName, GenerationPage.fileName].contains {
            try folder.exists($0)
        }
    }
}
