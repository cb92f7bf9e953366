// SPDX-License-Identifier: Apache-2.0

public import DataProtection
public import Files
public import SecretMemory

extension ProtectedFileStore {
    /// How a file is written.
    public struct WritingOptions: OptionSet, Sendable {
        /// The bits.
        public let rawValue: UInt8

        /// The options of these bits.
        public init(rawValue: UInt8) { self.rawValue = rawValue }

        /// Throws `.exists` if a file of that name exists.
        public static let withoutOverwriting = WritingOptions(rawValue: 1)
        /// Accepts what the folder's index denies: protects a plaintext file where the index lists a protected one, or
        /// creates a file where the index lists a missing one.
        public static let adopting = WritingOptions(rawValue: 2)
        /// The file to be created is a folder's record.
        static let folderRecord = WritingOptions(rawValue: 128)
    }

    /// Writes a protected file of mode 0600, which replaces the file of that name. After a crash either the old or the
    /// new file exists, intact. Durable when the call returns.
    ///
    /// - Parameters:
    ///   - bytes: All of the content.
    ///   - path: The file; its folder must exist.
    ///   - protection: The class; nil: the folder's default, otherwise the store's.
    ///   - options: How to treat an existing file, or an index that denies the file.
    public func write(
        _ bytes: [UInt8], to path: FileLocation, protection: ProtectionClass? = nil, options: WritingOptions = []
    ) throws(ProtectedFileError) {
        try replace(path, protection: protection, options: options) { file in
            try bytes.withSpan(bytes.count) { try file.append($0) }
        }
    }

    /// Like `write(_:to:protection:options:)` for an array, but takes bytes from a span.
    public func write(
        _ bytes: RawSpan, to path: FileLocation, protection: ProtectionClass? = nil, options: WritingOptions = []
    ) throws(ProtectedFileError) {
        try replace(path, protection: protection, options: options) { try $0.append(bytes) }
    }

    /// Like `write(_:to:protection:options:)` for an array, but takes a secret.
    public func write(
        _ secret: borrowing SecretBytes, to path: FileLocation, protection: ProtectionClass? = nil,
        options: WritingOptions = []
    ) throws(ProtectedFileError) {
        try replace(path, protection: protection, options: options) { file in
            try secret.withBytes { try file.append($0) }
        }
    }

    /// Creates a file under a temporary name and replaces `path` with it.
    @discardableResult
    func replace(
        _ path: FileLocation, protection: ProtectionClass?, options: WritingOptions = [],
        like source: MetadataSource? = nil, _ fill: (inout FreshFile) throws -> Void
    ) throws(ProtectedFileError) -> LostMetadata {
        try reaching(path) {
            try replace(reached: $0, protection: protection, options: options, like: source, fill)
        }
    }

    /// Like `replace`, inside a call of `reaching` with the same path.
    func replace(
        reached path: FileLocation, protection: ProtectionClass?, options: WritingOptions = [],
        insteadOf read: ReadFile? = nil, like source: MetadataSource? = nil, _ fill: (inout FreshFile) throws -> Void
    ) throws -> LostMetadata {
        var fresh = try begin(path, protection: protection, options: options)
        try fill(&fresh)
        return try place(&fresh, at: path, options, insteadOf: read, like: source)
    }

    /// Creates a file under a temporary name and replaces `path` with it; returns the file, still open.
    func make(
        _ path: FileLocation, protection: ProtectionClass?, options: WritingOptions = [],
        _ fill: (inout FreshFile) throws -> Void
    ) throws -> FreshFile {
        var fresh = try begin(path, protection: protection, options: options)
        try fill(&fresh)
        try place(&fresh, at: path, options)
        return fresh
    }

    /// Begins a new file for `path`, under a temporary name. If the class is not usable now, nothing is created.
    func begin(
        _ path: FileLocation, protection: ProtectionClass?, options: WritingOptions
    ) throws -> FreshFile {
        let kind = try OpenFile.status(of: path, hooks)?.kind
        guard kind == nil || kind == .file else {
            throw ProtectedFileError(.notRegular, "\(path) is a folder, link or device; give a file's own path")
        }
        if kind != nil, options.contains(.withoutOverwriting) {
            throw ProtectedFileError(.exists, "\(path): there is a file of that name already")
        }
        let folder = path.folder
        let around = try surroundings(path, hasClass: protection != nil, options, isMissing: kind == nil)
        let protection = protection ?? around.protection ?? configuration.defaultProtection
        guard protection != .whenPasscodeSet else {
            throw ProtectedFileError(.unsupported, "whenPasscodeSet is a class of keychain items, not of files")
        }
        return try FreshFile(
            protection, keybag: keybag, memory: options.contains(.folderRecord) ? .none : around.memory
        ) {
            try knownFolders.note(folder)
            return try temporaries.make(for: path)
        }
    }

    /// The records in force where a file is about to be created; throws if one was lost.
    func surroundings(
        _ path: FileLocation, hasClass: Bool, _ options: WritingOptions, isMissing: Bool
    ) throws -> Surroundings {
        let around = try folders.surroundings(of: path.folder)
        guard !options.contains(.folderRecord) else { return around }
        try refuseRecord(path)
        try folders.checkNothingForgotten(around, path.folder, hasClass: hasClass)
        if isMissing, options.contains(.withoutOverwriting), !options.contains(.adopting),
            let own = around.own, own.isIndexed, let known = own.files[path.name], !known.admits(.absent)
        {
            throw FolderIndex.missing(path)
        }
        return around
    }

    /// Refuses the record of a folder, which has its own API.
    func refuseRecord(_ path: FileLocation) throws {
        guard path.name == FolderRecord.fileName else { return }
        throw ProtectedFileError(
            .invalidArgument,
            "\(path) is the record of its folder; change it with: zamok files default, zamok files index"
        )
    }

    /// Throws if the keys were erased during a long operation: then nothing is replaced, and no success is reported.
    func checkKey(_ header: FileHeader, of path: FileLocation) throws {
        do { try keybag.checkExists(ClassKeyID(header.key.classKeyID)) } catch {
            guard error.code == .erased || error.code == .keyDestroyed else { throw error }
            throw ProtectedFileError(
                .keyDestroyed,
                "\(path): the keys were destroyed meanwhile, since their home, or its user, was erased; the file that had the name before still has it, unchanged",
                cause: error)
        }
    }

    /// Renames the file into place, durably. `like`: the file whose metadata it gets.
    @discardableResult
    func place(
        _ fresh: inout FreshFile, at path: FileLocation, _ options: WritingOptions, insteadOf read: ReadFile? = nil,
        like source: MetadataSource? = nil
    ) throws -> LostMetadata {
        let state = try fresh.finish()
        let lost = try source?.give(to: fresh) ?? []
        try fresh.file.sync()
        let (unplaced, header) = (fresh.unplaced, fresh.header)
        try folders.changing(path.folder, states: [path.name: state]) {
            if let read {
                try read.isReplaced(by: unplaced, header.temporaryIdentifier) { try checkKey(header, of: path) }
                return
            }
            try checkKey(header, of: path)
            if options.contains(.withoutOverwriting) {
                try unplaced.place()
            } else {
                try unplaced.placeOver(identifier: header.temporaryIdentifier)
            }
            try keybag.checkExists(ClassKeyID(header.key.classKeyID))
        }
        keybag.countChange(.files)
        return lost
    }
}
