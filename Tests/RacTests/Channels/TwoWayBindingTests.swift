import Rac
import RacTesting
import Testing

@Suite struct TwoWayBindingTests {
    private typealias Texts = TwoWayChannel<String, TestFailure>

    @Test("C227 Two channels joined by their following terminals: the right one's value wins, later ones travel")
    func following() {
        let (c, d) = (Texts(), Texts())
        c.leading.send("c0")
        d.leading.send("d0")
        let early = Recorder(c.leading)
        bind(c.following, to: d.following)
        let (lc, ld) = (Recorder(c.leading), Recorder(d.leading))
        c.leading.send("c1")
        d.leading.send("d1")
        #expect(early.events == events("d0", "d1"))
        #expect(lc.events == events("d1"))
        #expect(ld.events == events("c1"))
    }

    @Test("C231 binding-3 A left-hand side that has nothing to replay loses nothing")
    func nothingToReplay() {
        let (c, d) = (Texts(), Texts())
        d.leading.send("d0")
        let ld = Recorder(d.leading)
        c.following <~> d.following
        c.leading.send("first")
        c.leading.send("second")
        #expect(ld.events == events("first", "second"))
    }

    @Test("binding-3 What the left-hand side has kept does not travel, also when the right-hand side has nothing")
    func leftReplay() {
        let (c, d) = (Texts(), Texts())
        c.leading.send("old")
        let ld = Recorder(d.leading)
        c.following <~> d.following
        #expect(ld.events == events())
        c.leading.send("new")
        #expect(ld.events == events("new"))
    }

    @Test("The end of one channel is the end of every one that is bound to it, along a chain")
    func chainOfEnds() {
        let channels = (0..<3).map { _ in Texts() }
        bind(channels[0].following, to: channels[1].following)
        bind(channels[1].leading, to: channels[2].leading)
        let recorders = channels.flatMap { [Recorder($0.leading), Recorder($0.following)] }
        channels[2].following.fail(.e)
        #expect(recorders.allSatisfy { $0.events == events(then: .failed(.e)) })
    }

    @Test("Disposing a binding separates the channels and ends neither")
    func disposal() {
        let (c, d) = (Texts(), Texts())
        let (lc, ld) = (Recorder(c.leading), Recorder(d.leading))
        let binding = c.following <~> d.following
        binding.dispose()
        c.leading.send("c1")
        d.leading.send("d1")
        c.leading.complete()
        #expect(lc.events == events(then: .completed))
        #expect(ld.events == events())
    }

    @Test("binding-4 A ring of channels, bound on both sides, comes to rest, and every value passes once")
    func ring() {
        let (c, d) = (Texts(), Texts())
        c.following <~> d.following
        c.leading <~> d.leading
        let (lc, fc) = (Recorder(c.leading), Recorder(c.following))
        let (ld, fd) = (Recorder(d.leading), Recorder(d.following))
        c.leading.send("x")
        d.following.send("y")
        #expect(fc.events == events("x", "y"))
        #expect(ld.events == events("x", "y"))
        #expect(lc.events == events())
        #expect(fd.events == events())
    }

    @Test("Bound channels that nobody holds are gone")
    func leak() {
        let source = CountedSource(Subject<String, TestFailure>())
        do {
            let (c, d) = (Texts(), Texts())
            c.following <~> d.following
            c.leading.subscribe(to: source)
            d.leading.subscribe(to: source)
            #expect(source.subscribers == 2)
        }
        #expect(source.subscribers == 0)
    }

    @Test("A side that cannot fail completes where the other one fails")
    func failureOfTheOtherSide() {
        let p = Property("a")
        let terminal = p.terminal()
        let c = Texts()
        terminal <~> c.following
        let (t, u) = (Recorder(terminal), Recorder(p))
        c.leading.send("b")
        c.leading.fail(.e)
        #expect(t.events == events("a", then: .completed))
        #expect(u.events == events("a", "b"))
    }
}
