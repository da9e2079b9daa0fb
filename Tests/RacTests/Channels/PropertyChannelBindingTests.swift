import Dispatch
import Expectations
import Rac
import RacTesting
import Testing

@Suite struct PropertyChannelBindingTests {
    private let a = Property(1)
    private let b = Property(2)
    private let c = Property(3)

    private var values: [Int] { [self.a.value, self.b.value, self.c.value] }

    @Test("C238 Binding two properties: the right-hand one wins at the start")
    func rightWins() {
        self.a.terminal() <~> self.b.terminal()
        expect(self.a.value == 2)
        expect(self.b.value == 2)
    }

    @Test("A property binds to a terminal as to a property, on either side")
    func terminals() {
        self.a <~> self.b.terminal()
        expect(self.values == [2, 2, 3])
        self.b.terminal() <~> self.c
        expect(self.values == [3, 3, 3])
        self.a.value = 4
        expect(self.values == [4, 4, 4])
    }

    @Test("C239 Then both directions carry")
    func bothDirections() {
        self.a <~> self.b
        self.a.value = 3
        expect([self.a.value, self.b.value] == [3, 3])
        self.b.value = 4
        expect([self.a.value, self.b.value] == [4, 4])
    }

    @Test("A binding delivers every change to each property's observers once, and old values not again")
    func announcements() {
        let (first, second) = (Recorder(self.a), Recorder(self.b))
        self.a <~> self.b
        self.a.value = 3
        self.b.value = 4
        expect(first.events == events(1, 2, 3, 4))
        expect(second.events == events(2, 3, 4))
    }

    @Test("C241 Bindings chain")
    func chain() {
        self.a <~> self.b
        self.b <~> self.c
        expect(self.values == [3, 3, 3])
        self.c.value = 4
        expect(self.values == [4, 4, 4])
        self.b.value = 5
        expect(self.values == [5, 5, 5])
        self.a.value = 6
        expect(self.values == [6, 6, 6])
    }

    @Test("C242 A ring of bindings settles, and each change is delivered once everywhere")
    func ring() {
        self.a <~> self.b
        self.b <~> self.c
        self.c <~> self.a
        let recorders = [Recorder(self.a), Recorder(self.b), Recorder(self.c)]
        self.a.value = 9
        expect(self.values == [9, 9, 9])
        #expect(recorders.allSatisfy { $0.events == events(3, 9) })
    }

    @Test("binding-4 A ring that leads through plain channels settles too")
    func ringThroughChannels() {
        let (c, d) = (TwoWayChannel<Int, Never>(), TwoWayChannel<Int, TestFailure>())
        c.leading <~> self.a.terminal()
        d.leading <~> self.a.terminal()
        self.b.terminal() <~> c.following
        self.b.terminal() <~> d.following
        let (first, second) = (Recorder(self.a), Recorder(self.b))
        self.b.value = 9
        self.a.value = 10
        expect(first.events == events(1, 9, 10))
        expect(second.events == events(1, 9, 10))
    }

    @Test("C244 Disposing a one-way binding stops it")
    func oneWay() {
        let binding = self.b.terminal().subscribe(to: self.a.terminal())
        expect(self.b.value == 1)
        self.a.value = 3
        expect(self.b.value == 3)
        binding.dispose()
        self.a.value = 4
        expect(self.a.value == 4)
        expect(self.b.value == 3)
    }

    @Test("terminal-4 Two properties joined by hand, one direction after the other, agree")
    func byHand() {
        let (t, u) = (self.a.terminal(), self.b.terminal())
        u.subscribe(to: t)
        t.subscribe(to: u)
        expect([self.a.value, self.b.value] == [1, 1])
        self.b.value = 7
        expect(self.a.value == 7)
    }

    @Test("C254 A binding does not keep its owners alive")
    func lifetime() {
        var (left, right): (Owner?, Owner?) = (Owner(1), Owner(2))
        weak let first = left
        weak let second = right
        let end = Recorder<Int, Never>()
        if let left, let right {
            left.property <~> right.property
            end.observe(left.property)
        }
        right = nil
        #expect(second == nil)
        left?.property.value = 5
        left = nil
        #expect(first == nil)
        expect(end.events == events(2, 5, then: .completed))
    }

