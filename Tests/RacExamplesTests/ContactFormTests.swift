import Rac
import RacExamples
import RacTestKit
import Testing

@Suite struct ContactFormTests {
    private let scheduler = ManualScheduler()
    private let stored = Property<[[String]]>([])

    private func makeForm() -> ContactForm {
        let stored = self.stored
        return ContactForm(on: self.scheduler) { texts in
            stored.modify { $0.append(texts) }
            return .just(texts.count)
        }
    }

    @Test("C294 The contact form: is every field empty?")
    func isEmpty() {
        let form = self.makeForm()
        let a = Recorder(form.isEmpty)
        let (first, second) = (ContactForm.Field(), ContactForm.Field())
        form.fields.value = [first, second]
        first.text.value = "x"
        second.text.value = "y"
        first.text.value = ""
        second.text.value = ""
        form.fields.value = []
        #expect(a.values == [true, false, true])
    }

    @Test("Save is enabled while any field has text, and saves all of them")
    func save() {
        let form = self.makeForm()
        let field = ContactForm.Field()
        form.fields.value = [field, ContactForm.Field()]
        #expect(Recorder(form.save.execute()).ending == .failed(.notEnabled))
        field.text.value = "x"
        let a = Recorder(form.save.execute())
        self.scheduler.drain()
        #expect(a.values == [2])
        #expect(a.ending == .completed)
        #expect(self.stored.value == [["x", ""]])
    }

    @Test("A field that has been removed does not count any more")
    func removedField() {
        let form = self.makeForm()
        let (kept, removed) = (ContactForm.Field(), ContactForm.Field())
        form.fields.value = [kept, removed]
        removed.text.value = "x"
        form.fields.value = [kept]
        let a = Recorder(form.isEmpty)
        removed.text.value = ""
        removed.text.value = "y"
        self.scheduler.drain()
        #expect(a.values == [true])
        #expect(!form.save.isEnabled.value)
    }

    @Test("A form that nobody holds is gone, its fields and its command too")
    func lifetime() {
        var form: ContactForm? = self.makeForm()
        weak let observedForm = form
        weak let observedCommand = form?.save
        var field: ContactForm.Field? = ContactForm.Field()
        weak let observedField = field
        if let field { form?.fields.value = [field] }
        field?.text.value = "x"
        let a = form.map { Recorder($0.isEmpty) }
        form?.save.execute()
        self.scheduler.drain()
        (form, field) = (nil, nil)
        self.scheduler.drain()
        #expect(observedForm == nil && observedCommand == nil && observedField == nil)
        #expect(a?.values == [false])
        #expect(a?.ending == .completed)
    }
}
