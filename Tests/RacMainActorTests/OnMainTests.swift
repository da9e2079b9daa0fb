import Dispatch
import Expectations
import Rac
import RacTesting
import Testing

/// Something to look at, which belongs to the main actor.
private final class Screen {
    var shown: [Int] = []
    var newest = 0
    var isOver = false
}

@Suite struct OnMainTests {
    private let screen = Screen()

    @Test("scheduler-11 On the main actor each value comes inside the call that sends it, the present one at once")
    func inPlace() {
        let property = Property(1)
        property.onMain { self.screen.shown.append($0) }
        expect(self.screen.shown == [1])
        property.value = 2
        expect(self.screen.shown == [1, 2])
    }

    @Test("scheduler-11 Values of another thread arrive on the main actor, in order, and are not overtaken there")
    func order() async {
        let property = Property(0)
        property.onMain { self.screen.shown.append($0) }
        await Self.elsewhere { for number in 1...100 { property.value = number } }
        property.value = 101
        while self.screen.newest != 101 {
            self.screen.newest = self.screen.shown.last ?? 0
            await Task.yield()
        }
        expect(self.screen.shown == Array(0...101))
    }

    @Test("A call from another thread delivers the present value on the main actor, too")
    func fromElsewhere() async {
        let property = Property(1)
        let screen = self.screen
        await Self.elsewhere { property.onMain { screen.shown.append($0) } }
        while screen.shown != [1] { await Task.yield() }
    }

    @Test("scheduler-11 After a disposal on the main actor no value comes, also none that waits")
    func disposal() async {
        let property = Property(0)
        let subscription = property.onMain { self.screen.shown.append($0) }
        await Self.elsewhere { property.value = 1 }
        subscription.dispose()
        property.value = 2
        for _ in 0..<10 { await Task.yield() }
        expect(self.screen.shown.contains(2) == false)
    }

    @Test("A signal that can fail brings its end to the main actor")
    func end() {
        let subject = Subject<Int, TestFailure>()
        subject.onMain(value: { self.screen.shown.append($0) }, end: { self.screen.isOver = $0 == .failed(.e) })
        subject.send(1)
        subject.fail(.e)
        expect(self.screen.shown == [1])
        #expect(self.screen.isOver)
    }

    @Test("binding-12 A binding to an object does not hold it, and ends with the first value after its release")
    func object() {
        let property = Property(1)
        var target: Screen? = Screen()
        weak let seen = target
        let binding = target.map { property.bind(to: $0, \.newest) }
        expect(target?.newest == 1)
        property.value = 2
        expect(target?.newest == 2)
        target = nil
        #expect(seen == nil)
        property.value = 3
        expect(binding?.isDisposed == true)
        expect(property.observerCount == 0)
    }

    /// Runs work on another thread, and waits for it.
    private nonisolated static func elsewhere(_ work: @escaping @Sendable () -> Void) async {
        await withCheckedContinuation { done in
            DispatchQueue.global().async {
                work()
                done.resume()
            }
        }
    }
}
