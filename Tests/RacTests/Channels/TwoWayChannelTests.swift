import Expectations
import Rac
import RacTesting
import Testing

@Suite struct TwoWayChannelTests {
    private let channel = TwoWayChannel<Int, TestFailure>()

    @Test("C209 A value sent into the leading terminal comes out of the following one only")
    func leadingToFollowing() {
        let (l, f) = (Recorder(self.channel.leading), Recorder(self.channel.following))
        self.channel.leading.send(1)
        expect(l.events == events())
        expect(f.events == events(1))
    }

    @Test("C210 A value sent into the following terminal comes out of the leading one only")
    func followingToLeading() {
        let (l, f) = (Recorder(self.channel.leading), Recorder(self.channel.following))
        self.channel.following.send(1)
        expect(l.events == events(1))
        expect(f.events == events())
    }

    @Test("C211 A follower starts with the latest leading value")
    func follower() {
        self.channel.leading.send(1)
        self.channel.leading.send(2)
        let f = Recorder(self.channel.following)
        self.channel.leading.send(3)
        expect(f.events == events(2, 3))
    }

    @Test("C212 A leader gets no starting value")
    func leader() {
        self.channel.following.send(1)
        let l = Recorder(self.channel.leading)
        self.channel.following.send(2)
        expect(l.events == events(2))
    }

    @Test("C216 Completion through the leading terminal reaches both sides once")
    func leadingCompletes() {
        let (l, f) = (Recorder(self.channel.leading), Recorder(self.channel.following))
        self.channel.leading.complete()
        expect(l.events == events(then: .completed))
        expect(f.events == events(then: .completed))
    }

    @Test("C218 Completion through the following terminal reaches both sides once")
    func followingCompletes() {
        let (l, f) = (Recorder(self.channel.leading), Recorder(self.channel.following))
        self.channel.following.complete()
        expect(l.events == events(then: .completed))
        expect(f.events == events(then: .completed))
    }

    @Test("C219 Failure through the following terminal reaches both sides once")
    func followingFails() {
        let (l, f) = (Recorder(self.channel.leading), Recorder(self.channel.following))
        self.channel.following.fail(.e)
        expect(l.events == events(then: .failed(.e)))
        expect(f.events == events(then: .failed(.e)))
    }

    @Test("C220 After the end a follower hears the last value and the end, a leader the end")
    func late() {
        self.channel.leading.send(1)
        self.channel.leading.complete()
        let (l, f) = (Recorder(self.channel.leading), Recorder(self.channel.following))
        expect(l.events == events(then: .completed))
        expect(f.events == events(1, then: .completed))
    }

    @Test("channel-6 After the end nothing is kept any more, and a second end changes nothing")
    func afterTheEnd() {
        self.channel.leading.send(1)
        self.channel.following.complete()
        self.channel.leading.send(2)
        self.channel.leading.fail(.e)
        expect(Recorder(self.channel.following).events == events(1, then: .completed))
        expect(Recorder(self.channel.leading).events == events(then: .completed))
    }

    @Test("C224 Disposing one subscription leaves the others and the terminal working")
    func disposal() {
        let (f, g) = (Recorder(self.channel.following), Recorder(self.channel.following))
        self.channel.leading.send(1)
        f.dispose()
        self.channel.leading.send(2)
        expect(f.events == events(1))
        expect(g.events == events(1, 2))
    }

    @Test("C225 A terminal as the target of a signal passes the end on too")
    func target() {
        let s = Subject<Int, TestFailure>()
        self.channel.following.subscribe(to: s)
        let l = Recorder(self.channel.leading)
        s.send(1)
        s.complete()
        expect(l.events == events(1, then: .completed))
    }

    @Test("A channel's end lets go of the signals that feed its terminals")
    func feed() {
        let source = CountedSource(Subject<Int, TestFailure>())
        self.channel.following.subscribe(to: source)
        expect(source.subscribers == 1)
        self.channel.leading.complete()
        expect(source.subscribers == 0)
    }

    @Test("An answer sent while a value is delivered comes out on the other side, and two sides can go on so")
    func pingPong() {
        let f = Recorder(self.channel.following)
        let (leading, following) = (self.channel.leading, self.channel.following)
        leading.signal.observe(value: { if $0 < 1_000_000 { leading.send($0 + 1) } }, end: { _ in })
        following.signal.observe(value: { if $0 < 10 { following.send($0 + 1) } }, end: { _ in })
        following.send(1)
        expect(f.values == [2, 4, 6, 8, 10])
    }

    @Test("When nobody holds a terminal any more the channel is gone, silently")
    func gone() {
        let source = CountedSource(Subject<Int, TestFailure>())
        var channel: TwoWayChannel<Int, TestFailure>? = TwoWayChannel()
        let f = channel.map { Recorder($0.following) }
        channel?.leading.subscribe(to: source)
        channel?.leading.send(1)
        channel = nil
        expect(f?.events == events(1))
        expect(f?.isDisposed == true)
        expect(source.subscribers == 0)
    }
}
