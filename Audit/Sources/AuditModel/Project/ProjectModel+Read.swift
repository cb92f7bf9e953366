// SPDX-License-Identifier: Apache-2.0

extension ProjectModel {
    init(_ tree: FileTree, options: Options) {
        files = tree.files
        swift = []
        var skipped = tree.skipped
        resources = Resources.read(
            tree.files, contents: { tree.contents(of: $0, most: options.largestFile) }, skipped: &skipped)
        self.skipped = skipped
        types = [:]
        functions = []
        typesByShortName = [:]
        functionsByName = [:]
        callsByName = [:]
        subclasses = [:]
    }
}
