// SPDX-License-Identifier: Apache-2.0

import Files
import Foundation
import TestSupport
import Testing

@Suite struct FileLockTests {
    // Rule: a lock ends with its holder, also where another process has a copy of its descriptor | no unlock before the
    //   close | the next one to ask is refused
    /// What a process that has just been forked holds until it runs its program.
    @Test(arguments: [false, true]) func `a copy of the descriptor does not keep a lock whose holder is gone`(
        shared: Bool
    ) throws {
        let folder = try TemporaryFolder()
        let name = folder.path + "/lock"
        let path = FileLocation(name)
        try Data().write(to: URL(fileURLWithPath: name))
        var first: OpenFile? = try OpenFile.open(path, mode: .change, hooks: FileHooks())
        let copy = try dup(#require(first).number)
        defer { close(copy) }
        try first?.lock(shared: shared)
        let second = try OpenFile.open(path, mode: .change, hooks: FileHooks())
        #expect(try !second.tryLock())
        first = nil
        #expect(try second.tryLock())
    }
}
