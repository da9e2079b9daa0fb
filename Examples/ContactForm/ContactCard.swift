package import Rac

/// A contact on a screen: two text fields that edit one value.
///
/// Each text field is bound to a field of the value. A text that is not a number stays on the screen and is not
/// accepted.
package final class ContactCard: Sendable {
    /// A person, as a program stores one.
    package struct Contact: Codable, Equatable, Sendable {
        /// The name.
        package var name: String
        /// The age in years.
        package var age: Int

        /// Makes a contact.
        package init(name: String, age: Int) {
            self.name = name
            self.age = age
        }
    }

    /// The field of the name.
    package let name = TextField()
    /// The field of the age.
    package let age = TextField()

    /// Makes a card.
    ///
    /// - Parameter contact: The card shows and edits it, and also shows changes from elsewhere.
    package init(_ contact: Property<Contact>) {
        self.name.terminal <~> contact.terminal(\.name).map(forward: { $0 }, backward: { $0 ?? "" })
        self.age.terminal <~> contact.terminal(\.age).map(forward: { String($0) }, backward: { $0.flatMap { Int($0) } })
    }
}
