import Expectations
import Testing

@testable import RacHost

@Suite("A dictionary gives memory back") struct DictionaryMemoryTests {
    @Test("After its entries have gone it has the memory for those that are left, which stay")
    func releases() {
        var table = Dictionary(uniqueKeysWithValues: (0..<100_000).map { ($0, -$0) })
        for key in 0..<99_990 {
            table[key] = nil
            table.releaseMemory()
        }
        #expect(table.capacity < 4096)
        expect(table == Dictionary(uniqueKeysWithValues: (99_990..<100_000).map { ($0, -$0) }))
    }

    @Test("While many are left it is not copied")
    func keeps() {
        var table = Dictionary(uniqueKeysWithValues: (0..<100_000).map { ($0, $0) })
        let capacity = table.capacity
        for key in 0..<80_000 {
            table[key] = nil
            table.releaseMemory()
        }
        expect(table.capacity == capacity)
    }
}
