import LoadGenerator
import Testing

@Suite struct TopologyTests {
    @Test(
        "Every channel has as many readers as it should, and every reader its bindings",
        arguments: [
            Topology(writers: 1, channels: 1, readers: 100, bindingsEach: 1),
            Topology(writers: 100, channels: 100, readers: 100, bindingsEach: 1),
            Topology(writers: 10, channels: 1000, readers: 1000, bindingsEach: 10),
            Topology(writers: 2, channels: 4, readers: 3, bindingsEach: 4),
        ]
    )
    func spread(topology: Topology) {
        var readers = Array(repeating: 0, count: topology.channels)
        for reader in 0..<topology.readers {
            let channels = topology.channels(ofReader: reader)
            #expect(Set(channels).count == topology.bindingsEach)
            for channel in channels { readers[channel] += 1 }
        }
        #expect(readers.allSatisfy { $0 == topology.readersOfEach })
        #expect((0..<topology.writers).flatMap(topology.channels(ofWriter:)).sorted() == Array(0..<topology.channels))
    }

    @Test("A reader's deliveries count for its bindings only, and others are disorder")
    func bindings() {
        let topology = Topology(writers: 1, channels: 6, readers: 3, bindingsEach: 2)
        for reader in 0..<3 {
            for channel in 0..<6 {
                var ledger = Ledger(topology, window: 1)
                _ = ledger.arrived(ledger.send(on: channel), atReader: reader)
                let isBound = topology.channels(ofReader: reader).contains(channel)
                #expect(ledger.deliveries == (isBound ? 1 : 0))
                #expect(ledger.disorder == (isBound ? 0 : 1))
            }
        }
    }
}

@Suite struct LedgerTests {
    private static let topology = Topology(writers: 1, channels: 1, readers: 2, bindingsEach: 1)

    @Test("A send is under way until every reader has it")
    func window() {
        var ledger = Ledger(Self.topology, window: 2)
        let (first, second) = (ledger.send(on: 0), ledger.send(on: 0))
        #expect(!ledger.hasRoom(0))
        #expect(ledger.arrived(first, atReader: 0) == nil)
        #expect(ledger.arrived(second, atReader: 0) == nil)
        #expect(!ledger.hasRoom(0))
        #expect(ledger.arrived(first, atReader: 1) == 0)
        #expect(ledger.hasRoom(0))
        #expect(ledger.missing == 1)
        #expect(ledger.arrived(second, atReader: 1) == 0)
        #expect((ledger.deliveries, ledger.missing, ledger.gaps, ledger.disorder) == (4, 0, 0, 0))
    }

    @Test("A value that is left out is a gap, and nobody waits for it")
    func gap() {
        var ledger = Ledger(Self.topology, window: 2)
        let (first, second) = (ledger.send(on: 0), ledger.send(on: 0))
        _ = ledger.arrived(second, atReader: 0)
        #expect(ledger.gaps == 1)
        #expect(ledger.arrived(first, atReader: 1) == 0)
        #expect(ledger.arrived(second, atReader: 1) == 0)
        #expect((ledger.deliveries, ledger.missing, ledger.gaps, ledger.disorder) == (3, 0, 1, 0))
    }

    @Test("A value again, an earlier one, one that nobody sent and one of no channel are disorder")
    func disorder() {
        var ledger = Ledger(Self.topology, window: 2)
        let (first, second) = (ledger.send(on: 0), ledger.send(on: 0))
        _ = ledger.arrived(second, atReader: 0)
        for value in [second, first, NumberedValue(channel: 0, number: 3), NumberedValue(channel: 9, number: 1)] {
            #expect(ledger.arrived(value, atReader: 0) == nil)
        }
        #expect(ledger.disorder == 4)
    }

    @Test("A bystander reports what it got and what was left out since it stalled")
    func bystander() {
        var bystander = Bystander(client: 3)
        bystander.arrived(NumberedValue(channel: 0, number: 1))
        bystander.stall()
        for number in [2, 3, 10] { bystander.arrived(NumberedValue(channel: 0, number: number)) }
        #expect((bystander.got, bystander.skipped, bystander.newest, bystander.isLost) == (3, 6, 10, false))
        bystander.lost()
        #expect(bystander.isLost)
    }
}
