// SPDX-License-Identifier: Apache-2.0

/// Tells whose code a file is: by its folders, by licence files and lock files round it, and by its head.
enum Origins {
    private static let foreignFolders: Set<String> = [
        "pods", "carthage", "vendor", "vendors", "vendored", "thirdparty", "third_party", "third-party", "third party",
        "3rdparty",
        "3rd-party", "3rdparties", "thirdparties", "sourcepackages", "checkouts", "node_modules", "flatbuffers",
        ".build",
    ]
    private static let foreignEndings = [".framework", ".xcframework", ".bundle", ".podspec"]
    private static let testFolders: Set<String> = [
        "tests", "test", "specs", "fastlane", "screenshots", "preview content", "previews", "scripts", "mocks",
        "fixtures", "__tests__", "__mocks__",
    ]
    /// As names are put together of words: contests are none.
    private static let testEndings = [
        "Tests", "Specs", "-tests", "_tests", " tests", "unittests", "uitests", "Screenshots",
    ]
    private static let generatedFolders: Set<String> = ["generated", "derivedsources"]

    /// By the path alone.
    static func origin(of path: String) -> Origin {
        var parts = path.split(separator: "/")
        let name = (parts.popLast() ?? "").lowercased()
        var origin = Origin.own
        for part in parts {
            let low = part.lowercased()
            if foreignFolders.contains(low) || part == "External" || foreignEndings.contains(where: low.hasSuffix) {
                return .thirdParty
            }
            if testFolders.contains(low) || testEndings.contains(where: part.hasSuffix) { origin = .test }
            if generatedFolders.contains(low), origin == .own { origin = .generated }
        }
        guard origin == .own else { return origin }
        if ["Tests.swift", "Test.swift", "Spec.swift", "Specs.swift", "Tests.m", "Specs.m"].contains(where: {
            path.hasSuffix($0)
        }) {
            return .test
        }
        if [".generated.swift", ".pb.swift", ".grpc.swift", ".pbobjc.m", ".pbobjc.h"].contains(where: name.hasSuffix) {
            return .generated
        }
        return .own
    }

    /// What only a look at the whole tells: folders with a licence of their own, folders named in a lock file, heads of files.
    /// `head` reads the beginning of a file, `text` all of it.
    static func refine(
        _ files: inout [ProjectFile], head: (ProjectFile) -> [UInt8], text: (ProjectFile) -> String?
    ) {
        let folders = foreignFolders(files, text: text, head: head)
        if !folders.isEmpty {
            for index in files.indices where files[index].origin == .own {
                if outer(of: files[index].path).contains(where: folders.contains) { files[index].origin = .thirdParty }
            }
        }
        judgeHeads(&files, head: head)
    }

    private static let testModules = ["XCTest", "Testing", "Quick", "Nimble", "Specta"].map { Array($0.utf8) }

    /// Whether the name alone says that a file is a test.
    private static func isNamedTest(_ path: String) -> Bool {
        guard path.hasSuffix(".swift") else { return false }
        return path.split(separator: "/").dropLast().allSatisfy { part in
            !testFolders.contains(part.lowercased()) && !testEndings.contains(where: part.hasSuffix)
        }
    }

    // MARK: Folders

    private static func isSource(_ file: ProjectFile) -> Bool {
        ["swift", "m", "mm", "h", "c", "cpp"].contains(file.ending)
    }

