import RacProtocol

/// The promises of the disk: the states that a daemon may find when it starts.
struct DurabilityWitness {
    typealias State = [ChannelName: ChannelRecord]

    /// The states that the daemon has submitted since it began, in their order.
    private var states: [(ticket: BatchTicket, state: State)] = [(0, [:])]
    /// The newest batch that the daemon has promised to be on the disk.
    private var promised: BatchTicket = 0
    /// The newest batch on the disk, wherever the files are.
    private var stored: BatchTicket = 0
    /// The newest batch that was on the disk while the files were in their place.
    private var inPlace: BatchTicket = 0
    private var last: BatchTicket = 0
    private var hasChanges = false
    /// The newest batch of each life of the daemon that the next life found.
    private var survived: [BatchTicket] = []

    /// The batch whose commit makes everything up to now durable.
    var present: BatchTicket { self.hasChanges ? self.last + 1 : self.last }

    /// The first daemon will find this.
    mutating func begin(with state: State) {
        self.states = [(0, state)]
    }

    /// A daemon has stopped in order, so it loses nothing.
    mutating func promiseAll() {
        self.promised = self.last
    }

    mutating func changed() {
        self.hasChanges = true
    }

    /// A tick's changes were submitted.
    mutating func closed(_ ticket: BatchTicket, as state: State) {
        self.last = ticket
        self.hasChanges = false
        self.states.append((ticket, state))
    }

    /// The disk has everything up to this batch.
    mutating func stored(through ticket: BatchTicket, inPlace: Bool) {
        self.stored = ticket
        if inPlace { self.inPlace = ticket }
    }

    /// A client was notified that this batch is on the disk, perhaps by a daemon that has crashed since.
    mutating func promise(_ ticket: BatchTicket, by life: Int, to name: String) throws(Violation) {
        guard life > self.survived.count - 1 else {
            return try hold(.durability, ticket <= self.survived[life]) {
                "\(name) was told that batch \(ticket) is on the disk, but \(self.survived[life]) was found there"
            }
        }
        try hold(.durability, ticket <= self.stored) {
            "\(name) was told that batch \(ticket) is on the disk, which has \(self.stored)"
        }
        try hold(.filesInPlace, ticket <= self.inPlace) {
            "\(name) was told that batch \(ticket) is on the disk, while the files were elsewhere"
        }
        self.promised = max(self.promised, ticket)
    }

    /// A daemon starts and finds this state.
    mutating func found(_ state: State, losesPromises: Bool) throws(Violation) {
        guard let newest = self.states.last(where: { $0.state == state })?.ticket else {
            let known = self.states.suffix(3).map { Self.brief($0.state) }.joined(separator: ", ")
            throw Violation(.crash, "the daemon starts with \(Self.brief(state)), which never was; there were \(known)")
        }
        try hold(.durability, losesPromises || newest >= self.promised) {
            "the daemon starts with batch \(newest), but \(self.promised) was acknowledged as durable"
        }
        let survived = self.survived + [losesPromises ? BatchTicket.max : newest]
        self = DurabilityWitness()
        self.survived = survived
        self.begin(with: state)
    }

    private static func brief(_ state: State) -> String {
        let channels = state.values.sorted { $0.name < $1.name }.map { "\($0.name)@\($0.revision)" }
        return channels.isEmpty ? "nothing" : channels.joined(separator: " ")
    }
}
