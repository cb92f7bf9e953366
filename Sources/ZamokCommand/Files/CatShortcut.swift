// SPDX-License-Identifier: Apache-2.0

import ProtectedFiles

/// `zamok files cat` with nothing but paths, read without the general parser, which takes longer than opening a small file. Whatever else
/// there is (an option, an empty word) is the parser's; so are all errors. A test compares the two.
struct CatShortcut {
    let paths: [FileLocation]

    /// nil: not plain.
    init?(_ arguments: ArraySlice<String>) {
        guard arguments.count > 2, arguments.first == "files", arguments.dropFirst().first == "cat" else { return nil }
        var paths: [FileLocation] = []
        for word in arguments.dropFirst(2) {
            guard !word.hasPrefix("-"), let path = FileWord(argument: word)?.location else { return nil }
            paths.append(path)
        }
        self.paths = paths
    }

    func run() throws { try FilesCat.print(paths, HomeChoice()) }
}
