import Expectations
import Rac
import RacTesting
import Testing

@Suite struct PropertyBindingTests {
    @Test("C204 A one-way binding sets and then leaves the last value")
    func lastValueStays() {
        let p = Property(0)
        let s = Subject<Int, Never>()
        p.bind(to: s)
        s.send(1)
        expect(p.value == 1)
        s.send(2)
        s.complete()
        expect(p.value == 2)
    }

    @Test("C205 A one-way binding puts its replacement where the signal has no value")
    func nilValue() {
        let p = Property(0)
        let s = Subject<Int?, Never>()
        p.bind(to: s, whenNil: 42)
        s.send(1)
        expect(p.value == 1)
        s.send(nil)
        expect(p.value == 42)
    }

    @Test("C206 After the first binding has ended a second is welcome")
    func second() {
        let p = Property(0)
        let (s, t) = (Subject<Int, Never>(), Subject<Int, Never>())
        p <~ s
        s.send(1)
        s.complete()
        p <~ t
        t.send(2)
        expect(p.value == 2)
    }

    @Test("After the first binding has been disposed a second is welcome, and the first sets nothing more")
    func disposed() {
        let p = Property(0)
        let (s, t) = (Subject<Int, Never>(), Subject<Int, Never>())
        (p <~ s).dispose()
        p <~ t
        s.send(1)
        expect(p.value == 0)
        t.send(2)
        expect(p.value == 2)
    }

    @Test("property-7 A second live one-way binding of a property stops the program")
    func refusedSecond() async {
        await #expect(processExitsWith: .failure) {
            let p = Property(0)
            let s = Subject<Int, Never>()
            p <~ s
            p <~ Subject<Int, Never>()
        }
    }

    @Test("A binding lets go of its signal when the property goes away, which it does not keep alive")
    func lifetime() {
        let source = CountedSource(Subject<Int, Never>())
        var owner: Owner? = Owner(0)
        weak let observed = owner
        owner?.property.bind(to: source)
        expect(source.subscribers == 1)
        owner = nil
        #expect(observed == nil)
        expect(source.subscribers == 0)
    }
}
