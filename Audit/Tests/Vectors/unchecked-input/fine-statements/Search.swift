import SQLite3
import UIKit

class Search: UIViewController {
    @IBOutlet var nameField: UITextField!
    var database: OpaquePointer?

    func find(_ store: FMDatabase) throws {
        let query = "SELECT * FROM people WHERE name = ?"
        var statement: OpaquePointer?
        sqlite3_prepare_v2(database, query, -1, &statement, nil)
        sqlite3_bind_text(statement, 1, nameField.text, -1, nil)
        try store.executeUpdate(query, values: [nameField.text ?? ""])
        let table = "people_\(2)"
        sqlite3_exec(database, "DELETE FROM \(table)", nil, nil, nil)
    }
}
