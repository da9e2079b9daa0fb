import Expectations
import NIOCore
import NIOEmbedded
import Rac
import RacConnection
import RacProtocol
import RacTesting
import Testing

@testable import RacClient

/// A link between two channels whose daemon is the test.
private struct Tie {
    let loop = EmbeddedEventLoop()
    let engine: ClientEngine
    let link = LinkCore()
    let a: RemoteBinding
    let b: RemoteBinding
    let errors: Recorder<ClientError, Never>
    let end: Recorder<Never, ClientError>

    init() throws {
        let surroundings = ClientSurroundings(session: "s", random: SeededRandom(seed: 1)) { loop, _, _ in
            loop.makeFailedFuture(Surprise(expected: "no connection"))
        }
        let configuration = ClientConfiguration()
        let state = Property(ConnectionState.connecting)
        self.engine = ClientEngine(.local, configuration, on: self.loop, in: surroundings, state: state)
        let names = (try ChannelName("a"), try ChannelName("b"))
        self.link.begin((names.0, { $0 }), (names.1, { $0 }), self.engine)
        self.a = try self.engine.binding(.init(channel: names.0, role: .following), .shared)
        self.b = try self.engine.binding(.init(channel: names.1, role: .following), .shared)
        self.errors = Recorder(self.link.errors)
        self.end = Recorder(self.link.end)
    }

    /// A link whose two sides are bound to empty channels.
    static func bound() throws -> Tie {
        let tie = try Tie()
        tie.a.bound(.sample(1))
        tie.b.bound(.sample(2))
        return tie
    }

    /// The sends that have become due on a side.
    func sends(_ binding: RemoteBinding) -> [String] {
        var sends: [String] = []
        while let send = binding.machine.nextSend() {
            switch send.event {
            case .next(let value, _, let cause): sends.append("\(value) cause \(cause ?? .never)")
            case .end: sends.append("end")
            }
        }
        return sends
    }
}

/// A user of a channel beside the link.
private final class Writer: RemoteView {
    let replays = false

    func show(_ value: JSONText, tag: ChangeTag, at revision: Revision?) {}
    func stands(at revision: Revision, from root: Revision) {}
    func reported() {}
    func becameLive(_ isLive: Bool) {}
    func forgetRoots() {}
    func failed(_ error: ClientError) {}
    func ended(_ ending: Ending<ClientError>) {}
}

/// The rows of protocol.md's table of a link, in their order.
@Suite struct LinkRowsTests {
    @Test("one side bound: a value is kept until the other side is bound")
    func kept() throws {
        let tie = try Tie()
        tie.a.bound(.sample(1, try .sample(5, "5")))
        expect(tie.sends(tie.b) == [])
        tie.b.bound(.sample(2))
        expect(tie.sends(tie.b) == ["5 cause 5"])
    }

    @Test("both bound: behind a reply to bind each side's newest value goes to the other one")
    func reply() throws {
        let tie = try Tie.bound()
        _ = tie.a.arrived(try .sample(5, "5"))
        expect(tie.sends(tie.b) == ["5 cause 5"])
        tie.b.acknowledged(SendNumber(1), as: Revision(6))
        tie.b.disconnected()
        // The daemon was killed and has lost the value of b.
        tie.b.isNewEpoch = true
        tie.b.bound(.sample(2))
        expect(tie.sends(tie.b) == ["5 cause 5"])
    }

    @Test("both bound: a value with another root or text is sent on under its root")
    func value() throws {
        let tie = try Tie.bound()
        _ = tie.a.arrived(try .sample(5, "5"))
        expect(tie.sends(tie.b) == ["5 cause 5"])
        tie.b.acknowledged(SendNumber(1), as: Revision(6))
        _ = tie.a.arrived(try .sample(7, "5"))
        expect(tie.sends(tie.b) == ["5 cause 7"])
        tie.b.acknowledged(SendNumber(2), as: Revision(8))
        _ = tie.b.arrived(Valuation(value: try JSONText("6"), revision: Revision(11), cause: Revision(10)))
        expect(tie.sends(tie.a) == ["6 cause 10"])
    }

    @Test("both bound: the same text with a newer root is sent on under that root")
    func sameText() throws {
        let tie = try Tie.bound()
        _ = tie.b.arrived(try .sample(7, "7"))
        expect(tie.sends(tie.a) == ["7 cause 7"])
        let standing = Valuation(value: try JSONText("7"), revision: Revision(12), cause: Revision(11))
        tie.a.changedNothing(SendNumber(1), standing: standing)
        expect(tie.sends(tie.b) == ["7 cause 11"])
    }

