// SPDX-License-Identifier: Apache-2.0

import DataProtection
import Files
import Sealing
import SecretMemory
package import Statuses

/// Why a protected file could not be used. Two errors are equal when their codes are.
public struct ProtectedFileError: Error, Equatable, CustomStringConvertible {
    /// What went wrong. Later versions may add codes.
    public struct Code: Hashable, Sendable, CustomStringConvertible {
        enum Value: String, CaseIterable, Sendable {
            case locked, keyDestroyed, damaged, foreign, newerFormat, notFound, missing, exists, replaced, folderRecord
            case notProtected, alreadyProtected, notRegular, unsupported, invalidArgument, busy, changed, closed
            case tooLarge, diskFull, readOnly, notPermitted, forked, home, homesOwn, stopped, io
        }
        let value: Value

        /// Its name.
        public var description: String { value.rawValue }

        /// The class key is not available now: unlock first. Never reported as `.notFound`.
        public static let locked = Code(value: .locked)
        /// The class key that this file was sealed for no longer exists, so the file can't be read again.
        public static let keyDestroyed = Code(value: .keyDestroyed)
        /// The file was cut, changed, or put together from parts.
        public static let damaged = Code(value: .damaged)
        /// The file belongs to another home or another user. It is intact as far as known, but usable only there.
        public static let foreign = Code(value: .foreign)
        /// Written by a newer version; nothing was changed.
        public static let newerFormat = Code(value: .newerFormat)
        /// There is no such file or folder.
        public static let notFound = Code(value: .notFound)
        /// The file is gone, but the folder's index lists it.
        public static let missing = Code(value: .missing)
        /// A file of that name already exists.
        public static let exists = Code(value: .exists)
        /// The folder's index lists another file, or another state of this one, under this name.
        public static let replaced = Code(value: .replaced)
        /// The record of a folder (its default class and index) is not the one that its files remember, or other users
        /// can write to it.
        public static let folderRecord = Code(value: .folderRecord)
        /// The file is plaintext: protect it first.
        public static let notProtected = Code(value: .notProtected)
        /// The file is protected already: change its class instead.
        public static let alreadyProtected = Code(value: .alreadyProtected)
        /// The path is a folder, device, link or pipe where a regular file is needed.
        public static let notRegular = Code(value: .notRegular)
        /// An unsupported option or request, which is never ignored.
        public static let unsupported = Code(value: .unsupported)
        /// An argument is invalid; for example, an offset is negative.
        public static let invalidArgument = Code(value: .invalidArgument)
        /// Another handle or process is changing the file, and did not finish in time.
        public static let busy = Code(value: .busy)
        /// The file changed while it was read.
        public static let changed = Code(value: .changed)
        /// The handle was closed.
        public static let closed = Code(value: .closed)
        /// The content exceeds the maximum of a protected file, 16 TiB, or one key has too many seals.
        public static let tooLarge = Code(value: .tooLarge)
        /// The disk is full; the old content is intact.
        public static let diskFull = Code(value: .diskFull)
        /// The file system is read-only.
        public static let readOnly = Code(value: .readOnly)
        /// The system does not permit it.
        public static let notPermitted = Code(value: .notPermitted)
        /// Used in a child process after fork.
        public static let forked = Code(value: .forked)
        /// The home failed; `cause` is a `DataProtectionError`.
        public static let home = Code(value: .home)
        /// The path is in a home, whose own files are never touched. A user's folder `files` is exempt.
        public static let homesOwn = Code(value: .homesOwn)
        /// The caller's own code ended the operation; `cause` is the error that it threw.
        public static let stopped = Code(value: .stopped)
        /// Another I/O error of the system.
        public static let io = Code(value: .io)
    }

    /// What went wrong.
    public let code: Code
    /// What happened, to which file, and what to do next; never content.
    public let message: String
    /// The underlying error, if any.
    public let cause: (any Error)?
    /// Where the error was created, `file:line`.
    public let location: String
    /// For `.foreign`: the identifier of the home to which the file says it belongs.
    package let owner: [UInt8]?

    package init(
        _ code: Code, _ message: String, cause: (any Error)? = nil, owner: [UInt8]? = nil, file: String = #fileID,
        line: Int = #line
    ) {
        self.code = code
        self.message = message
        self.cause = cause
        self.owner = owner
        self.location = "\(file):\(line)"
    }

    /// The matching OSStatus of Apple's `SecItem` functions. The command `zamok` exits with its low byte.
    public var status: Int32 { asStatus.rawValue }

    /// Two errors are equal when their codes are.
    public static func == (left: Self, right: Self) -> Bool { left.code == right.code }

    /// The message.
    public var description: String { message }
}

