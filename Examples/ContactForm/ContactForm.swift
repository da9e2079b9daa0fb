package import Rac

/// A contact that is being edited: fields come and go, and it can be saved while any of them has text.
///
/// The question "is every field empty?" is asked anew for each list of fields, and the answer for the list before is
/// dropped. With merging instead of switching, a removed field would go on answering.
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
    /// Saves what is written in all fields; enabled while that is anything.
    package let save: Command<Void, Int, Never>

    /// Makes a form without fields.
    ///
    /// - Parameters:
    ///   - scheduler: Where the form is told what happens.
    ///   - store: Keeps the texts and answers how many it kept.
    package init(on scheduler: some Scheduler, store: @escaping @Sendable ([String]) -> Signal<Int, Never>) {
        let fields = Property<[Field]>([])
        self.fields = fields
        self.save = Command(on: scheduler, enabledIf: Self.isEmpty(fields).not()) {
            store(fields.value.map(\.text.value))
        }
    }

    /// Whether nothing is written anywhere, now and after each change of that.
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