    @Test("both bound: a write of the program itself is sent on under the revision of its acknowledgement")
    func ownWrite() throws {
        let tie = try Tie.bound()
        let writer = Writer()
        tie.a.add(writer)
        try tie.a.write(try JSONText("3"), cause: nil, from: writer)
        expect(tie.sends(tie.a) == ["3 cause 0"])
        expect(tie.sends(tie.b) == [])
        tie.a.acknowledged(SendNumber(1), as: Revision(9))
        expect(tie.sends(tie.b) == ["3 cause 9"])
    }

    @Test("both bound: an acknowledgement with a value shows that value, which is sent on")
    func standing() throws {
        let tie = try Tie.bound()
        _ = tie.a.arrived(try .sample(5, "5"))
        expect(tie.sends(tie.b) == ["5 cause 5"])
        tie.b.changedNothing(SendNumber(1), standing: try .sample(8, "8"))
        expect(tie.b.machine.shownValue?.text.text == "8")
        expect(tie.sends(tie.a) == ["8 cause 8"])
    }

    @Test("both bound: behind a refusal for storage the newest value of the other side goes out after a pause")
    func storage() throws {
        let tie = try Tie.bound()
        _ = tie.a.arrived(try .sample(5, "5"))
        expect(tie.sends(tie.b) == ["5 cause 5"])
        tie.b.refused(SendNumber(1), .sample(.storage))
        expect(tie.errors.values.map(\.code) == [.storage])
        expect(tie.sends(tie.b) == [])
        tie.loop.advanceTime(by: LinkSide.firstPause)
        expect(tie.sends(tie.b) == ["5 cause 5"])
    }

    @Test("both bound: the end of a channel ends the other one, and the link")
    func end() throws {
        let tie = try Tie.bound()
        tie.a.ended(.completed(9))
        expect(tie.sends(tie.b) == ["end"])
        expect(tie.end.events == [.completed])
    }

    @Test("one side bound: the end of its channel waits until the other side is bound, and ends that channel then")
    func endBeforeBinding() throws {
        let tie = try Tie()
        tie.a.bound(.sample(1))
        tie.a.ended(.completed(9))
        #expect(tie.end.events.isEmpty)
        tie.b.bound(.sample(2))
        expect(tie.sends(tie.b) == ["end"])
        expect(tie.end.events == [.completed])
    }

    @Test("any: a refused bind, or a paired channel, ends the link alone", arguments: [false, true])
    func refused(isPaired: Bool) throws {
        let tie = try Tie.bound()
        if isPaired {
            tie.a.disconnected()
            tie.a.bound(.sample(3, mode: .paired))
        } else {
            tie.a.end(.failed(ClientError(.limit, "for a test")))
        }
        expect(tie.end.events.count == 1)
        expect(tie.sends(tie.b) == [])
    }

    @Test("any: in another epoch what is newest gives way to each value of the daemon, and goes where there is none")
    func otherEpoch() throws {
        let tie = try Tie.bound()
        _ = tie.a.arrived(try .sample(205, "1"))
        expect(tie.sends(tie.b) == ["1 cause 205"])
        tie.b.acknowledged(SendNumber(1), as: Revision(206))
        for side in [tie.a, tie.b] {
            side.disconnected()
            side.isNewEpoch = true
            side.forgetRoots()
        }
        tie.b.bound(.sample(2))
        expect(tie.sends(tie.b) == ["1 cause 1"])
        expect(tie.sends(tie.a) == [])
        tie.b.acknowledged(SendNumber(1), as: Revision(19))
        tie.a.bound(.sample(1, try .sample(18, "2")))
        expect(tie.sends(tie.b) == ["2 cause 18"])
        expect(tie.sends(tie.a) == [])
    }

    @Test("any: a lost connection leaves what is newest")
    func lost() throws {
        let tie = try Tie.bound()
        tie.a.disconnected()
        tie.b.disconnected()
        tie.b.bound(.sample(2, try .sample(7, "7")))
        expect(tie.sends(tie.a) == [])
        tie.a.bound(.sample(1))
        expect(tie.sends(tie.a) == ["7 cause 7"])
    }
}
