import Expectations
import Foundation
import RacProtocol
import Testing

@testable import RacStore

@Suite(.timeLimit(.minutes(10))) struct WriteAheadLogTests {
    private let folder: DataFolderFixture
    private let events = StoreEvents()

    init() throws {
        self.folder = try DataFolderFixture()
    }

    @Test("An open store's log has its full length before anything is written, so that commits need not make it grow")
    func length() async throws {
        let store = try self.folder.open(events: self.events).store
        expect(try self.folder.logLength == WriteAheadLog.fullLength)
        try await self.commit(1...900, to: store)
        expect(try self.folder.logLength == WriteAheadLog.fullLength)
        try await store.close()
        #expect(!FileManager.default.fileExists(atPath: self.folder.log))
    }

    @Test("A log that a crash left is read with and without the zeros behind it", arguments: [true, false])
    func crash(hasZeros: Bool) async throws {
        let store = try self.folder.open(events: self.events).store
        try await self.commit(1...20, to: store)
        let crashed = try self.folder.copyAsAfterCrash()
        try await store.close()
        if !hasZeros { try crashed.cutZeros() }
        #expect(try crashed.logLength == WriteAheadLog.fullLength || !hasZeros)
        let (reopened, channels) = try crashed.open(events: self.events)
        expect(channels.count == 20)
        expect(try crashed.logLength == WriteAheadLog.fullLength)
        try await self.commit(21...40, to: reopened)
        try await reopened.close()
        let (again, all) = try crashed.open()
        expect(all.count == 40)
        try await again.close()
    }

    /// A transaction for each channel.
    private func commit(_ numbers: ClosedRange<UInt64>, to store: Store) async throws {
        for number in numbers {
            store.submit(StoreBatch(ticket: number, changes: [.put(try .sample("log/\(number)", "\(number)"))]))
            await self.events.wait(forCommitOf: number)
        }
    }
}

extension DataFolderFixture {
    fileprivate var logLength: Int64? {
        get throws { try FileManager.default.attributesOfItem(atPath: self.log)[.size] as? Int64 }
    }

    /// Ends the log with the last byte that is not zero.
    fileprivate func cutZeros() throws {
        let log = try Data(contentsOf: URL(filePath: self.log))
        let end = log.lastIndex { $0 != 0 }.map { $0 + 1 } ?? 0
        try log.prefix(end).write(to: URL(filePath: self.log))
    }
}
