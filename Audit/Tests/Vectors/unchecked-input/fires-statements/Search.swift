import SQLite3
import UIKit

class Search: UIViewController {
    @IBOutlet var nameField: UITextField!
    var database: OpaquePointer?

    func find() {
        let query = "SELECT * FROM people WHERE name = '\(nameField.text ?? "")'"
        sqlite3_exec(database, query, nil, nil, nil)  // finds
    }

    func count() {
        var statement: OpaquePointer?
        sqlite3_prepare_v2(database, "SELECT '" + (nameField.text ?? "") + "'", -1, &statement, nil)  // finds
    }

    func update(_ store: FMDatabase) throws {
        let query = "DELETE FROM people WHERE name = '" + (nameField.text ?? "") + "'"
        try store.executeUpdate(query, values: nil)  // finds
    }
}
