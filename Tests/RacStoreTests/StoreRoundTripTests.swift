import Expectations
import Foundation
import RacProtocol
import RacStore
import Testing

@Suite(.timeLimit(.minutes(10))) struct StoreRoundTripTests {
    static let values = [
        "null", "0", "-0.0", "1E400", "12345678901234567890.000", "\"\"", "\"\\u0000\\ud83d\\ude00\"",
        "\"é e\u{301} \u{2028}\"",
        "{\"a\":[1, 2 ,{}],\"a\":\"\\/\"}", "[]", "\"\(String(repeating: "x", count: 100_000))\"",
    ]

    static let errors = [
        WireError(code: "e", message: ""),
        WireError(code: "with space and é", message: "two\nlines, a \u{0} and a \"quote\""),
        WireError(code: "\u{0}", message: "m", data: .null),
    ]

    /// One channel of each kind, and plain ones with short values enough for a statement of several rows.
    static func records() throws -> [ChannelRecord] {
        var records: [ChannelRecord] = []
        func add(
            _ name: String,
            _ mode: ChannelMode,
            _ state: ChannelState,
            _ value: Valuation? = nil,
            _ wish: Valuation? = nil
        ) throws {
            let revision = Revision(UInt64(1000 + records.count))
            let at = Int64(records.count) * 1_000_000_007 - 5
            records.append(
                ChannelRecord(
                    name: try ChannelName(name),
                    mode: mode,
                    state: state,
                    revision: revision,
                    value: value,
                    wish: wish,
                    changedAt: at
                )
            )
        }
        for (number, text) in Self.values.enumerated() {
            let value = Valuation(value: try JSONText(text), revision: Revision(UInt64(number)), cause: nil)
            let cause = number == 0 ? Revision(.max) : Revision(UInt64(number))
            let wish = Valuation(value: try JSONText(text), revision: Revision(7), cause: cause)
            try add("value/\(number)", .shared, .open, value)
            try add("wish/\(number)", .paired, .completed, nil, wish)
            try add("both/\(number)", .paired, .open, value, wish)
            let echo = Valuation(value: value.value, revision: Revision(9), cause: cause)
            try add("echo/\(number)", .shared, .open, echo)
        }
        for (number, error) in Self.errors.enumerated() {
            try add("failed/\(number)", .shared, .failed(error))
        }
        try add("é", .shared, .open)
        try add("e\u{301}", .shared, .open)
        try add("E", .shared, .open)
        try add(String(repeating: "n", count: ChannelName.maximumBytes), .paired, .completed)
        return records
    }

    @Test("Every kind of channel comes back byte for byte", arguments: Durability.allCases)
    func everything(durability: Durability) async throws {
        let folder = try DataFolderFixture()
        let records = try Self.records()
        let store = try folder.open(durability: durability).store
        store.submit(StoreBatch(ticket: 1, changes: records.map { .put($0) }))
        try await store.close()

        let (again, channels) = try folder.open(durability: durability)
        expect(channels.count == records.count)
        for record in records { expect(channels[record.name] == record) }
        try await again.close()
    }

    @Test("A later change of a channel replaces all of the earlier one, and a removed channel is gone")
    func replaces() async throws {
        let folder = try DataFolderFixture()
        try await folder.fill(Self.records())
        let plain = try Self.records().map { record in
            ChannelRecord(name: record.name, mode: .shared, revision: Revision(5000), changedAt: 1)
        }
        let store = try folder.open().store
        store.submit(StoreBatch(ticket: 1, changes: plain.dropFirst().map { .put($0) }))
        store.submit(StoreBatch(ticket: 2, changes: [.remove(plain[0].name), .remove(try ChannelName("never/there"))]))
        try await store.close()

        let (again, channels) = try folder.open()
        expect(Set(channels.values) == Set(plain.dropFirst()))
        try await again.close()
    }

    @Test("A channel that was removed in an earlier commit can be stored again")
    func storedAgain() async throws {
        let folder = try DataFolderFixture()
        let events = StoreEvents()
        let store = try folder.open(events: events).store
        let name = try ChannelName("a")
        store.submit(StoreBatch(ticket: 1, changes: [.put(try .sample("a", "1")), .put(try .sample("b", "1"))]))
        await events.wait(forCommitOf: 1)
        store.submit(StoreBatch(ticket: 2, changes: [.remove(name)]))
        await events.wait(forCommitOf: 2)
        store.submit(StoreBatch(ticket: 3, changes: [.put(try .sample("a", "2"))]))
        try await store.close()

        let (again, channels) = try folder.open()
        expect(channels == [name: try .sample("a", "2"), try ChannelName("b"): try .sample("b", "1")])
        try await again.close()
    }

    @Test("A change that was reported as committed is there after a crash", arguments: Durability.allCases)
    func crash(durability: Durability) async throws {
        let folder = try DataFolderFixture()
        let events = StoreEvents()
        let records = try Self.records()
        let store = try folder.open(durability: durability, events: events).store
        store.submit(StoreBatch(ticket: 1, changes: records.map { .put($0) }))
        await events.wait(forCommitOf: 1)

        let copy = try folder.copyAsAfterCrash()
        let (after, channels) = try copy.open(durability: durability)
        expect(Set(channels.values) == Set(records))
        try await after.close()
        try await store.close()
    }

    @Test("An orderly end leaves the database and the lock file, for their owner only")
    func orderlyEnd() async throws {
        let folder = try DataFolderFixture()
        try await folder.fill(Self.records())
        let files = try FileManager.default.contentsOfDirectory(atPath: folder.path)
        expect(Set(files) == ["rac.db", "racd.lock"])
        func mode(_ path: String) throws -> Int? {
            try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
        }
        expect(try mode(folder.path) == 0o700)
        expect(try mode(folder.database) == 0o600)
    }

    @Test("Many batches without a wait are few transactions and all of them are stored")
    func groupCommit() async throws {
        let folder = try DataFolderFixture()
        let events = StoreEvents()
        let store = try folder.open(events: events).store
        let hold = try WriteLock(on: folder.database)
        for ticket in 1...500 as ClosedRange<UInt64> {
            store.submit(StoreBatch(ticket: ticket, changes: [.put(try .sample("a/\(ticket)", "\(ticket)"))]))
        }
        try hold.release()
        await events.wait(forCommitOf: 500)
        // The first batch may have been on its way alone when the others came.
        #expect(events.all.count { if case .committed = $0 { true } else { false } } <= 2)
        try await store.close()

        let (again, channels) = try folder.open()
        expect(channels.count == 500)
        try await again.close()
    }
}
