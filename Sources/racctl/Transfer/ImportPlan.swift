import RacConnection
import RacProtocol

/// The steps of an import, known before the first one is taken.
struct ImportPlan {
    private struct Item {
        let line: Int
        let channel: ChannelName
        let steps: [ImportStep]
    }

    /// All lines together, which are kept until the last has been read.
    private static let maximumBytes = 4 << 30
    private static let channelsAtOnce = 256

    private var items: [Item] = []
    private(set) var created = 0
    private(set) var changed = 0
    private(set) var unchanged = 0

    /// Reads all lines and compares them with the present channels.
    init(reading input: LineInput, over connection: DaemonConnection) async throws {
        var wanted = try await Self.snapshots(in: input)[...]
        while !wanted.isEmpty {
            let part = wanted.prefix(Self.channelsAtOnce)
            let standing = try await connection.snapshots(of: part.map(\.snapshot.channel))
            for ((line, snapshot), standing) in zip(part, standing) {
                try self.add(snapshot, from: standing, at: line)
            }
            wanted = wanted.dropFirst(Self.channelsAtOnce)
        }
    }

    private static func snapshots(in input: LineInput) async throws -> [(line: Int, snapshot: ChannelSnapshot)] {
        var objects = ObjectLines(input)
        var snapshots: [(line: Int, snapshot: ChannelSnapshot)] = []
        var lines: [ChannelName: Int] = [:]
        var bytes = 0
        while let object = try await objects.next() {
            let snapshot = try object.read(ChannelSnapshot.keys) { line throws(MessageError) in
                try ChannelSnapshot(line)
            }
            if let first = lines.updateValue(object.number, forKey: snapshot.channel) {
                throw ObjectLines.failure(object.number, "names \(snapshot.channel), as line \(first) does")
            }
            bytes += object.byteCount
            guard bytes <= Self.maximumBytes else {
                throw CommandFailure(.limit, code: "limit", "an import has at most \(Self.maximumBytes >> 30) GiB")
            }
            snapshots.append((object.number, snapshot))
        }
        return snapshots
    }

    private mutating func add(_ snapshot: ChannelSnapshot, from standing: ChannelSnapshot?, at line: Int) throws {
        let steps: [ImportStep]
        do {
            steps = try ImportStep.steps(to: snapshot, from: standing)
        } catch {
            let message = "\(snapshot.channel) is \(error.mode.rawValue) here, so it cannot be imported"
            throw CommandFailure(.conflict, code: "exists", "line \(line): \(message) as \(snapshot.mode.rawValue)")
        }
        switch (steps.isEmpty, standing) {
        case (true, _): self.unchanged += 1
        case (false, nil): self.created += 1
        case (false, _?): self.changed += 1
        }
        if !steps.isEmpty { self.items.append(Item(line: line, channel: snapshot.channel, steps: steps)) }
    }

    /// Makes the changes, one after the other for each channel.
    func carryOut(over connection: DaemonConnection) async throws {
        var done = 0
        var rest = self.items[...]
        while !rest.isEmpty {
            let part = rest.prefix(Self.channelsAtOnce)
            let failures = try await part.map(atOnce: Self.channelsAtOnce) { await Self.failure(of: $0, connection) }
            done += failures.count { $0 == nil }
            if let failure = failures.lazy.compactMap({ $0 }).first { throw self.failure(failure, after: done) }
            rest = rest.dropFirst(Self.channelsAtOnce)
        }
    }

    private static func failure(of item: Item, _ connection: DaemonConnection) async -> CommandFailure? {
        do {
            for step in item.steps { _ = try await connection.change(step.request(item.channel)) }
            return nil
        } catch {
            var failure = CommandFailure(error)
            failure.message = "line \(item.line): \(item.channel): \(error.message)"
            return failure
        }
    }

    private func failure(_ failure: CommandFailure, after done: Int) -> CommandFailure {
        var failure = failure
        failure.message += ": \(done) of \(self.items.count) changes were made"
        return failure
    }
}
