import Dispatch
import Expectations
import Rac
import RacTesting
import Testing

@Suite struct LensTests {
    private struct Person: Equatable, Sendable {
        var name = "Ada"
        var age = 36
    }

    private let person = Property(Person())

    @Test("lens-1 A field's terminal starts with the field's value and sends each other one, but no equal one")
    func start() {
        let a = Recorder(self.person.terminal(\.name))
        self.person.value.age = 37
        self.person.value = Person(name: "Grace", age: 38)
        self.person.modify { $0.name = "Grace" }
        expect(a.events == events("Ada", "Grace"))
    }

    @Test("lens-2 A value that is sent sets the field, keeps the others, and does not come back")
    func send() {
        let (t, u) = (self.person.terminal(\.name), self.person.terminal(\.name))
        let (a, b, whole) = (Recorder(t), Recorder(u), Recorder(self.person))
        t.send("Grace")
        self.person.terminal(\.age).send(40)
        expect(self.person.value == Person(name: "Grace", age: 40))
        expect(a.events == events("Ada"))
        expect(b.events == events("Ada", "Grace"))
        expect(whole.values.map(\.name) == ["Ada", "Grace", "Grace"])
    }

    @Test("lens-3 A form of two fields edits one value, and shows what others make of it")
    func form() {
        let (name, age) = (Property(""), Property(""))
        name.terminal() <~> self.person.terminal(\.name)
        age.terminal() <~> self.person.terminal(\.age).map(forward: { "\($0)" }, backward: { Int($0) })
        expect([name.value, age.value] == ["Ada", "36"])
        name.value = "Grace"
        age.value = "4"
        age.value = "4x"
        expect(self.person.value == Person(name: "Grace", age: 4))
        self.person.value = Person(name: "Mary", age: 5)
        expect([name.value, age.value] == ["Mary", "5"])
    }

    @Test("lens-4 A field's terminal ends with the property, which it does not keep")
    func ownerGone() {
        var owner: Owner? = Owner(Person())
        let name = Property("")
        let t = owner?.property.terminal(\.name)
        let a = t.map { Recorder($0) }
        if let t { name.terminal() <~> t }
        owner = nil
        expect(a?.events == events("Ada", then: .completed))
        expect(t.map { Recorder($0).events } == events(then: .completed))
        name.value = "free"
    }

    @Test("lens-4 Ending a field's terminal leaves the property and its other terminals as they are")
    func ended() {
        let (t, u) = (self.person.terminal(\.name), self.person.terminal(\.name))
        let (a, b) = (Recorder(t), Recorder(u))
        t.complete()
        t.send("nobody")
        self.person.value.name = "Grace"
        expect(a.events == events("Ada", then: .completed))
        expect(b.events == events("Ada", "Grace"))
    }

    @Test("The property forgets a field's terminal that nobody uses, and keeps one that is observed or bound")
    func forgotten() {
        let name = Property("")
        let binding = name.terminal() <~> self.person.terminal(\.name)
        let a = Recorder(self.person.terminal(\.age))
        expect(self.person.observerCount == 2)
        self.person.value = Person(name: "Grace", age: 1)
        expect(name.value == "Grace")
        expect(a.events == events(36, 1))
        binding.dispose()
        a.dispose()
        expect(self.person.observerCount == 0)
        do {
            let gone = Property("")
            gone.terminal() <~> self.person.terminal(\.name)
        }
        expect(self.person.observerCount == 0)
    }

    @Test("An observer of a field may set it, and other fields")
    func reentrancy() {
        let person = self.person
        let t = person.terminal(\.age)
        t.onValue { age in
            if age > 100 { t.send(100) }
            if age > 100 { person.terminal(\.name).send("old") }
        }
        person.value.age = 120
        expect(person.value == Person(name: "old", age: 100))
    }

    @Test("binding-5 Fields and wholes that are set from several threads agree, and no write of another field is lost")
    func crossingWrites() {
        for round in 0..<100 {
            let person = Property(Person(name: "", age: 0))
            let (first, second, age) = (Property(""), Property(""), Property(0))
            first.terminal() <~> person.terminal(\.name)
            second.terminal() <~> person.terminal(\.name)
            age.terminal() <~> person.terminal(\.age)
            DispatchQueue.concurrentPerform(iterations: 4) { thread in
                for step in 1...50 {
                    switch thread {
                    case 0: first.value = "first \(step)"
                    case 1: second.value = "second \(step)"
                    case 2: age.value = step
                    default: if step.isMultiple(of: 10) { person.modify { $0.name = "whole \(step)" } }
                    }
                }
            }
            let whole = person.value
            expect(whole.age == 50, "round \(round)")
            expect([first.value, second.value] == [whole.name, whole.name], "round \(round)")
            expect(age.value == 50, "round \(round)")
        }
    }
}

extension LensTests {
    @Test("A field of a remote property waits for the other fields, and goes out with them")
    func remote() {
        let sent = Log<Person>()
        let mirror = MirrorCore<Person, TestFailure>(.property) { if !$0.isRenewal { sent.append($0.value) } }
        let reports = Log<@Sendable () -> Void>()
        let holder = Counter()
        let t = mirror.terminal(
            \.name,
            Remoteness(whenReported: { reports.append($0) }, isStanding: { false }, holder: holder)
        )
        let name = Property("local")
        t <~> name.terminal()
        #expect(sent.entries.isEmpty)
        _ = mirror.show(Person(), tag: 1, ifStillRanked: 0)
        for report in reports.entries { report() }
        expect(sent.entries == [Person(name: "local", age: 36)])
        name.value = "Grace"
        expect(mirror.value == Person(name: "Grace", age: 36))
        let a = Recorder(t)
        mirror.end(.failed(.e))
        expect(a.events == events("Grace", then: .failed(.e)))
        expect(Recorder(t).events == events(then: .failed(.e)))
    }

    @Test("A field of a remote property that is refused goes back to its former value")
    func refusal() {
        let mirror = MirrorCore<Person, TestFailure>(.property) { _ in }
        _ = mirror.show(Person(), tag: 1, ifStillRanked: 0)
        let admit: Admittance<Person> = { person, _ in person.age > 100 ? nil : 7 }
        let known = Remoteness(whenReported: { $0() }, isStanding: { false }, holder: Counter())
        let t = mirror.terminal(\.age, known, admitting: admit)
        let age = Property(0)
        age.terminal() <~> t
        age.value = 101
        #expect(age.value == 36 && mirror.value == Person())
        age.value = 40
        #expect(age.value == 40 && mirror.value?.age == 40 && mirror.kept?.tag == 7)
    }
}
