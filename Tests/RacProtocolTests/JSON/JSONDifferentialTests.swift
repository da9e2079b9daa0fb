import Expectations
import Foundation
import RacProtocol
import RacTesting
import Testing

/// Compares the scanner with Foundation's JSONSerialization, which implements the same RFC.
///
/// Both accept and refuse the same texts, with exceptions that the tests below leave out or allow for:
/// - An escape that is half a surrogate pair: RFC 8259 allows it, so the scanner passes it on; Foundation refuses it.
/// - A number beyond Double: the scanner does not look at what a number means; Foundation refuses it.
/// - NUL bytes and a byte order mark: Foundation takes the text for UTF-16 or UTF-32, or passes over the mark.
/// - A comma behind the last member: RFC 8259 forbids it, Foundation takes it.
/// - Depth: the scanner takes 64 levels, Foundation 512.
@Suite struct JSONDifferentialTests {
    @Test("Each text of the generator is JSON to both")
    func generated() {
        var random = SeededRandom.ofThisRun
        for _ in 0..<2_000 {
            let text = JSONMaker.value(using: &random)
            expect(SoleValue.fault(in: text) == nil, "\(text) \(random.hint)")
            #expect(Self.foundationAccepts(Array(text.utf8)), "\(text) \(random.hint)")
        }
    }

    @Test("A text with a few bytes changed is JSON to both or to neither")
    func changed() {
        var random = SeededRandom.ofThisRun
        var refused = 0
        for _ in TestEffort.rounds(4_000) {
            let bytes = ByteChanger.changed(Array(JSONMaker.value(using: &random).utf8), using: &random)
            refused += SoleValue.fault(in: bytes) == nil ? 0 : 1
            Self.compare(bytes, random.hint)
        }
        #expect((1_000..<10_000).contains(refused), "the changes leave some texts whole and break others")
    }

    @Test("A short text of JSON's own characters is JSON to both or to neither")
    func shuffled() {
        let alphabet = Array("[]{}:,\"\\/ue+-.0129tnrfalsEx \n".utf8)
        var random = SeededRandom.ofThisRun
        for _ in TestEffort.rounds(10_000) {
            let count = Int.random(in: 1...8, using: &random)
            Self.compare((0..<count).map { _ in alphabet.randomElement(using: &random) ?? 0 }, random.hint)
        }
    }

    @Test("Where the two differ, they differ as it is intended")
    func intendedDifferences() {
        let depth65 = String(repeating: "[", count: 65) + String(repeating: "]", count: 65)
        for text in ["\"\\ud800\"", "\"\\udc00\"", "\"\\ud800\\u0041\"", "1e400", "-1E999"] {
            expect(SoleValue.fault(in: text) == nil)
            #expect(!Self.foundationAccepts(Array(text.utf8)))
        }
        for text in ["\u{FEFF}1", "1\u{0}", "[1,]", "{\"a\":1, }", depth65] {
            #expect(SoleValue.fault(in: text) != nil)
            #expect(Self.foundationAccepts(Array(text.utf8)))
        }
    }

    private static func compare(_ bytes: [UInt8], _ hint: String) {
        guard !bytes.contains(0), !bytes.starts(with: [0xEF, 0xBB, 0xBF]) else { return }
        let fault = SoleValue.fault(in: bytes)
        let foundation = Self.foundationAccepts(bytes)
        let text = String(decoding: bytes, as: UTF8.self)
        if fault == nil, !foundation {
            #expect(Self.mayBeRefusedByFoundation(text), "only Foundation refuses \(text.debugDescription) \(hint)")
        } else if let fault, foundation {
            // A carriage return and a line feed are one character, but two scalars.
            let hasLastComma = text.contains(/,[ \t\r\n]*[\]}]/.matchingSemantics(.unicodeScalar))
            #expect(fault.fault == .tooDeep || hasLastComma, "only Foundation accepts \(text.debugDescription) \(hint)")
        }
    }

    private static func mayBeRefusedByFoundation(_ text: String) -> Bool {
        let hasSurrogate = text.contains(/\\u[dD][89a-fA-F]/)
        let hasLargeNumber = text.contains(/[eE]\+?[0-9]{3}/)
        return hasSurrogate || hasLargeNumber
    }

    private static func foundationAccepts(_ bytes: [UInt8]) -> Bool {
        (try? JSONSerialization.jsonObject(with: Data(bytes), options: .fragmentsAllowed)) != nil
    }
}
