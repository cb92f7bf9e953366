import CoreData

struct Accounts {
    let context: NSManagedObjectContext

    func keep(_ account: Account, password: String) throws {
        account.note = password  // finds
        try context.save()
    }
}
