import RacProtocol

/// The tasks that wait at one binding: for answers to writes, and for room for a write.
struct WaitingWriters {
    /// A task that waits for the answer to a write, or to every write up to it.
    struct Answer {
        let number: UInt64
        let ticket: UInt64
        /// Whether the refusal of a write is as good as any other answer.
        let takesRefusals: Bool
        let whenAnswered: (Result<Revision, ClientError>) -> Void

        func fail(_ error: ClientError) {
            self.whenAnswered(self.takesRefusals ? .success(.never) : .failure(error))
        }
    }

    /// A task that waits for room.
    struct Room {
        let ticket: UInt64
        /// The ticket of the write that it has room for then.
        let write: UInt64
        let go: (ClientError?) -> Void
    }

    private let maximumCount = ConnectionLimits().requestsUnderWay
    private(set) var answers: [Answer] = []
    private(set) var rooms: [Room] = []
    /// The tickets of writes that have room and have not come.
    private(set) var places: Set<UInt64> = []

    /// Adds a task unless too many wait; returns whether it did.
    mutating func add(_ answer: Answer) -> Bool {
        guard self.answers.count < self.maximumCount else { return false }
        self.answers.append(answer)
        return true
    }

    /// Adds a task unless too many wait; returns whether it did.
    mutating func add(_ room: Room) -> Bool {
        guard self.rooms.count < self.maximumCount else { return false }
        self.rooms.append(room)
        return true
    }

    /// Keeps a place for the write with that ticket.
    mutating func reserve(_ ticket: UInt64) {
        self.places.insert(ticket)
    }

    /// Gives the place back: the write with that ticket has come, or will not come.
    mutating func leavePlace(_ ticket: UInt64) {
        self.places.remove(ticket)
    }

    /// Takes the tasks that wait for writes up to `number`.
    mutating func takeAnswers(through number: UInt64) -> [Answer] {
        guard !self.answers.isEmpty else { return [] }
        let answered = self.answers.filter { $0.number <= number }
        self.answers.removeAll { $0.number <= number }
        return answered
    }

    /// Takes the task that has waited longest for room.
    mutating func takeRoom() -> Room? {
        self.rooms.isEmpty ? nil : self.rooms.removeFirst()
    }

    /// Takes the task with that ticket out of the list of answers.
    mutating func takeAnswer(_ ticket: UInt64) -> Answer? {
        self.answers.firstIndex { $0.ticket == ticket }.map { self.answers.remove(at: $0) }
    }

    /// Takes the task with that ticket out of the list of rooms.
    mutating func takeRoom(_ ticket: UInt64) -> Room? {
        self.rooms.firstIndex { $0.ticket == ticket }.map { self.rooms.remove(at: $0) }
    }
}
