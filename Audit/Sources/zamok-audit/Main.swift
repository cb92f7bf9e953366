// SPDX-License-Identifier: Apache-2.0

import AuditCommand

@main
enum Main {
    static func main() { ZamokAudit.begin() }
}
