import Foundation
import Logging
import RacProtocol
import RacStore
import Synchronization

/// A data folder for one test, removed at the end of the test.
final class DataFolderFixture: Sendable {
    let path: String

    init() throws {
        // The tests find open files by their paths, so the path must contain no symbolic link.
        let temporary = FileManager.default.temporaryDirectory.resolvingSymlinksInPath()
        self.path = temporary.appending(path: "rac-store-\(UUID().uuidString)").path
    }

    deinit {
        try? FileManager.default.removeItem(atPath: self.path)
    }

    var database: String { "\(self.path)/rac.db" }
    var log: String { "\(self.path)/rac.db-wal" }

    /// Opens the store; returns it with the channels that it loaded.
    func open(
        durability: Durability = .full,
        events: StoreEvents = StoreEvents()
    ) throws(StoreError) -> (store: Store, channels: [ChannelName: ChannelRecord]) {
        var channels: [ChannelName: ChannelRecord] = [:]
        let store = try Store.open(
            folder: self.path,
            durability: durability,
            batches: .parts(of: 16),
            logger: Logger(label: "test", factory: { _ in SwiftLogNoOpLogHandler() }),
            // The folder stays at least as long as the store.
            tell: { event in withExtendedLifetime(self) { events.append(event) } },
            load: { channels[$0.record.name] = $0.record }
        )
        return (store, channels)
    }

    /// Copies the files as a crash at this moment would leave them, with nothing closed.
    func copyAsAfterCrash() throws -> DataFolderFixture {
        let copy = try DataFolderFixture()
        try FileManager.default.createDirectory(atPath: copy.path, withIntermediateDirectories: false)
        for (from, to) in [(self.database, copy.database), (self.log, copy.log)] {
            try FileManager.default.copyItem(atPath: from, toPath: to)
        }
        return copy
    }

    /// Closes a store with these channels in it, so that one file is left.
    func fill(_ records: [ChannelRecord]) async throws {
        let store = try self.open().store
        store.submit(StoreBatch(ticket: 1, changes: records.map { .put($0) }))
        try await store.close()
    }
}

/// The events of a store, for a test to wait for.
final class StoreEvents: Sendable {
    private struct State {
        var all: [StoreEvent] = []
        var waiting: [(condition: @Sendable ([StoreEvent]) -> Bool, continuation: CheckedContinuation<Void, Never>)] =
            []
    }

    private let state = Mutex(State())

    var all: [StoreEvent] { self.state.withLock { $0.all } }

    func append(_ event: StoreEvent) {
        let ready = self.state.withLock { state in
            state.all.append(event)
            let ready = state.waiting.filter { $0.condition(state.all) }
            state.waiting.removeAll { $0.condition(state.all) }
            return ready.map(\.continuation)
        }
        for continuation in ready { continuation.resume() }
    }

    /// Waits until the reported events meet a condition.
    func wait(until condition: @escaping @Sendable ([StoreEvent]) -> Bool) async {
        await withCheckedContinuation { continuation in
            let isMet = self.state.withLock { state in
                guard !condition(state.all) else { return true }
                state.waiting.append((condition, continuation))
                return false
            }
            if isMet { continuation.resume() }
        }
    }

    /// Waits for the commit of a batch.
    func wait(forCommitOf ticket: UInt64) async {
        await self.wait { $0.contains { if case .committed(let through) = $0 { through >= ticket } else { false } } }
    }

    /// Waits until a batch was reported as failing.
    func wait(forFailureOf ticket: UInt64) async {
        await self.wait { $0.contains { if case .failing(_, let through) = $0 { through >= ticket } else { false } } }
    }
}

extension StoreBatch {
    /// A batch that puts a sample channel of each name; the ticket is its value.
    static func sample(
        _ ticket: UInt64,
        _ names: String...,
        awaited: Bool = true,
        followed: Bool = false
    ) throws -> StoreBatch {
        let changes = try names.map { StoreChange.put(try .sample($0, "\(ticket)")) }
        return StoreBatch(ticket: ticket, changes: changes, isAwaited: awaited, isFollowed: followed)
    }
}

extension StoreChange {
    /// Makes the number from the name, because tests distinguish channels by their names.
    static func put(_ record: ChannelRecord) -> StoreChange {
        .put(StoredChannel(number: ChannelNumber(of: record.name), record: record))
    }

    static func remove(_ name: ChannelName) -> StoreChange {
        .remove(ChannelNumber(of: name))
    }
}

extension ChannelNumber {
    /// Hashes the name, so that each channel of this name has one number.
    init(of name: ChannelName) {
        let prime: UInt64 = 0x100_0000_01B3
        let hash = name.text.utf8.reduce(0xCBF2_9CE4_8422_2325) { ($0 ^ UInt64($1)) &* prime }
        self.init(1 + hash % Self.greatest.number)
    }
}

extension ChannelRecord {
    /// A shared channel with a value.
    static func sample(_ name: String, _ value: String, revision: UInt64 = 1) throws -> ChannelRecord {
        let value = Valuation(value: try JSONText(value), revision: Revision(revision), cause: nil)
        return ChannelRecord(
            name: try ChannelName(name),
            mode: .shared,
            revision: Revision(revision),
            value: value,
            changedAt: 1_700_000_000_000
        )
    }
}
