// SPDX-License-Identifier: Apache-2.0

import CoreData

final class Account: NSManagedObject {
    @NSManaged var password: String?
}

final class Stack {
    let container = NSPersistentContainer(name: "Model")  // finds

    func keep(_ password: String) throws {
        let account = Account(context: container.viewContext)
        account.password = password
        try container.viewContext.save()
    }
}
