import Testing

/// With RAC_SOAK=200000 it does the work of days, and prints the heap and the time of a step at first and at last.
@Suite struct SoakTests {
    @Test("No work of a client takes more heap with each step")
    func heap() async throws {
        let result = await #expect(processExitsWith: .success, observing: [\.standardErrorContent]) {
            try await Soak.run()
        }
        let lines = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self).split(separator: "\n")
        if Soak.isLong { for line in lines { print(line) } }
        #expect(lines.filter { $0.hasPrefix(Soak.growing) }.isEmpty)
    }
}