extension ProtectedFileError {
    /// Maps an error of a lower layer, about a path.
    package init(_ error: any Error, about path: String?, file: String = #fileID, line: Int = #line) {
        let path = path ?? ""
        switch error {
        case let error as FileError:
            self.init(error, path, file: file, line: line)
        case let error as ProtectedFileError:
            self = error
        case let error as DataProtectionError:
            self.init(Self.code(of: error), Self.text(of: error, path), cause: error, file: file, line: line)
        case let error as SecretMemoryError where error.code == .forked:
            self.init(.forked, "\(path): not available in a process after fork", cause: error, file: file, line: line)
        case is SealingError:
            self = .damaged(path, "it does not open", file: file, line: line)
        default:
            self.init(.stopped, "\(path): stopped: \(error)", cause: error, file: file, line: line)
        }
    }

    /// Maps a system error of an operation on `path`.
    private init(_ error: FileError, _ path: String, file: String, line: Int) {
        let (code, message): (Code, String) =
            switch error {
            // A temporary file, known only to this module, had no room; so the error names `path`.
            case _ where error.isFull:
                (.diskFull, "\(path): the disk is full; the old content is intact. Make room and try again.")
            case _ where error.isReadOnly: (.readOnly, "\(error.path): the file system can't be written to")
            case _ where error.isMissing: (.notFound, "\(error.path): there is no such file or folder")
            case _ where error.isPresentAlready: (.exists, "\(error.path): there is a file of that name already")
            case _ where error.isForbidden:
                (.notPermitted, "\(error.path): not permitted (\(error.operation.words): \(error.text))")
            case _ where error.isNoFolder: (.notRegular, "\(error.path), or what it lies in, is not a folder")
            case _ where error.isNoFile: (.notRegular, "\(error.path) is not a regular file (\(error.text))")
            case _ where error.isOfPipe: (.notRegular, "\(error.path) is not a regular file")
            case _ where error.isTooLarge: (.tooLarge, "\(error.path): too large for this file system")
            case _ where error.isBusy:
                (.busy, "\(error.path) is being changed by another handle or process; try again")
            default: (.io, "\(error)")
            }
        self.init(code, message, cause: error, file: file, line: line)
    }

    /// The end of the message for a damaged file that nothing here can mend.
    static let restore = "Restore it from a backup."

    static func damaged(_ path: String, _ what: String, file: String = #fileID, line: Int = #line) -> Self {
        Self(
            .damaged,
            "\(path) is damaged: \(what). \(restore)",
            file: file, line: line
        )
    }

    /// Bytes after the end, which a repair can remove.
    static func lengthened(_ path: String, by count: Int, file: String = #fileID, line: Int = #line) -> Self {
        let text =
            "\(path) is damaged: \(count) bytes were put after its end. "
            + "To verify the rest and remove them, run: zamok files repair \(FileLocation(path).shellWord)"
        return Self(.damaged, text, file: file, line: line)
    }

    static func foreign(_ path: String, home: [UInt8], file: String = #fileID, line: Int = #line) -> Self {
        let text =
            "\(path) belongs to another home, or to another user; nothing shows that it is damaged. "
            + "Name that home with ZAMOK_HOME, or that user with --user (if this home was erased, the file may be from before)"
        return Self(.foreign, text, owner: home, file: file, line: line)
    }

    private static func code(of error: DataProtectionError) -> Code {
        switch error.code {
        case .locked: .locked
        case .keyDestroyed, .erased: .keyDestroyed
        case .damaged: .damaged
        case .forked: .forked
        case .diskFull: .diskFull
        case .readOnly: .readOnly
        case .newerFormat: .newerFormat
        default: .home
        }
    }

    private static func text(of error: DataProtectionError, _ path: String) -> String {
        switch error.code {
        case .locked: "\(path) can't be used while locked; unlock first"
        case .keyDestroyed:
            "\(path) was sealed for a class key that does not exist any more, and can't be read again, unless its header is damaged: then put it back from a backup"
        case .damaged: "\(path) is damaged: its key does not open. \(restore)"
        default: "\(path): \(error.message)"
        }
    }
}

extension ProtectedFileError: BorderError {}

extension ProtectedFileError.Code: StatusCode {
    package static var all: [Self] { Value.allCases.map(Self.init(value:)) }
    package var codeName: String { value.rawValue }

    package var status: Status? {
        switch value {
        case .locked: .locked
        case .keyDestroyed: .keyDestroyed
        case .damaged, .replaced, .folderRecord: .damaged
        case .foreign: .noSuchKeychain
        case .newerFormat: .invalidKeychain
        case .notFound, .missing: .itemNotFound
        case .exists: .duplicateItem
        case .notProtected, .alreadyProtected, .notRegular, .invalidArgument, .closed, .unsupported: .parameter
        case .busy: .busy
        case .changed, .io: .inputOutput
        case .tooLarge: .dataTooLarge
        case .diskFull: .diskFull
        case .readOnly: .readOnly
        case .notPermitted, .homesOwn: .noWritePermission
        case .forked: .notAvailable
        case .home, .stopped: nil
        }
    }
}
