import Rac
import RacClient
import RacExamples
import RacTestKit
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

    @Test("Two programs edit one contact, and each shows the other's edits", .timeLimit(.minutes(5)))
    func programs() async throws {
        let daemon = TestDaemon()
        let clients = [daemon.client(), daemon.client()]
        let there = Property(ContactCard.Contact(name: "", age: 0))
        try clients[0].publish(self.contact, as: "contact")
        try there <~> clients[1].property("contact", as: ContactCard.Contact.self)
        let (card, other) = (ContactCard(self.contact), ContactCard(there))
        let seen = Recorder(there)
        try await seen.wait(timeout: .seconds(120)) { $0.values.last?.name == "Ada" }
        #expect(other.age.text == "36")
        card.name.type("Grace")
        try await seen.wait(timeout: .seconds(120)) { $0.values.last?.name == "Grace" }
        #expect(other.name.text == "Grace")
        let back = Recorder(self.contact)
        other.age.type("37")
        try await back.wait(timeout: .seconds(120)) { $0.values.last == .init(name: "Grace", age: 37) }
        #expect(card.age.text == "37")
        for client in clients { await client.close() }
        await daemon.stop()
    }
}
