import RacProtocol

/// The changes of one tick that a pattern matches, with their frames, encoded once for all watches of the pattern.
struct WatchLog {
    /// A change, for the watches that cannot take its frame.
    struct Change {
        let channel: ChannelName
        let revision: Revision
        /// The number of the match.
        let number: MatchNumber
        let isDeletion: Bool
    }

    /// Frames of several changes, or the record of a change with a long value.
    enum Piece {
        case frames(FrameBytes)
        case long(ChannelRecord)
    }

    private(set) var changes: [Change] = []

    /// The pieces before `frames`, each with the number of changes before it.
    private(set) var pieces: [(piece: Piece, firstChange: Int)] = []

    /// The newest frames, and the number of changes before them.
    private(set) var frames = FrameBytes()
    private(set) var firstChange = 0

    /// A message for each change; none while no watch takes messages.
    var messages = MessageList()

    /// Takes a change and lets the closure append its frame.
    mutating func append(_ change: Change, _ write: (inout FrameBytes) -> Void) {
        self.changes.append(change)
        write(&self.frames)
    }

    /// Takes a change whose frame is encoded when the first watch takes it.
    mutating func append(_ change: Change, long record: ChannelRecord) {
        if !self.frames.isEmpty { self.pieces.append((.frames(self.frames), self.firstChange)) }
        self.pieces.append((.long(record), self.changes.count))
        self.changes.append(change)
        self.frames.removeAll()
        self.firstChange = self.changes.count
    }

    /// Keeps the frame of a long value for the watches that take it later.
    mutating func encode(_ place: Int, as frame: FrameBytes) {
        self.pieces[place].piece = .frames(frame)
    }

    mutating func endTick() {
        self.changes.removeAll(keepingCapacity: self.changes.count <= 1_024)
        self.frames.removeAll()
        self.firstChange = 0
        if !self.pieces.isEmpty { self.pieces = [] }
        self.messages = MessageList()
    }
}

extension WatchLog.Change {
    init(_ record: ChannelRecord, _ number: MatchNumber, isDeletion: Bool) {
        self.init(channel: record.name, revision: record.revision, number: number, isDeletion: isDeletion)
    }
}
