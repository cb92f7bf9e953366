// SPDX-License-Identifier: Apache-2.0

import CPlatform

/// test-worker file-calls FOLDER SCENARIO: changes files in ways that the tests of the fault injector know. Prints
/// "error N" for a failed call.
enum FileCalls {
    static func run(_ arguments: [String]) {
        let folder = unsafe zamok_open(AT_FDCWD, arguments[0], O_RDONLY | O_DIRECTORY, 0)
        switch arguments[1] {
        case "replace":
            // The right order: data, rename, folder.
            create("state.new", in: folder, "new", sync: true)
            check(unsafe zamok_rename(folder, "state.new", folder, "state"))
            check(zamok_sync(folder))
        case "replace-unsynced":
            create("state.new", in: folder, "new", sync: false)
            check(unsafe zamok_rename(folder, "state.new", folder, "state"))
            check(zamok_sync(folder))
        case "patch":
            let file = unsafe zamok_open(folder, "state", O_RDWR, 0)
            for (offset, text) in [(0, "A"), (1, "B"), (600, "C")] {
                let bytes = Array(text.utf8)
                check(unsafe zamok_write_at(file, bytes, bytes.count, Int64(offset)))
                if offset == 1 { check(zamok_sync_data(file)) }
            }
            zamok_close(file)
        case "names":
            check(unsafe zamok_make_folder(folder, "below", 0o700))
            create("below/file", in: folder, "x", sync: true)
            check(unsafe zamok_rename(folder, "below", folder, "above"))
            check(unsafe zamok_unlink(folder, "state"))
            check(zamok_sync(folder))
        default: Conversation.say("error 0")
        }
        Conversation.say("done")
    }

    private static func create(_ name: String, in folder: Int32, _ text: String, sync: Bool) {
        let file = unsafe zamok_open(folder, name, O_WRONLY | O_CREAT | O_TRUNC, 0o600)
        check(file)
        let bytes = Array(text.utf8)
        check(unsafe zamok_write_at(file, bytes, bytes.count, 0))
        if sync { check(zamok_sync(file)) }
        zamok_close(file)
    }

    private static func check(_ result: some BinaryInteger) {
        if result < 0 { Conversation.say("error \(-Int(result))") }
    }
}
