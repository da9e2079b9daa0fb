import Expectations
import Testing

@testable import Rac

@Suite struct FifoTests {
    @Test("The first item in is the first one out, also when the line wraps around and grows")
    func order() {
        var (line, expected) = (Fifo<Int?>(), [Int?]())
        for number in 0..<200 {
            line.append(number.isMultiple(of: 7) ? nil : number)
            expected.append(number.isMultiple(of: 7) ? nil : number)
            if number.isMultiple(of: 3) {
                expect(line.popFirst() == .some(expected.removeFirst()))
            }
            expect(line.elements == expected)
            expect(line.count == expected.count)
        }
        while !expected.isEmpty {
            expect(line.popFirst() == .some(expected.removeFirst()))
        }
        #expect(line.isEmpty)
        expect(line.popFirst() == .none)
    }
}
