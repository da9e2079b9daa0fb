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

    @Test("Who is bound is told with what they get, in the order of their connections' numbers")
    func binders() throws {
        let rig = Rig()
        let a = rig.connect(agent: "kiosk/2.1")
        let b = rig.connect()
        try b.bound("x", .leading, conflate: false)
        try b.bound("x", interval: 50)
        try a.bound("x")
        a.ask(.who(AskWho(channel: try ChannelName("x"))))
        #expect(a.take() == ["2 who 1=kiosk/2.1/following/newest 2/leading/every 2/following/50ms"])
        b.lose()
        a.ask(.who(AskWho(channel: try ChannelName("x"))))
        a.ask(.who(AskWho(channel: try ChannelName("y"))))
        #expect(a.take() == ["3 who 1=kiosk/2.1/following/newest", "4 refused no-such-channel"])
    }

    @Test("A binding whose client reads nothing is told as slow until it has what it missed", arguments: [true, false])
    func slow(isConflating: Bool) throws {
        let rig = Rig()
        let (a, b) = (rig.connect(), rig.connect())
        try b.bound("x", conflate: isConflating)
        b.reads(false)
        try a.set("x", "1")
        let delivery = isConflating ? "newest" : "every"
        a.ask(.who(AskWho(channel: try ChannelName("x"))))
        #expect(a.take() == ["1 rev 1", "2 who 2/following/\(delivery)/slow"])
        #expect(try Self.listed(by: a) == ["x changes 1 slow 1"])
        b.reads(true)
        a.ask(.who(AskWho(channel: try ChannelName("x"))))
        #expect(a.take() == ["4 who 2/following/\(delivery)"])
        #expect(try Self.listed(by: a) == ["x changes 1 slow 0"])
    }

    @Test("A binding that waits for its next interval is not slow")
    func paced() throws {
        let rig = Rig()
        let (a, b) = (rig.connect(), rig.connect())
        try b.bound("x", interval: 1_000)
        for value in 1...3 { try a.set("x", "\(value)") }
        _ = a.take()
        a.ask(.who(AskWho(channel: try ChannelName("x"))))
        #expect(a.take() == ["4 who 2/following/1000ms"])
    }

    @Test("So many binders are told, and whether there are more")
    func most() throws {
        var limits = Limits()
        limits.listedChannels = 2
        let rig = Rig(limits: limits)
        let clients = (1...3).map { _ in rig.connect() }
        for client in clients { try client.bound("x") }
        clients[0].ask(.who(AskWho(channel: try ChannelName("x"))))
        #expect(clients[0].take() == ["2 who 1/following/newest 2/following/newest more"])
    }

    @Test("The answer goes on behind a connection, and tells both of its bindings or none")
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
        #expect(pages == expected)
    }

    @Test("Of a long agent as many whole characters are kept as fit")
    func longAgent() throws {
        var limits = Limits()
        limits.agentBytes = 5
        let rig = Rig(limits: limits)
        let a = rig.connect(agent: "aé日b")
        try a.bound("x")
        a.ask(.who(AskWho(channel: try ChannelName("x"))))
        #expect(a.take() == ["2 who 1=aé/following/newest"])
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
        #expect(try Self.listed(by: a) == ["old changes 0 slow 0", "x changes 3 slow 0"])
    }
}
