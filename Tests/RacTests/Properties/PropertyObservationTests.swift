import Dispatch
import Expectations
import Observation
import Rac
import RacTesting
import Testing

@Suite struct PropertyObservationTests {
    /// Reads inside a tracking, which counts its notifications.
    private func track(_ read: () -> Void) -> Counter {
        let changes = Counter()
        withObservationTracking(read, onChange: { changes.increment() })
        return changes
    }

    @Test("property-9 A tracked reader is notified once, of the next change, which it can read then")
    func once() {
        let p = Property(1)
        let seen = Log<Int>()
        withObservationTracking({ _ = p.value }, onChange: { seen.append(p.value) })
        p.value = 2
        p.value = 3
        expect(seen.entries == [2])
    }

    @Test("property-9 A tracked reader that sets the property is not notified of that")
    func onceOnly() {
        let p = Property(1)
        let seen = Log<Int>()
        withObservationTracking {
            _ = p.value
        } onChange: {
            seen.append(p.value)
            if p.value < 5 { p.value += 1 }
        }
        p.value = 2
        expect(seen.entries == [2])
        expect(p.value == 3)
    }

    @Test("property-9 A reader that is tracked again is notified again, and an untracked one never")
    func again() {
        let p = Property(1)
        _ = p.value
        let first = self.track { _ = p.value }
        p.modify { $0 += 1 }
        let second = self.track { _ = p.value }
        p.terminal().send(3)
        expect([first.count, second.count] == [1, 1])
    }

    @Test("property-9 A view of properties is tracked through them")
    func views() {
        let (a, b) = (Property(1), Property("b"))
        let mapped = self.track { _ = a.map { $0 * 2 }.value }
        let combined = self.track { _ = combineLatest(a, b).value }
        let readOnly = self.track { _ = b.readOnly.value }
        a.value = 2
        expect([mapped.count, combined.count, readOnly.count] == [1, 1, 0])
        b.value = "c"
        expect(readOnly.count == 1)
    }

    @Test("property-9 A change through a binding notifies a tracked reader, a renewal does not")
    func binding() {
        let (a, b) = (Property(1), Property(2))
        a <~> b
        let changes = self.track { _ = b.value }
        Property(0) <~> b
        expect(changes.count == 0)
        a.value = 3
        expect(changes.count == 1)
    }

    @Test("property-9 A remote value is tracked, also before there is one")
    func mirror() {
        let mirror = MirrorCore<Int, TestFailure>(.property) { _ in }
        let changes = self.track { expect(mirror.value == nil) }
        _ = mirror.show(1, tag: 1, ifStillRanked: 0)
        expect(changes.count == 1)
    }

    @Test("property-9 A tracked reader never misses the last of many writes from other threads")
    func threads() {
        let p = Property(0)
        let reader = Reader(p)
        DispatchQueue.concurrentPerform(iterations: 4) { thread in
            for number in 1...500 { p.value = thread * 1_000 + number }
        }
        #expect(reader.seen.entries.contains(p.value))
    }
}

/// Reads a property anew after each change that it is notified of.
private final class Reader: Sendable {
    let seen = Log<Int>()

    init(_ property: Property<Int>) {
        self.read(property)
    }

    private func read(_ property: Property<Int>) {
        // The value is noted in a second reading: a change between tracking and reading would be missed else.
        withObservationTracking({ _ = property.value }, onChange: { self.read(property) })
        self.seen.append(property.value)
    }
}
