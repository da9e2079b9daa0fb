import Expectations
import Rac
import RacTesting
import Testing

@Suite struct PropertySourceTests {
    @Test("property-10 A mapped property is computed at each reading, and sends each change")
    func map() {
        let p = Property(1)
        let text = p.map { "\($0)" }
        let a = Recorder(text)
        p.value = 2
        expect(text.value == "2")
        expect(a.events == events("1", "2"))
    }

    @Test("property-10 Combined properties of several types have a value at once, and send each change of a member")
    func combination() {
        let (p, q, r) = (Property(1), Property("a"), Property(true).readOnly)
        let all = combineLatest(p, q, r)
        let sum = combineLatest(p, q) { "\($0)\($1)" }
        let a = Recorder(sum)
        p.value = 2
        q.value = "b"
        #expect(all.value == (2, "b", true))
        expect(sum.value == "2b")
        expect(a.events == events("1a", "2a", "2b"))
    }

    @Test("property-10 A property pairs with another by a method, too")
    func pair() {
        let (p, q) = (Property(1), Property("a"))
        let both = p.combineLatest(with: q)
        let a = Recorder(both.map { "\($0)\($1)" })
        q.value = "b"
        #expect(both.value == (1, "b"))
        expect(a.events == events("1a", "1b"))
    }

    @Test("property-10 A property without repetitions has a value to read, and sends what differs")
    func repetitions() {
        let p = Property(1)
        let distinct = p.removeDuplicates()
        let (a, b) = (Recorder(distinct), Recorder(p.removeDuplicates { $0 / 10 == $1 / 10 }))
        p.value = 1
        p.value = 2
        p.value = 20
        expect(distinct.value == 20)
        expect(a.events == events(1, 2, 20))
        expect(b.events == events(1, 20))
    }

    @Test("A combination keeps its members alive, and its observers hear their ends without it")
    func end() {
        var (p, q): (Owner<Int>?, Owner<Int>?) = (Owner(1), Owner(2))
        weak let first = p
        var sum = p.flatMap { p in q.map { combineLatest(p.property, $0.property) { $0 + $1 } } }
        let a = sum.map { Recorder($0) }
        p = nil
        #expect(first == nil)
        q?.property.value = 3
        q = nil
        expect(a?.events == events(3, 4))
        expect(sum?.value == 4)
        sum = nil
        expect(a?.events == events(3, 4, then: .completed))
    }

    @Test("A constant property has its value, sends it and completes")
    func constant() {
        let one = ReadOnlyProperty.constant(1)
        expect(one.value == 1)
        expect(Recorder(one).events == events(1, then: .completed))
        expect(combineLatest(one, Property(2)) { $0 + $1 }.value == 3)
    }

    @Test("A signal of values can be bound to a property that may have none")
    func optional() {
        let (p, s) = (Property<Int?>(nil), Subject<Int, Never>())
        p <~ s
        s.send(1)
        expect(p.value == 1)
        let q = Property<Int?>(2)
        q <~ p
        p.value = nil
        expect(q.value == nil)
    }
}

@Suite struct ValidatingPropertyTests {
    private enum Flaw: Error, Equatable {
        case empty
        case differs
    }

    @Test("property-11 A valid edit becomes the value; another one stays an edit, with its flaw")
    func rule() {
        let name = ValidatingProperty("Ada") { $0.isEmpty ? Flaw.empty : nil }
        let (values, flaws) = (Recorder(name), Recorder(name.flaw))
        name.value = ""
        expect(name.value == "Ada")
        expect(name.edit.value == "")
        expect(name.flaw.value == .empty)
        #expect(!name.isValid.value)
        name.edit.value = "Grace"
        expect(name.value == "Grace")
        expect(values.events == events("Ada", "Grace"))
        expect(flaws.events == events(nil, .empty, nil))
    }

    @Test("property-11 The first value is there, whatever the rule says")
    func first() {
        let name = ValidatingProperty("") { $0.isEmpty ? Flaw.empty : nil }
        expect(name.value == "")
        expect(name.flaw.value == .empty)
    }

    @Test("property-11 A change of another property judges the newest edit again")
    func other() {
        let password = Property("1815")
        let repetition = ValidatingProperty("", with: password) { $0 == $1 ? nil : Flaw.differs }
        repetition.edit.value = "1816"
        expect(repetition.value == "")
        password.value = "1816"
        expect(repetition.value == "1816")
        password.value = "1817"
        expect(repetition.value == "1816")
        expect(repetition.flaw.value == .differs)
    }

    @Test("A change of the value is visible when its observers hear of the flaw")
    func visibility() {
        let name = ValidatingProperty("a") { $0.isEmpty ? Flaw.empty : nil }
        let read = Log<String>()
        name.flaw.onValue { _ in read.append(name.value) }
        name.value = "b"
        name.value = ""
        expect(read.entries == ["a", "b", "b"])
    }

