import RacProtocol
import RacTesting
import Testing

@testable import RacConnection

/// Writers of one channel with a daemon between them, and messages that are under way for any time, in order.
private struct Crossing {
    private enum Word {
        case next(Valuation)
        case ack(SendNumber, Revision)
        case unchanged(SendNumber, Valuation)
        case nak(SendNumber, Valuation)
    }

    private struct Writer {
        var machine = OpenWriteStateMachine()
        var last = SendNumber.none
        var shown = "null"
        var toDaemon: [(number: SendNumber, value: JSONText, condition: Revision?, cause: Revision?)] = []
        var fromDaemon: [Word] = []

        mutating func show(_ release: OpenWriteStateMachine.Release) {
            if let value = release.value { self.shown = value.value.text }
        }

        mutating func hear() {
            guard !self.fromDaemon.isEmpty else { return }
            switch self.fromDaemon.removeFirst() {
            case .next(let value): self.show(self.machine.arrived(value))
            case .ack(let number, let revision): self.show(self.machine.acknowledged(number, as: revision))
            case .unchanged(let number, let standing):
                self.show(self.machine.changedNothing(number, standing: standing))
            case .nak(let number, let standing): self.show(self.machine.refused(number, standing: standing))
            }
        }
    }

    private var random: SeededRandom
    private var writers: [Writer]
    private var value: Valuation

    init(writers: Int, _ random: SeededRandom) throws {
        self.random = random
        self.value = try .sample(1, "null")
        self.writers = Array(repeating: Writer(), count: writers)
    }

    /// The value of each writer when everything under way has arrived, and that of the daemon.
    mutating func run(steps: Int) -> (shown: [String], value: String) {
        for step in 0..<steps {
            let index = Int.random(in: self.writers.indices, using: &self.random)
            switch Int.random(in: 0..<3, using: &self.random) {
            case 0: self.write(step, index)
            case 1: self.apply(index)
            default: self.writers[index].hear()
            }
        }
        for index in self.writers.indices { while !self.writers[index].toDaemon.isEmpty { self.apply(index) } }
        for index in self.writers.indices {
            while !self.writers[index].fromDaemon.isEmpty { self.writers[index].hear() }
        }
        return (self.writers.map(\.shown), self.value.value.text)
    }

    private mutating func write(_ step: Int, _ index: Int) {
        let number = self.writers[index].last.next
        self.writers[index].last = number
        self.writers[index].machine.sent(number)
        self.writers[index].shown = "\(step)"
        let condition = self.random.once(in: 3) ? self.value.revision : nil
        let cause = self.random.once(in: 3) ? self.value.root : nil
        self.writers[index].toDaemon.append((number, .integer(step), condition, cause))
    }

    private mutating func apply(_ index: Int) {
        guard !self.writers[index].toDaemon.isEmpty else { return }
        let send = self.writers[index].toDaemon.removeFirst()
        guard send.condition == nil || send.condition == self.value.revision else {
            self.writers[index].fromDaemon.append(.nak(send.number, self.value))
            return
        }
        if let cause = send.cause, cause <= self.value.root {
            self.writers[index].fromDaemon.append(.unchanged(send.number, self.value))
            return
        }
        let revision = Revision(self.value.revision.number + 1)
        self.value = Valuation(value: send.value, revision: revision, cause: send.cause)
        for other in self.writers.indices where other != index {
            self.writers[other].fromDaemon.append(.next(self.value))
        }
        self.writers[index].fromDaemon.append(.ack(send.number, self.value.revision))
    }
}

@Suite struct AgreementTests {
    @Test("However writes cross, every writer shows the daemon's value when all are answered", arguments: 2...4)
    func agreement(writers: Int) throws {
        var random = SeededRandom.ofThisRun
        for _ in 0..<300 {
            var crossing = try Crossing(writers: writers, SeededRandom(seed: random.next()))
            let end = crossing.run(steps: 60)
            if end.shown.contains(where: { $0 != end.value }) { Issue.record("\(end), \(random.hint)") }
        }
    }
}
