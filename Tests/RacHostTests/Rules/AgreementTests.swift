import Expectations
import RacHost
import RacProtocol
import RacTesting
import Testing

/// Many writers at once behind slow networks: no echo, one order, and in the end one value.
@Suite struct AgreementTests {
    /// Events other than sends of plain values.
    struct Weather: CustomTestStringConvertible {
        var testDescription: String
        var isStored = false
        var losesConnections = false
        var endsChannel = false
        var limits = Limits()
    }

    private static let weathers = [
        Weather(testDescription: "slow readers"),
        Weather(testDescription: "sync", isStored: true),
        Weather(testDescription: "lost connections", losesConnections: true),
        Weather(testDescription: "ends", endsChannel: true),
        Weather(testDescription: "everything", isStored: true, losesConnections: true, endsChannel: true),
        Weather(
            testDescription: "short queues",
            isStored: true,
            losesConnections: true,
            endsChannel: true,
            limits: Self.shortQueues
        ),
    ]

    private static var shortQueues: Limits {
        var limits = Limits()
        limits.queuedBytesPerBinding = 300
        return limits
    }

    @Test("When all writes are answered, every binder shows what the daemon has", arguments: Self.weathers)
    func agreement(_ weather: Weather) throws {
        var random = SeededRandom.ofThisRun
        for _ in 0..<6 {
            var run = try Run(weather, &random)
            try run.stir(steps: 150, &random)
            try run.settle()
            let value = try run.value()
            for peer in run.peers { expect(peer.shown == value, "\(peer.hint) \(random.hint)") }
        }
    }

    @Test("A client that asks for every value hears each one of the others, once")
    func everyValue() throws {
        var random = SeededRandom.ofThisRun
        for _ in 0..<6 {
            var run = try Run(Weather(testDescription: ""), &random)
            try run.stir(steps: 100, &random)
            try run.settle()
            for peer in run.peers where peer.traits.conflate == false {
                expect(peer.heard.map(\.number) == run.changes(but: peer), "\(peer.hint) \(random.hint)")
            }
        }
    }

    @Test("A client that missed that its write changed nothing shows its own earlier one that the channel has")
    func lostAnswer() throws {
        let rig = Rig()
        let peer = Peer(rig, "p", on: try ChannelName("x"), Peer.Traits())
        func settle() {
            peer.deliver(.max)
            peer.hear(.max)
        }
        settle()
        try rig.connect().set("x", "1")
        settle()
        peer.send()
        settle()
        peer.passOn()
        peer.deliver(.max)
        peer.reconnect()
        settle()
        expect(peer.shown == .string("p.1"))
    }

    @Test("In a paired channel each side hears all that the other one sends, in order, and nothing of its own")
    func paired() throws {
        var random = SeededRandom.ofThisRun
        for _ in 0..<10 {
            let rig = Rig()
            let creator = rig.connect()
            try creator.create("x", .paired)
            let roles = [Role.leading, .following, .following, .leading, .following]
            let binders = try roles.map { role in
                let client = rig.connect()
                return (client: client, role: role, terminal: try client.bound("x", role))
            }
            var sent: [Role: [String]] = [:]
            for value in 0..<200 {
                rig.tick {
                    for _ in 0..<Int.random(in: 1...3, using: &random) {
                        guard let binder = binders.randomElement(using: &random) else { continue }
                        if random.once(in: 3) { binder.client.reads(random.once(in: 2)) }
                        binder.client.next(binder.terminal, "\(value)")
                        sent[binder.role, default: []].append("\(value)")
                    }
                }
            }
            for binder in binders {
                binder.client.reads(true)
                let nexts = binder.client.takeMessages().compactMap { message in
                    if case .next(_, let valuation) = message { valuation.value.text } else { nil }
                }
                expect(nexts == sent[binder.role == .leading ? .following : .leading], Comment(rawValue: random.hint))
            }
        }
    }

    /// One channel with the peers that are bound to it.
    private struct Run {
        let rig: Rig
        let peers: [Peer]
        private let channel: ChannelName
        private let recorder: Client
        private let weather: Weather
        private var recorded: [Valuation] = []

        init(_ weather: Weather, _ random: inout SeededRandom) throws {
            self.weather = weather
            let rig = Rig(isStored: weather.isStored, limits: weather.limits)
            let channel = try ChannelName("x")
            self.recorder = rig.connect()
            try self.recorder.bound("x", .leading)
            self.peers = (0..<Int.random(in: 2...6, using: &random)).map { index in
                var traits = Peer.Traits()
                if random.once(in: 3) { traits.role = .leading }
                if random.once(in: 3) { traits.conflate = false } else if random.once(in: 4) { traits.interval = 7 }
                return Peer(rig, "p\(index)", on: channel, traits)
            }
            self.rig = rig
            self.channel = channel
        }

        /// Lets events happen in random order, sometimes several in one tick.
        mutating func stir(steps: Int, _ random: inout SeededRandom) throws {
            for _ in 0..<steps {
                try self.rig.tick(after: UInt64.random(in: 0...3, using: &random)) {
                    for _ in 0..<Int.random(in: 1...6, using: &random) { try self.happen(&random) }
                }
                if self.weather.isStored, random.once(in: 3) { self.rig.commit() }
                self.record()
            }
        }

        private func happen(_ random: inout SeededRandom) throws {
            guard let peer = self.peers.randomElement(using: &random) else { return }
            switch Int.random(in: 0..<20, using: &random) {
            case 0..<5: peer.send(sync: random.once(in: 4))
            case 5: peer.send(if: peer.known)
            case 6: peer.passOn()
            case 7..<12: peer.deliver(Int.random(in: 1...4, using: &random))
            case 12..<17: peer.hear(Int.random(in: 1...4, using: &random))
            case 17: peer.reads(random.once(in: 2))
            case 18 where self.weather.losesConnections && random.once(in: 3): peer.reconnect()
            case 19 where self.weather.endsChannel && random.once(in: 3): peer.finish()
            default: if self.weather.endsChannel { try self.recorder.reopen("x") }
            }
        }

        /// Delivers every message under way.
        mutating func settle() throws {
            for peer in self.peers { peer.reads(true) }
            for _ in 0..<20 {
                if self.weather.endsChannel { try self.recorder.reopen("x") }
                self.rig.tick(after: 10) { for peer in self.peers { peer.deliver(.max) } }
                self.rig.commit()
                for peer in self.peers { peer.hear(.max) }
                self.record()
            }
            for peer in self.peers { #expect(peer.isQuiet, peer.hint) }
        }

        private mutating func record() {
            for case .next(_, let valuation) in self.recorder.takeMessages() { self.recorded.append(valuation) }
        }

        /// The revisions of all values since a peer was bound, without its own.
        func changes(but peer: Peer) -> [UInt64] {
            self.recorded
                .filter { $0.revision > peer.boundAt ?? .never && !$0.value.text.hasPrefix("\"\(peer.name).") }
                .map(\.revision.number)
        }

        func value() throws -> JSONText? {
            let reader = self.rig.connect()
            reader.ask(.get(self.channel))
            guard case .reply(_, .got(let got)) = reader.takeMessages().first else { return nil }
            return got.value
        }
    }
}
