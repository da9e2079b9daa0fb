import Dispatch
import Expectations
import Rac
import RacTesting
import Testing

@Suite struct PropertyTests {
    @Test("C137 A property is the subject with a current value: every newcomer gets it")
    func currentValue() {
        let p = Property(0)
        let a = Recorder(p)
        p.value = 1
        let b = Recorder(p)
        p.value = 2
        expect(a.events == events(0, 1, 2))
        expect(b.events == events(1, 2))
    }

    @Test("C200 Observation starts with the value at the time of subscribing")
    func start() {
        let p = Property("a")
        p.value = "b"
        let a = Recorder(p)
        p.value = "c"
        expect(a.events == events("b", "c"))
    }

    @Test("C202 Disposing an observation removes it")
    func disposal() {
        let p = Property("a")
        let a = Recorder(p)
        expect(p.observerCount == 1)
        a.dispose()
        p.value = "b"
        expect(a.events == events("a"))
        expect(p.observerCount == 0)
    }

    @Test("C203 Observation completes when the owner goes away")
    func ownerGone() {
        var owner: Owner? = Owner("a")
        let a = owner.map { Recorder($0.property) }
        owner = nil
        expect(a?.events == events("a", then: .completed))
    }

    @Test("An equal value is sent again")
    func equalValue() {
        let p = Property(1)
        let a = Recorder(p)
        p.value = 1
        expect(a.events == events(1, 1))
    }

    @Test("A change is visible before it is sent, also to an observer that reads the property")
    func visibility() {
        let p = Property(0)
        let read = Log<[Int]>()
        p.onValue { read.append([$0, p.value]) }
        p.value = 1
        expect(read.entries == [[0, 0], [1, 1]])
    }

    @Test("A value that an observer sets is visible at once and sent to everyone afterwards, in one order")
    func reentrancy() {
        let p = Property(0)
        let (first, second) = (Log<Int>(), Log<Int>())
        p.onValue { value in
            first.append(value)
            guard value == 1 else { return }
            p.value = 2
            expect(p.value == 2)
        }
        p.onValue { second.append($0) }
        p.value = 1
        expect(first.entries == [0, 1, 2])
        expect(second.entries == [0, 1, 2])
    }

    @Test("An observer that joins while a change is pending gets it once, as the current value")
    func newcomer() {
        let p = Property(0)
        let late = Recorder<Int, Never>()
        p.onValue { value in
            guard value == 1 else { return }
            p.value = 2
            late.observe(p)
        }
        p.value = 1
        expect(late.events == events(2))
    }

    @Test("An observer may let go of the property's last reference")
    func releaseInside() {
        let holder = SerialHolder(Property(0))
        let a = holder.property.map { Recorder($0) }
        holder.property?.onValue { if $0 == 1 { holder.property = nil } }
        holder.property?.value = 1
        expect(a?.events == events(0, 1, then: .completed))
    }

    @Test("Modifying loses no change of another thread")
    func modify() {
        let p = Property(0)
        DispatchQueue.concurrentPerform(iterations: 8) { _ in
            for _ in 0..<1_000 { p.modify { $0 += 1 } }
        }
        expect(p.value == 8_000)
    }

    @Test("Threads that set and observe at once: each observer hears a part of one order, up to the last value")
    func threads() {
        let p = Property(-1)
        let whole = Recorder(p)
        let parts = Log<Recorder<Int, Never>>()
        DispatchQueue.concurrentPerform(iterations: 8) { thread in
            for number in 0..<1_000 {
                p.value = thread * 1_000 + number
                if number.isMultiple(of: 100) { parts.append(Recorder(p)) }
            }
        }
        expect(whole.values.count == 8_001)
        expect(whole.values.last == p.value)
        for part in parts.entries {
            expect(part.values == Array(whole.values.suffix(part.values.count)))
        }
    }
}

@Suite struct ReadOnlyPropertyTests {
    @Test("A read-only property shows and sends what its owner sets, and keeps the property as long as it is held")
    func view() {
        let s = Subject<Int, Never>()
        var owner: Owner? = Owner(1)
        var (view, mapped) = (owner?.property.readOnly, owner?.property.map { -$0 })
        let (a, b) = (view.map { Recorder($0) }, mapped.map { Recorder($0) })
        owner?.property.value = 2
        expect(view?.value == 2)
        owner.map { _ = $0.property <~ s }
        owner = nil
        s.send(3)
        #expect(view?.value == 3 && mapped?.value == -3)
        view = nil
        s.send(4)
        expect(a?.events == events(1, 2, 3, 4))
        mapped = nil
        expect(a?.events == events(1, 2, 3, 4, then: .completed))
        expect(b?.events == events(-1, -2, -3, -4, then: .completed))
    }

    @Test("A mapped property is computed from the other one whenever it is read")
    func map() {
        let p = Property(1)
        let text = p.readOnly.map { "\($0)" }
        let a = Recorder(text)
        p.value = 2
        expect(text.value == "2")
        expect(a.events == events("1", "2"))
    }

    @Test("A property made of a signal has its last value and ends with it")
    func fromSignal() {
        let s = Subject<Int, Never>()
        let p = ReadOnlyProperty(initial: 0, then: s)
        let a = Recorder(p)
        s.send(1)
        expect(p.value == 1)
        s.complete()
        expect(a.events == events(0, 1, then: .completed))
        expect(p.value == 1)
    }

    @Test("A property made of a signal lets go of it when its last copy goes")
    func lettingGo() {
        let source = CountedSource(Subject<Int, Never>())
        var p: ReadOnlyProperty? = ReadOnlyProperty(initial: 0, then: source)
        let a = p.map { Recorder($0) }
        expect(source.subscribers == 1)
        p = nil
        expect(source.subscribers == 0)
        expect(a?.events == events(0, then: .completed))
    }
}

/// Something that has a property.
final class Owner<Value: Sendable>: Sendable {
    let property: Property<Value>

    init(_ value: Value) {
        self.property = Property(value)
    }
}

/// Holds a property until it is set to nil; `@unchecked Sendable` holds because one thread uses it.
private final class SerialHolder: @unchecked Sendable {
    var property: Property<Int>?

    init(_ property: Property<Int>) {
        self.property = property
    }
}
