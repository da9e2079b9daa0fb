import Rac
import RacExamples
import Testing

@Suite struct ContactCardTests {
    private let contact = Property(ContactCard.Contact(name: "Ada", age: 36))

    @Test("A card shows a contact, and each field edits its part")
    func editing() {
        let card = ContactCard(self.contact)
        #expect([card.name.text, card.age.text] == ["Ada", "36"])
        card.name.type("Grace")
        card.age.type("37")
        #expect(self.contact.value == .init(name: "Grace", age: 37))
        self.contact.value = .init(name: "Mary", age: 5)
        #expect([card.name.text, card.age.text] == ["Mary", "5"])
    }

    @Test("A text that is no number stays in its field")
    func noNumber() {
        let card = ContactCard(self.contact)
        card.age.type("36 years")
        #expect(card.age.text == "36 years")
        #expect(self.contact.value.age == 36)
    }

    @Test("Two cards of one contact show the same")
    func two() {
        let (one, other) = (ContactCard(self.contact), ContactCard(self.contact))
        one.age.type("40")
        #expect(other.age.text == "40")
    }
}
