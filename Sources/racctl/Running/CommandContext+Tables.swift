import RacConnection

extension CommandContext {
    /// Writes entries: as rows of a table for people, or each as a record.
    func show<Entry>(
        _ entries: [Entry],
        in table: inout Table,
        cells: (Entry) -> [String],
        record: (Entry) -> Record
    ) async throws {
        guard self.isForPeople else {
            for entry in entries { try await self.show(record(entry), text: nil) }
            return
        }
        for line in table.lines(of: entries.map(cells)) { try await self.output.write(line) }
    }
}