    /// Libraries that were copied into many apps without their licence, by the folders' names.
    private static let wellKnown: Set<String> = [
        "afnetworking", "alamofire", "sdwebimage", "mbprogresshud", "svprogresshud", "fmdb", "masonry", "snapkit",
        "mjrefresh", "mjextension", "yykit", "yymodel", "yytext", "yycache", "yywebimage", "jsonmodel", "jsonkit",
        "sbjson", "asihttprequest", "iqkeyboardmanager", "iqkeyboardmanagerswift", "swiftyjson", "objectmapper",
        "kingfisher", "reachability", "sskeychain", "samkeychain", "kvnprogress", "jgprogresshud", "reactivecocoa",
        "reactiveobjc", "rxswift", "rxcocoa", "promisekit", "realm", "realmswift", "grdb", "sqlite.swift",
        "cocoalumberjack", "swiftybeaver", "lottie", "charts", "facebooksdk", "fbsdkcorekit", "googlesignin",
        "alipaysdk", "alisdk", "alipay", "wechatsdk", "wechat_sdk", "weibosdk", "umsocial", "umeng", "sharesdk",
        "zxing", "zxingobjc", "zbarsdk", "socketrocket", "starscream", "cocoaasyncsocket", "asyncsocket",
        "gcdwebserver",
        "mwphotobrowser", "tzimagepickercontroller", "qbimagepickercontroller", "sdcyclescrollview", "fscalendar",
        "jtcalendar", "hpgrowingtextview", "slidemenu", "mmdrawercontroller", "swrevealviewcontroller", "pksidemenu",
        "mantle", "nimbus", "three20", "ohhttpstubs", "flex", "ksreachability", "openssl", "cryptoswift",
        "rncryptor", "bouncycastle", "libsodium", "webrtc", "ffmpeg", "ijkplayer", "zfplayer", "vlckit", "easemob",
        "hyphenate", "easeui", "rongcloud", "tencentopenapi", "gtmhttpfetcher", "gtm", "toast", "mbprogress",
    ]

    /// `a/` and `a/b/` of `a/b/c.swift`.
    private static func outer(of path: String) -> [Substring] {
        path.indices.filter { path[$0] == "/" }.map { path[...$0] }
    }

    /// What lies in a folder, at any depth.
    private struct Inside {
        var sources = 0
        var isOfAnApp = false
        var hasLicence = false
        /// The first of the sources.
        var first: [ProjectFile] = []

        mutating func add(_ file: ProjectFile) {
            if Origins.isOfAnApp(file) { isOfAnApp = true }
            if Origins.isLicence(file.name) { hasLicence = true }
            guard Origins.isSource(file) else { return }
            sources += 1
            if first.count < 12 { first.append(file) }
        }
    }

    /// With a slash at the end.
    private static func foreignFolders(
        _ files: [ProjectFile], text: (ProjectFile) -> String?, head: (ProjectFile) -> [UInt8]
    ) -> Set<Substring> {
        let own = files.filter { $0.origin == .own }
        let all = own.count(where: isSource)
        var candidates: [Substring: Inside] = [:]
        for file in own where isLicence(file.name) && file.path.contains("/") {
            candidates[file.path.dropLast(file.name.count)] = Inside()
        }
        let locked = LockFiles.names(own.filter { LockFiles.isOne($0.name) }.compactMap(text))
        for file in own where isSource(file) {
            for folder in outer(of: file.path) where candidates[folder] == nil {
                let name = folder.dropLast().split(separator: "/").last?.lowercased() ?? ""
                if locked.contains(name) || wellKnown.contains(name) { candidates[folder] = Inside() }
            }
        }
        guard !candidates.isEmpty else { return [] }
        for file in own { for folder in outer(of: file.path) { candidates[folder]?.add(file) } }
        let foreign = candidates.filter { folder, inside in
            // Not the app itself: that has entitlements, a delegate or a first screen. A folder of additions to a library is small.
            guard inside.sources > 0, inside.sources * 5 < all * 2, !inside.isOfAnApp else { return false }
            if inside.hasLicence { return true }
            guard inside.sources >= 8 else { return false }
            // `SideMenu` may be the app's own screens, named as the library that they use.
            let others = own.lazy.filter { isSource($0) && !$0.path.hasPrefix(folder) }.prefix(60)
            let theirs = projects(of: inside.first, head)
            let apps = projects(of: Array(others), head)
            guard let mine = apps.max(by: { ($0.value, $1.key) < ($1.value, $0.key) }), mine.value * 3 > others.count
            else { return true }
            return (theirs[mine.key] ?? 0) * 2 < theirs.values.reduce(0, +) || theirs.isEmpty
        }
        return Set(foreign.keys)
    }

