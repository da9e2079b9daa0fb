package import Rac

/// A form for a contact: fields come and go, and the user can save while any of them has text.
///
/// For each new list of fields, the form asks again "is every field empty?", and drops the answers for the previous
/// list. With merging instead of switching, a removed field would continue to answer.
package final class ContactForm: Sendable {
    /// One line of the form.
    package final class Field: Sendable {
        /// The text of the field.
        package let text = Property("")

        /// Makes an empty field.
        package init() {}
    }

    /// The fields that the form shows now.
    package let fields: Property<[Field]>
    /// Saves the texts of all fields; enabled while any of them has text.
    package let save: Command<Void, Int, Never>

    /// Makes a form without fields.
    ///
    /// - Parameters:
    ///   - scheduler: The scheduler of the command's events.
    ///   - store: Stores the texts and sends their number.
    package init(on scheduler: some Scheduler, store: @escaping @Sendable ([String]) -> Signal<Int, Never>) {
        let fields = Property<[Field]>([])
        self.fields = fields
        self.save = Command(on: scheduler, enabledIf: Self.isEmpty(fields).not()) {
            store(fields.value.map(\.text.value))
        }
    }

    /// Whether all fields are empty, now and after each change.
    package var isEmpty: Signal<Bool, Never> { Self.isEmpty(self.fields) }

    private static func isEmpty(_ fields: Property<[Field]>) -> Signal<Bool, Never> {
        fields.signal
            .map { fields in
                combineLatest(fields.map { $0.text.signal.map(\.isEmpty) }, whenEmpty: []).and()
            }
            .switchToLatest()
            .removeDuplicates()
    }
}