    @Test("property-12 A terminal sends accepted values, and what it receives is an edit that does not come back")
    func terminal() {
        let name = ValidatingProperty("Ada") { $0.isEmpty ? Flaw.empty : nil }
        let terminal = name.terminal()
        let (sent, values, edits) = (Recorder(terminal), Recorder(name), Recorder(name.edit))
        name.edit.value = ""
        name.edit.value = "Grace"
        terminal.send("Alan")
        terminal.send("")
        expect(name.value == "Alan")
        expect(name.flaw.value == .empty)
        expect(sent.events == events("Ada", "Grace"))
        expect(values.events == events("Ada", "Grace", "Alan"))
        expect(edits.events == events("Ada", "", "Grace", "Alan", ""))
        name.terminal().send("Edsger")
        expect(sent.events == events("Ada", "Grace", "Edsger"))
        terminal.complete()
        terminal.send("late")
        terminal.send("")
        #expect(name.edit.value == "Edsger" && name.value == "Edsger")
    }

    @Test("property-12 A binding carries valid values both ways, and a flawed one of the other side is an edit")
    func binding() {
        let name = ValidatingProperty("Ada") { $0.isEmpty ? Flaw.empty : nil }
        let other = Property("Grace")
        name.terminal() <~> other.terminal()
        #expect(name.value == "Grace" && name.edit.value == "Grace")
        let heard = Recorder(other)
        other.value = ""
        #expect(name.value == "Grace" && name.edit.value == "" && name.flaw.value == .empty)
        name.edit.value = ""
        name.edit.value = "Alan"
        other.value = "Edsger"
        #expect(name.value == "Edsger" && name.edit.value == "Edsger")
        expect(heard.events == events("Grace", "", "Alan", "Edsger"))
    }

    @Test("property-12 On the right side of a binding the accepted value wins, not the newest edit")
    func bindingRight() {
        let name = ValidatingProperty("Ada") { $0.isEmpty ? Flaw.empty : nil }
        name.edit.value = ""
        let other = Property("")
        other.terminal() <~> name.terminal()
        #expect(other.value == "Ada" && name.edit.value == "")
        name.edit.value = "Grace"
        expect(other.value == "Grace")
    }

    @Test("property-12 A received value that another property makes valid is taken, and does not go back")
    func bindingWithOther() {
        let password = Property("1815")
        let repetition = ValidatingProperty("", with: password) { $0 == $1 ? nil : Flaw.differs }
        let terminal = repetition.terminal()
        let (sent, values) = (Recorder(terminal), Recorder(repetition))
        let far = Property("")
        terminal <~> far.terminal()
        far.value = "1816"
        #expect(repetition.value == "" && repetition.edit.value == "1816")
        let heard = Recorder(far)
        password.value = "1816"
        expect(repetition.value == "1816")
        expect(sent.events == events(""))
        expect(heard.events == events("1816"))
        expect(values.events == events("", "1816"))
        password.value = "1816"
        expect(values.events == events("", "1816"))
    }

    @Test("Two terminals of one validating property, bound to two others in a ring, come to rest and agree")
    func ring() {
        let name = ValidatingProperty("a") { $0.isEmpty ? Flaw.empty : nil }
        let (p, q) = (Property("p"), Property("q"))
        p.terminal() <~> name.terminal()
        q.terminal() <~> p.terminal()
        name.terminal() <~> q.terminal()
        for value in ["b", "", "c"] {
            p.value = value
            name.edit.value = value + "d"
            q.value = value + "e"
            expect([p.value, q.value, name.value, name.edit.value] == Array(repeating: value + "e", count: 4))
        }
    }

    @Test("A field that holds the edit alone, or a view, keeps the rule at work")
    func editAlone() {
        var name: ValidatingProperty<String, Flaw>? = ValidatingProperty("a") { $0.isEmpty ? Flaw.empty : nil }
        var (edit, flaw) = (name?.edit, name?.flaw)
        let (values, flaws) = (name.map { Recorder($0) }, flaw.map { Recorder($0) })
        name = nil
        edit?.value = "b"
        edit?.value = ""
        expect(values?.events == events("a", "b"))
        expect(flaws?.values == [nil, nil, .empty])
        edit = nil
        expect(values?.events == events("a", "b"))
        expect(flaw?.value == .empty)
        flaw = nil
        expect(values?.events == events("a", "b", then: .completed))
        expect(flaws?.events.count == 4)
    }

    @Test("A validating property that nobody holds is gone, with its observers, and leaves the other property")
    func lifetime() {
        let password = Property("")
        var name: ValidatingProperty<String, Flaw>? = ValidatingProperty("a", with: password) { _, _ in nil }
        weak let seen = name
        let a = name.map { Recorder($0) }
        name = nil
        #expect(seen == nil)
        expect(password.observerCount == 0)
        expect(a?.events == events("a", then: .completed))
    }
}