    /// What Xcode wrote as the project's name into the heads of files, and how often.
    private static func projects(of files: [ProjectFile], _ head: (ProjectFile) -> [UInt8]) -> [String: Int] {
        var found: [String: Int] = [:]
        for file in files {
            let lines = comments(head(file)).split(separator: UInt8(ascii: "\n")).map { line in
                String(decoding: line.drop { "/* \t\r".utf8.contains($0) }, as: UTF8.self)
                    .split(separator: "\r").joined()
            }.filter { !$0.isEmpty }
            guard let name = lines.firstIndex(of: file.name.lowercased()), name + 1 < lines.count else { continue }
            found[lines[name + 1], default: 0] += 1
        }
        return found
    }

    /// Whether a file of this name says anything here, beside those that are read.
    static func isOfUse(_ name: Substring) -> Bool {
        isLicence(name) || LockFiles.isOne(name) || name.hasSuffix(".c") || name.hasSuffix(".cpp")
    }

    private static func isLicence(_ name: Substring) -> Bool {
        let stem = name.lowercased().split(separator: ".").first ?? ""
        return ["license", "licence", "copying", "license-mit", "mit-license"].contains(stem)
    }

    private static func isOfAnApp(_ file: ProjectFile) -> Bool {
        file.ending == "entitlements" || file.name.hasPrefix("AppDelegate.") || file.name == "Main.storyboard"
            || file.name.hasSuffix("App.swift")
    }

    // MARK: Heads

    private static let licenceWords: [[UInt8]] = [
        "permission is hereby granted", "mit license", "the mit licence", "apache license",
        "redistribution and use in source",
        "bsd license", "mozilla public license", "general public license", "released under the", "licensed under the",
        "boost software license", "zlib license",
    ].map { Array($0.utf8) }
    private static let generatedWords: [[UInt8]] = ["generated", "do not edit"].map { Array($0.utf8) }

    private static func judgeHeads(_ files: inout [ProjectFile], head: (ProjectFile) -> [UInt8]) {
        // `SpeedTest.swift` of an app that measures a connection is no test.
        for index in files.indices where files[index].origin == .test && isNamedTest(files[index].path) {
            let text = head(files[index])
            let isTest = testModules.contains { ByteSearch.contains(text, $0) }
            if !isTest { files[index].origin = .own }
        }
        var holders: [String: Int] = [:]
        var licensed: [(index: Int, holder: String)] = []
        var count = 0
        for index in files.indices where files[index].origin == .own && isSource(files[index]) {
            count += 1
            let text = comments(head(files[index]))
            if generatedWords.contains(where: { ByteSearch.contains(text, $0) }), saysGenerated(text) {
                files[index].origin = .generated
                continue
            }
            let holder = holder(text)
            if !holder.isEmpty { holders[holder, default: 0] += 1 }
            if licenceWords.contains(where: { ByteSearch.contains(text, $0) }) { licensed.append((index, holder)) }
        }
        // A holder of many files is the project's own; so is a licence without a name.
        let foreign = licensed.filter { !$0.holder.isEmpty && (holders[$0.holder] ?? 0) * 7 < count }.map(\.index)
        let byFolder = Dictionary(grouping: foreign) { files[$0].folder }
        let sources = Dictionary(grouping: files.lazy.filter(isSource), by: \.folder).mapValues(\.count)
        for (folder, indices) in byFolder {
            // A few Swift files that were copied are the app's own since: it ships and changes them. Objective-C comes in pairs of files, as it was.
            let isWhole = indices.count >= 5 && indices.count == sources[folder]
            for index in indices where isWhole || files[index].ending != "swift" { files[index].origin = .thirdParty }
        }
    }

