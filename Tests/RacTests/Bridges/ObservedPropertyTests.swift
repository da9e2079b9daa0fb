import Expectations
import Observation
import Rac
import RacTesting
import Testing

@Suite struct ObservedPropertyTests {
    private let scheduler = ManualScheduler()

    @Test("A key path's terminal starts with the current value and sends the newest one after each turn")
    func start() {
        let note = Note("a")
        let a = Recorder(ChannelTerminal(of: note, \.text, on: self.scheduler))
        note.text = "b"
        self.scheduler.drain()
        note.text = "c"
        note.text = "d"
        self.scheduler.drain()
        expect(a.events == events("a", "b", "d"))
    }

    @Test(
        "A value sent to the terminal is set on the object's scheduler and comes out of another terminal, not this one"
    )
    func send() {
        let note = Note("a")
        let (t, u) = (
            ChannelTerminal(of: note, \.text, on: self.scheduler), ChannelTerminal(of: note, \.text, on: self.scheduler)
        )
        let (first, second) = (Recorder(t), Recorder(u))
        t.send("x")
        expect(note.text == "a")
        self.scheduler.drain()
        expect(note.text == "x")
        expect(first.events == events("a"))
        expect(second.events == events("a", "x"))
    }

    @Test("Writes of the same value leave no suppression behind")
    func equalValue() {
        let note = Note("a")
        let t = ChannelTerminal(of: note, \.text, on: self.scheduler)
        let a = Recorder(t)
        t.send("a")
        self.scheduler.drain()
        note.text = "b"
        self.scheduler.drain()
        expect(a.events == events("a", "b"))
    }

    @Test("An observable object's property and a property can be bound to each other")
    func binding() {
        let note = Note("note")
        let p = Property("property")
        p.terminal() <~> ChannelTerminal(of: note, \.text, on: self.scheduler)
        expect(p.value == "note")
        p.value = "from p"
        self.scheduler.drain()
        expect(note.text == "from p")
        note.text = "from note"
        self.scheduler.drain()
        expect(p.value == "from note")
    }

    @Test("A write that meets a change of the object leaves both sides with one value")
    func crossing() {
        let note = Note("a")
        let p = Property("p")
        p.terminal() <~> ChannelTerminal(of: note, \.text, on: self.scheduler)
        note.text = "object"
        p.value = "property"
        self.scheduler.drain()
        expect(note.text == p.value)
    }

    @Test("A change of the object in the turn in which it is bound, or gets a value, is the later one and stays")
    func sameTurn() {
        let note = Note("a")
        let p = Property("p")
        ChannelTerminal(of: note, \.text, on: self.scheduler) <~> p.terminal()
        note.text = "edit"
        self.scheduler.drain()
        expect([note.text, p.value] == ["edit", "edit"])
        p.value = "q"
        p.value = "r"
        note.text = "again"
        self.scheduler.drain()
        expect([note.text, p.value] == ["again", "again"])
        p.value = "s"
        self.scheduler.drain()
        expect(note.text == "s")
    }

    @Test("A value that is set between the turns of an earlier one is not replaced by it, whatever the order")
    func betweenTurns() {
        for order in 0..<(1 << 8) {
            let note = Note("a")
            let p = Property("0")
            ChannelTerminal(of: note, \.text, on: self.scheduler) <~> p.terminal()
            var last = "0"
            for place in 0..<8 {
                if order >> place & 1 == 0 {
                    self.scheduler.step()
                } else {
                    last = "\(order) \(place)"
                    p.value = last
                }
            }
            self.scheduler.drain()
            expect([note.text, p.value] == [last, last])
        }
    }

    @Test("Edits of the object and values from outside leave both sides with one value, in any order")
    func edits() {
        for order in 0..<6_561 {
            let note = Note("a")
            let p = Property("0")
            ChannelTerminal(of: note, \.text, on: self.scheduler) <~> p.terminal()
            var rest = order
            for place in 0..<8 {
                switch rest % 3 {
                case 0: self.scheduler.step()
                case 1: p.value = "p\(place % 3)"
                default: note.text = "o\(place % 3)"
                }
                rest /= 3
            }
            self.scheduler.drain()
            expect(note.text == p.value, "in the order \(order)")
        }
    }

    @Test("The terminal completes when the object goes, which it does not keep")
    func gone() {
        var note: Note? = Note("a")
        weak let observed = note
        let terminal = note.map { ChannelTerminal(of: $0, \.text, on: self.scheduler) }
        let a = terminal.map { Recorder($0) }
        note?.text = "b"
        self.scheduler.drain()
        note = nil
        self.scheduler.drain()
        #expect(observed == nil)
        expect(a?.events == events("a", "b", then: .completed))
    }

    @Test("An object of the main actor is followed there")
    @MainActor
    func mainActor() async {
        let form = Form()
        let terminal = ChannelTerminal(of: form, \.name)
        let b = terminal.signal.replayed()
        form.name = "b"
        expect(await b.skip(1).first() == "b")
        terminal.send("c")
        while form.name != "c" { await Task.yield() }
    }
}

/// An object that is used on one scheduler only, hence `@unchecked Sendable`.
@Observable
private final class Note: @unchecked Sendable {
    var text: String

    init(_ text: String) {
        self.text = text
    }
}

@Observable
@MainActor
private final class Form {
    var name = "a"
}