    @Test("Bound properties that go away let go of everything")
    func noLeak() {
        let living = Counter()
        do {
            let (left, right) = (Property(Token(living)), Property(Token(living)))
            left <~> right
            right <~> left
            left.value = Token(living)
        }
        expect(living.count == 0)
    }

    @Test("binding-5 Two sides that are set from two threads at once agree when the writers have stopped")
    func crossingWrites() {
        for round in 0..<200 {
            let (a, b) = (Property(0), Property(0))
            a <~> b
            DispatchQueue.concurrentPerform(iterations: 4) { thread in
                let side = thread.isMultiple(of: 2) ? a : b
                for number in 1...50 { side.value = thread * 1_000 + number }
            }
            expect(a.value == b.value, "round \(round)")
        }
    }

    @Test("binding-5 A ring of properties that are set from several threads, while bindings come, agrees in the end")
    func crossingWritesInARing() {
        for round in 0..<100 {
            let ring = (0..<4).map { Property($0) }
            DispatchQueue.concurrentPerform(iterations: 4) { thread in
                for number in 1...25 { ring[thread].value = thread * 1_000 + number }
                ring[thread] <~> ring[(thread + 1) % 4]
                for number in 26...50 { ring[thread].value = thread * 1_000 + number }
            }
            expect(Set(ring.map(\.value)).count == 1, "round \(round)")
        }
    }

    @Test(
        "binding-5 A value that is on its way into a plain channel when a binding starts behind it stays on both sides"
    )
    func startBehindAWriteUnderWay() {
        let (b, channel) = (self.b, TwoWayChannel<Int, Never>())
        self.a.signal.skip(1).take(1).onValue { _ in b.terminal() <~> channel.following }
        channel.leading <~> self.a.terminal()
        self.a.value = 10
        expect([self.a.value, self.b.value] == [10, 10])
    }

    @Test(
        "binding-5 A value that is on its way through a plain channel when a binding starts at its far end stays everywhere"
    )
    func startBeforeAWriteUnderWay() {
        let (a, c, channel) = (self.a, self.c, TwoWayChannel<Int, Never>())
        self.b.signal.skip(2).take(1).onValue { _ in c <~> a }
        channel.leading <~> self.a.terminal()
        self.b.terminal() <~> channel.following
        self.b.value = 10
        expect(self.values == [10, 10, 10])
    }

    @Test("binding-5 A property that is bound to a plain channel again takes what has passed to the far end since")
    func boundAgain() {
        let channel = TwoWayChannel<Int, Never>()
        channel.leading <~> self.a.terminal()
        let binding = self.b.terminal() <~> channel.following
        self.b.value = 10
        binding.dispose()
        self.b.value = 11
        self.b.terminal() <~> channel.following
        expect([self.a.value, self.b.value] == [10, 10])
    }

    @Test(
        "binding-3 A value that two ends of a plain channel never exchanged does not travel when one is bound elsewhere"
    )
    func untold() {
        let channel = TwoWayChannel<Int, Never>()
        self.a.terminal() <~> channel.leading
        self.b.terminal() <~> channel.following
        self.c <~> self.a
        expect(self.values == [1, 2, 1])
        self.c <~> self.b
        expect(self.values == [2, 2, 2])
    }

    @Test("binding-5 Two properties across a plain channel agree, whatever is written while they are bound")
    func crossingWritesAcrossAChannel() {
        for round in 0..<200 {
            let (a, b, channel) = (Property(0), Property(0), TwoWayChannel<Int, Never>())
            channel.leading <~> a.terminal()
            DispatchQueue.concurrentPerform(iterations: 3) { thread in
                if thread == 2 { b.terminal() <~> channel.following }
                let side = thread == 0 ? a : b
                for number in 1...20 { side.value = thread * 1_000 + number }
            }
            expect(a.value == b.value, "round \(round)")
        }
    }

    @Test("Bindings that are made, used and disposed by many threads leave nothing behind")
    func churn() {
        let (a, b) = (Property(0), Property(0))
        DispatchQueue.concurrentPerform(iterations: 8) { thread in
            for number in 0..<300 {
                let binding = a <~> b
                (thread.isMultiple(of: 2) ? a : b).value = number
                binding.dispose()
            }
        }
        expect(a.observerCount == 0)
        expect(b.observerCount == 0)
    }
}
