import Expectations
import Rac
import RacTesting
import Testing

@Suite struct LifetimeTests {
    private final class Owner: Sendable {
        let lifetime = Lifetime()
    }

    @Test("A lifetime ends with its owner, for late observers too")
    func end() {
        var owner: Owner? = Owner()
        let ended = owner?.lifetime.ended
        let a = ended.map { Recorder($0) }
        expect(a?.events.isEmpty == true)
        owner = nil
        expect(a?.events.map(\.ending) == [.completed])
        let late = ended.map { Recorder($0) }
        expect(late?.events.map(\.ending) == [.completed])
    }

    @Test("A signal that is taken during a lifetime completes with it and does not prolong it")
    func takeDuring() {
        let source = CountedSource(Subject<Int, Never>())
        let a = Recorder<Int, Never>()
        do {
            let owner = Owner()
            a.observe(source.signal.take(during: owner.lifetime))
            expect(source.subscribers == 1)
        }
        expect(a.events == events(then: .completed))
        expect(source.subscribers == 0)
    }
}