    private static let generatedLines = [
        "generated by", "generated using", "generated with", "generated from", "generated file", "generated code",
        "code generated by", "code generated using", "code generated with", "code generated from", "@generated",
        "auto-generated", "autogenerated", "auto generated", "automatically generated", "do not edit",
    ]
    private static let ownNames = [
        "this file", "this code", "this source", "the file", "this class", "this is a", "this is an",
    ]

    /// Whether a line says of the file, and not of what the file is about, that a program wrote it.
    private static func saysGenerated(_ comments: [UInt8]) -> Bool {
        comments.split(separator: UInt8(ascii: "\n")).contains { line in
            let text = String(decoding: line.drop { "/*! \t".utf8.contains($0) }, as: UTF8.self)
            let isOfFile = ownNames.contains { text.hasPrefix($0) || text.contains(" " + $0) }
            return generatedLines.contains(where: text.hasPrefix)
                || isOfFile && (text.contains("generated") || text.contains("do not edit"))
                || text.contains("do not edit") && text.contains("generated")
        }
    }

    /// The comments before the first line of code, in lower case.
    private static func comments(_ head: [UInt8]) -> [UInt8] {
        var result: [UInt8] = []
        var isInside = false
        for line in head.split(separator: UInt8(ascii: "\n"), maxSplits: 40) {
            let text = line.drop { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\t") }
            let begin = text.prefix(2)
            let opens = begin.elementsEqual("/*".utf8)
            guard
                isInside || opens || begin.elementsEqual("//".utf8) || text.first == UInt8(ascii: "*") || text.count < 2
            else {
                break
            }
            if opens { isInside = true }
            if ByteSearch.contains(Array(text), Array("*/".utf8)) { isInside = false }
            for byte in text { result.append((0x41...0x5A).contains(byte) ? byte | 0x20 : byte) }
            result.append(UInt8(ascii: "\n"))
        }
        return result
    }

    /// `mattrubin` of `Copyright (c) 2014-2016 Matt Rubin. All rights reserved.`
    private static func holder(_ text: [UInt8]) -> String {
        let word = Array("copyright".utf8)
        guard
            let line = text.split(separator: UInt8(ascii: "\n")).first(where: { line in
                line.contains { (0x30...0x39).contains($0) } && ByteSearch.contains(Array(line), word)
            })
        else { return "" }
        let name = String(decoding: line, as: UTF8.self).replacing("copyright", with: "")
            .replacing("all rights reserved", with: "").replacing("(c)", with: "")
        return String((name.split(separator: "<").first ?? "").filter(\.isLetter))
    }
}

/// What the files that package managers write say is from others.
enum LockFiles {
    static func isOne(_ name: Substring) -> Bool {
        ["Podfile.lock", "Package.resolved", "Cartfile.resolved"].contains(String(name))
    }

    /// In lower case. Pods of a path in the project are its own.
    static func names(_ texts: [String]) -> Set<String> {
        var names = Set<String>()
        var local = Set<String>()
        for text in texts {
            var last = ""
            for line in text.split(whereSeparator: \.isNewline) {
                let trimmed = line.drop { " \t-".contains($0) }
                if line.hasPrefix("  - "), let end = trimmed.firstIndex(where: { " /(".contains($0) }) {
                    names.insert(trimmed[..<end].lowercased())
                } else if trimmed.hasPrefix("\"identity\"") {
                    names.insert(
                        trimmed.split(separator: "\"").last { $0.contains(where: \.isLetter) }?.lowercased() ?? "")
                } else if line.hasPrefix("github \"") || line.hasPrefix("git \"") {
                    let address = line.split(separator: "\"").dropFirst().first ?? ""
                    names.insert((address.split(separator: "/").last ?? "").lowercased())
                } else if trimmed.hasPrefix(":path:") {
                    local.insert(last)
                }
                last = trimmed.lowercased().filter { $0 != ":" && $0 != "\"" }
            }
        }
        return names.subtracting(local).subtracting([""])
    }
}

extension ProjectFile {
    fileprivate var folder: Substring { path.dropLast(name.count) }
}
