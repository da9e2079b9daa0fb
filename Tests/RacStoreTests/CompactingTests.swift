import Expectations
import Foundation
import RacProtocol
import RacStore
import Testing

@Suite(.timeLimit(.minutes(10))) struct CompactingTests {
    /// A closed store that had long values, of which two are left.
    private func emptied() async throws -> DataFolderFixture {
        let folder = try DataFolderFixture()
        let long = "\"\(String(repeating: "x", count: 4 << 20))\""
        try await folder.fill([.sample("a", "1"), .sample("b", "2")] + (0..<6).map { try .sample("long/\($0)", long) })
        let store = try folder.open().store
        store.submit(StoreBatch(ticket: 1, changes: try (0..<6).map { .remove(try ChannelName("long/\($0)")) }))
        try await store.close()
        #expect(try Self.size(of: folder.database) > 20 << 20)
        return folder
    }

    private static func size(of file: String) throws -> Int {
        try FileManager.default.attributesOfItem(atPath: file)[.size] as? Int ?? 0
    }

    @Test("The next start writes a file anew whose values are mostly gone, with the values that are left")
    func start() async throws {
        let folder = try await self.emptied()
        let floor = try folder.open().store
        try await floor.close()
        #expect(try Self.size(of: folder.database) < 1 << 20)
        let (store, channels) = try folder.open()
        expect(Set(channels.keys.map(\.text)) == ["a", "b"])
        expect(store.revisionFloor == floor.reserved)
        try await store.close()
        expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).contains("rac.db.new") == false)
    }

    @Test("A file that lies elsewhere is not replaced by one in the folder")
    func linked() async throws {
        let folder = try await self.emptied()
        let elsewhere = "\(folder.path)/elsewhere.db"
        try FileManager.default.moveItem(atPath: folder.database, toPath: elsewhere)
        try FileManager.default.createSymbolicLink(atPath: folder.database, withDestinationPath: elsewhere)
        let (store, channels) = try folder.open()
        expect(Set(channels.keys.map(\.text)) == ["a", "b"])
        try await store.close()
        expect(try FileManager.default.destinationOfSymbolicLink(atPath: folder.database) == elsewhere)
    }

    @Test("A backup has no free pages, while the file has them")
    func backup() async throws {
        let folder = try await self.emptied()
        let backup = "\(folder.path)/backup"
        try Store.backup(folder: folder.path, to: backup)
        #expect(try Self.size(of: backup) < 1 << 20)
        #expect(try Self.size(of: folder.database) > 20 << 20)
    }

    @Test("A file beside the database that cannot be written leaves the old one as it is")
    func noRoom() async throws {
        let folder = try await self.emptied()
        // A folder of that name can neither be removed nor opened as a file.
        try FileManager.default.createDirectory(atPath: "\(folder.database).new", withIntermediateDirectories: false)
        let (store, channels) = try folder.open()
        expect(channels.count == 2)
        #expect(try Self.size(of: folder.database) > 20 << 20)
        try await store.close()
    }
}
