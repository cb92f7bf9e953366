// SPDX-License-Identifier: Apache-2.0

import ProtectedFiles

extension CommandFailure {
    /// What an error of protected files means here.
    init(_ error: ProtectedFileError) {
        if [.home, .stopped].contains(error.code), let cause = error.cause, let known = CommandFailure(cause) {
            self = known
        } else if let owner = error.owner, let name = Session.name(ofHome: owner) {
            self = .status(Self.statuses[error.code] ?? -50, Self.text(error, name))
        } else {
            self = .status(Self.statuses[error.code] ?? -50, error.message)
        }
    }

    /// A copy was asked for, of a file that has nothing to be protected.
    static func protectedAlready(_ file: FoundFile) -> CommandFailure {
        .status(-25_299, "\(file.location) is protected already, and not copied; cp copies it as it is")
    }

    /// Whose file it is, where this home knows the user.
    private static func text(_ error: ProtectedFileError, _ name: String) -> String {
        let whose = name == Session.nobody ? "this home itself and no user" : "the user \(name.printable)"
        return "\(error.message). It is of \(whose): use it with --user \(name.printable)"
    }

    /// errSecNoSuchKeychain of a file of another home: what it needs is not here.
    private static let statuses: [ProtectedFileError.Code: Int32] = [
        .locked: -25_308, .keyDestroyed: -25_316, .damaged: -26_275, .replaced: -26_275, .folderRecord: -26_275,
        .foreign: -25_294, .newerFormat: -25_257,
        .notFound: -25_300, .missing: -25_300, .exists: -25_299, .unsupported: -4, .busy: -47, .tooLarge: -25_302,
        .diskFull: -34, .readOnly: -61, .notPermitted: -61, .io: -36, .changed: -36, .forked: -25_291,
        .homesOwn: -61,
    ]
}
