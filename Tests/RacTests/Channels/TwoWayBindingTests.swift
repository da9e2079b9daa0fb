import Expectations
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
        expect(early.events == events("d0", "d1"))
        expect(lc.events == events("d1"))
        expect(ld.events == events("c1"))
    }

    @Test("C231 binding-3 A left-hand side that has nothing to replay loses nothing")
    func nothingToReplay() {
        let (c, d) = (Texts(), Texts())
        d.leading.send("d0")
        let ld = Recorder(d.leading)
        c.following <~> d.following
        c.leading.send("first")
        c.leading.send("second")
        expect(ld.events == events("first", "second"))
    }

    @Test(
        "binding-3 A value that the left-hand side has kept does not travel, also when the right-hand side has nothing"
    )
    func leftReplay() {
        let (c, d) = (Texts(), Texts())
        c.leading.send("old")
        let ld = Recorder(d.leading)
        c.following <~> d.following
        expect(ld.events == events())
        c.leading.send("new")
        expect(ld.events == events("new"))
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
        expect(lc.events == events(then: .completed))
        expect(ld.events == events())
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
        expect(fc.events == events("x", "y"))
        expect(ld.events == events("x", "y"))
        expect(lc.events == events())
        expect(fd.events == events())
    }

    @Test("Bound channels that nobody holds are gone")
    func leak() {
        let source = CountedSource(Subject<String, TestFailure>())
        do {
            let (c, d) = (Texts(), Texts())
            c.following <~> d.following
            c.leading.subscribe(to: source)
            d.leading.subscribe(to: source)
            expect(source.subscribers == 2)
        }
        expect(source.subscribers == 0)
    }

    @Test("binding-11 A property that goes is unbound and ends no channel, in either order", arguments: [true, false])
    func release(isLeft: Bool) {
        let source = CountedSource(Subject<String, Never>())
        var owner: Owner? = Owner("a")
        let channel = TwoWayChannel<String, TestFailure>()
        if let terminal = owner?.property.terminal() {
            terminal.subscribe(to: source)
            if isLeft { terminal <~> channel.leading } else { channel.leading <~> terminal }
        }
        let (l, f) = (Recorder(channel.leading), Recorder(channel.following))
        owner?.property.value = "b"
        owner = nil
        expect(source.subscribers == 0)
        channel.leading.send("c")
        expect(l.events == events())
        expect(f.values == (isLeft ? ["b", "c"] : ["a", "b", "c"]))
        #expect(!f.isDisposed)
    }

    @Test("binding-7 An end of a property's terminal ends the other side, and not the property")
    func explicitEnd() {
        let p = Property("a")
        let terminal = p.terminal()
        let channel = TwoWayChannel<String, TestFailure>()
        let f = Recorder(channel.following)
        channel.leading <~> terminal
        terminal.complete()
        p.value = "b"
        expect(f.events == events("a", then: .completed))
    }

    @Test("binding-11 A binding that ends with the owner ends the channel, in either order", arguments: [true, false])
    func endingWithOwner(isLeft: Bool) {
        var owner: Owner? = Owner("a")
        let channel = TwoWayChannel<String, TestFailure>()
        let l = Recorder(channel.leading)
        switch owner?.property.terminal() {
        case .some(let terminal) where isLeft: bind(terminal, to: channel.leading, endsWithOwner: true)
        case .some(let terminal): bind(channel.leading, to: terminal, endsWithOwner: true)
        case nil: break
        }
        owner = nil
        expect(l.events == events(then: .completed))
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
        expect(t.events == events("a", then: .completed))
        expect(u.events == events("a", "b"))
    }
}
