import CoreData

struct Accounts {
    let context: NSManagedObjectContext

    func all() throws -> [Account] { try context.fetch(Account.fetchRequest()) }
}
