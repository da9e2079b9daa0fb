import Expectations
import RacProtocol
import Testing

@testable import RacHost

/// The bindings of a channel, and whether they keep up.
@Suite struct WhoTests {
    private static func listed(by client: Client) throws -> [String] {
        try client.list()
        guard case .reply(_, .listed(let listed)) = client.takeMessages().last else { return [] }
        return listed.channels.map { "\($0.channel) changes \($0.changes) slow \($0.slow)" }
    }

    @Test("Bindings are listed with what they get, in the order of their connections' numbers")
    func binders() throws {
        let rig = Rig()
        let a = rig.connect(agent: "kiosk/2.1")
        let b = rig.connect()
        try b.bound("x", .leading, conflate: false)
        try b.bound("x", interval: 50)
        try a.bound("x")
        a.ask(.who(AskWho(channel: try ChannelName("x"))))
        expect(a.take() == ["2 who 1=kiosk/2.1/following/newest 2/leading/every 2/following/50ms"])
        b.lose()
        a.ask(.who(AskWho(channel: try ChannelName("x"))))
        a.ask(.who(AskWho(channel: try ChannelName("y"))))
        expect(a.take() == ["3 who 1=kiosk/2.1/following/newest", "4 refused no-such-channel"])
    }

    @Test(
        "A binding whose client reads nothing is listed as slow until it has what it missed",
        arguments: [true, false]
    )
    func slow(isConflating: Bool) throws {
        let rig = Rig()
        let (a, b) = (rig.connect(), rig.connect())
        try b.bound("x", conflate: isConflating)
        b.reads(false)
        try a.set("x", "1")
        let delivery = isConflating ? "newest" : "every"
        a.ask(.who(AskWho(channel: try ChannelName("x"))))
        expect(a.take() == ["1 rev 1", "2 who 2/following/\(delivery)/slow"])
        expect(try Self.listed(by: a) == ["x changes 1 slow 1"])
        b.reads(true)
        a.ask(.who(AskWho(channel: try ChannelName("x"))))
        expect(a.take() == ["4 who 2/following/\(delivery)"])
        expect(try Self.listed(by: a) == ["x changes 1 slow 0"])
    }

    @Test("A binding that waits for its next interval is not slow")
    func paced() throws {
        let rig = Rig()
        let (a, b) = (rig.connect(), rig.connect())
        try b.bound("x", interval: 1_000)
        for value in 1...3 { try a.set("x", "\(value)") }
        _ = a.take()
        a.ask(.who(AskWho(channel: try ChannelName("x"))))
        expect(a.take() == ["4 who 2/following/1000ms"])
    }

    @Test("A limited number of binders is listed, with whether there are more")
    func most() throws {
        var limits = Limits()
        limits.listedChannels = 2
        let rig = Rig(limits: limits)
        let clients = (1...3).map { _ in rig.connect() }
        for client in clients { try client.bound("x") }
        clients[0].ask(.who(AskWho(channel: try ChannelName("x"))))
        expect(clients[0].take() == ["2 who 1/following/newest 2/following/newest more"])
    }

    @Test("The answer goes on behind a connection, and has both of its bindings or none")
    func pages() throws {
        var limits = Limits()
        limits.listedChannels = 2
        let rig = Rig(limits: limits)
        let clients = (1...3).map { _ in rig.connect() }
        for client in clients { try client.bound("x") }
        try clients[1].bound("x", .leading)
        var ask = AskWho(channel: try ChannelName("x"))
        var pages: [String] = []
        for after in [nil, 1, 2, 3] as [UInt64?] {
            ask.after = after
            clients[0].ask(.who(ask))
            pages += clients[0].take()
        }
        let expected = [
            "2 who 1/following/newest more", "3 who 2/leading/newest 2/following/newest more",
            "4 who 3/following/newest", "5 who",
        ]
        expect(pages == expected)
    }

    @Test("Without a channel all connections are listed, with names, peers and the number of their bindings")
    func connections() throws {
        let rig = Rig()
        let a = rig.connect(agent: "kiosk/2.1", name: "hall", peer: .tcp("127.0.0.1:50312"))
        let b = rig.connect(peer: .unix(process: 71, user: 1_000))
        try b.bound("x", .leading)
        try b.bound("x")
        a.ask(.who(AskWho(channel: nil)))
        expect(a.take() == ["1 connections 1/kiosk/2.1/hall/127.0.0.1:50312/bound 0 2/pid-71-uid-1000/bound 2"])
        b.lose()
        a.ask(.who(AskWho(channel: nil)))
        expect(a.take() == ["2 connections 1/kiosk/2.1/hall/127.0.0.1:50312/bound 0"])
    }

    @Test("A connection has the time of its welcome")
    func since() throws {
        let rig = Rig()
        let a = rig.connect()
        a.ask(.who(AskWho(channel: nil)))
        guard case .reply(_, .connections(let listed))? = a.takeMessages().last else {
            Issue.record("no connections came")
            return
        }
        expect(listed.entries.first?.client.since == rig.host.time.wall)
    }

    @Test("Connections are listed in pages, none twice, as many as the client wants")
    func pagesOfConnections() throws {
        var limits = Limits()
        limits.listedChannels = 2
        let rig = Rig(limits: limits)
        let clients = (1...3).map { _ in rig.connect() }
        for ask in [
            AskWho(channel: nil), AskWho(channel: nil, after: 2), AskWho(channel: nil, after: 1, limit: 1),
            AskWho(channel: nil, limit: 0), AskWho(channel: nil, after: 3),
        ] { clients[0].ask(.who(ask)) }
        let expected = [
            "1 connections 1/bound 0 2/bound 0 more", "2 connections 3/bound 0", "3 connections 2/bound 0 more",
            "4 connections more", "5 connections",
        ]
        expect(clients[0].take() == expected)
    }

    @Test("A limit of one binding lists both of a connection")
    func limitOfOne() throws {
        let rig = Rig()
        let (a, b) = (rig.connect(), rig.connect())
        try a.bound("x", .leading)
        try a.bound("x")
        try b.bound("x")
        b.ask(.who(AskWho(channel: try ChannelName("x"), limit: 1)))
        b.ask(.who(AskWho(channel: try ChannelName("x"), after: 1, limit: 1)))
        expect(b.take() == ["2 who 1/leading/newest 1/following/newest more", "3 who 2/following/newest"])
    }

    @Test("A long agent or name is cut to the whole characters that fit")
    func longNames() throws {
        var limits = Limits()
        limits.agentBytes = 5
        let rig = Rig(limits: limits)
        let a = rig.connect(agent: "aé日b", name: "日é日")
        a.ask(.who(AskWho(channel: nil)))
        expect(a.take() == ["1 connections 1/aé/日é/bound 0"])
    }

    @Test("A list counts changes of every kind since the start")
    func changes() throws {
        let rig = Rig(
            records: [ChannelRecord(name: try ChannelName("old"), mode: .shared, revision: Revision(1), changedAt: 0)],
            floor: Revision(1)
        )
        let a = rig.connect()
        try a.set("x", "1")
        try a.finish("x")
        try a.reopen("x")
        _ = a.take()
        expect(try Self.listed(by: a) == ["old changes 0 slow 0", "x changes 3 slow 0"])
    }
}
