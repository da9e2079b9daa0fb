import Expectations
import Rac
import RacTesting
import Testing

@Suite struct DisposableTests {
    private let runs = Counter()

    private func counting() -> AnyDisposable {
        AnyDisposable { [runs] in runs.increment() }
    }

    @Test("C163 An action runs once")
    func once() {
        let disposable = self.counting()
        #expect(!disposable.isDisposed)
        disposable.dispose()
        disposable.dispose()
        expect(self.runs.count == 1)
        #expect(disposable.isDisposed)
    }

    @Test("C165 A composite disposes all its members once")
    func composite() {
        let composite = CompositeDisposable((1...3).map { _ in self.counting() })
        composite.add(self.counting())
        composite.dispose()
        composite.dispose()
        expect(self.runs.count == 4)
        #expect(composite.isDisposed)
    }

    @Test("A composite disposes its members in the order in which they came")
    func compositeOrder() {
        let log = Log<Int>()
        let composite = CompositeDisposable((1...9).map { number in AnyDisposable { log.append(number) } })
        composite.dispose()
        expect(log.entries == Array(1...9))
    }

    @Test("C166 Adding to a disposed composite disposes the newcomer")
    func compositeNewcomer() {
        let composite = CompositeDisposable()
        composite.dispose()
        composite.add(self.counting())
        expect(self.runs.count == 1)
    }

    @Test("C167 A removed member is left alone", arguments: [0, 1, 2, 20])
    func compositeRemoval(others: Int) {
        let member = self.counting()
        let composite = CompositeDisposable([member] + (0..<others).map { _ in AnyDisposable {} })
        composite.remove(member)
        composite.dispose()
        expect(self.runs.count == 0)
        #expect(!member.isDisposed)
    }

    @Test("A member that adds another one while it is disposed gets it disposed")
    func compositeReentrancy() {
        let (composite, newcomer) = (CompositeDisposable(), self.counting())
        composite.add(AnyDisposable { composite.add(newcomer) })
        composite.dispose()
        expect(self.runs.count == 1)
    }

    @Test("C169 Swapping hands back the old disposable undisposed")
    func swap() {
        let log = Log<String>()
        let a = AnyDisposable { log.append("a") }
        let serial = SerialDisposable(a)
        let returned = serial.swap(AnyDisposable { log.append("b") })
        #expect(returned === a)
        expect(log.entries == [])
        serial.dispose()
        expect(log.entries == ["b"])
    }

    @Test("Assigning the inner disposable disposes the old one")
    func assignment() {
        let serial = SerialDisposable(self.counting())
        serial.inner = nil
        expect(self.runs.count == 1)
    }

    @Test("C170 A disposed serial disposable disposes whatever is put into it")
    func closedSerial() {
        let serial = SerialDisposable()
        serial.dispose()
        #expect(serial.swap(self.counting()) == nil)
        expect(self.runs.count == 1)
        #expect(serial.inner == nil)
    }

    @Test("C171 A scoped disposable disposes when its owner lets go, a plain one does not")
    func scoped() {
        do { _ = self.counting() }
        expect(self.runs.count == 0)
        do { _ = ScopedDisposable(self.counting()) }
        expect(self.runs.count == 1)
    }

    @Test("C460 A bag disposes its members when it is released, in order")
    func bag() {
        let (log, s) = (Log<Int>(), Subject<Int, Never>())
        var bag: DisposeBag? = DisposeBag()
        if let bag {
            s.signal.onValue { log.append($0) }.store(in: bag)
            AnyDisposable { log.append(-1) }.store(in: bag)
        }
        s.send(1)
        expect(bag?.isDisposed == false)
        bag = nil
        s.send(2)
        expect(log.entries == [1, -1])
    }

    @Test("A bag that has been disposed disposes newcomers")
    func bagNewcomer() {
        let bag = DisposeBag()
        bag.add(self.counting())
        bag.dispose()
        #expect(bag.isDisposed)
        self.counting().store(in: bag)
        expect(self.runs.count == 2)
    }
}
