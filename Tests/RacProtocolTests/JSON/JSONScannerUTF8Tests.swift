import Expectations
import RacProtocol
import RacTesting
import Testing

@Suite struct JSONScannerUTF8Tests {
    @Test(
        "The first and the last character of each length are accepted",
        arguments: [
            [0x7F], [0xC2, 0x80], [0xDF, 0xBF], [0xE0, 0xA0, 0x80], [0xED, 0x9F, 0xBF], [0xEE, 0x80, 0x80],
            [0xEF, 0xBF, 0xBF], [0xF0, 0x90, 0x80, 0x80], [0xF4, 0x8F, 0xBF, 0xBF],
        ] as [[UInt8]]
    )
    func accepted(bytes: [UInt8]) {
        expect(SoleValue.fault(in: [0x22] + bytes + [0x22]) == nil)
    }

    @Test(
        "Bytes that are no UTF-8 are refused",
        arguments: [
            ("a continuation alone", [0x80]),
            ("a continuation alone", [0xBF]),
            ("an overlong two-byte form", [0xC0, 0x80]),
            ("an overlong two-byte form", [0xC1, 0xBF]),
            ("an overlong three-byte form", [0xE0, 0x80, 0x80]),
            ("an overlong three-byte form", [0xE0, 0x9F, 0xBF]),
            ("the first surrogate", [0xED, 0xA0, 0x80]),
            ("the last surrogate", [0xED, 0xBF, 0xBF]),
            ("a pair of surrogates", [0xED, 0xA0, 0xBD, 0xED, 0xB8, 0x80]),
            ("an overlong four-byte form", [0xF0, 0x80, 0x80, 0x80]),
            ("an overlong four-byte form", [0xF0, 0x8F, 0xBF, 0xBF]),
            ("more than U+10FFFF", [0xF4, 0x90, 0x80, 0x80]),
            ("more than U+10FFFF", [0xF5, 0x80, 0x80, 0x80]),
            ("a five-byte form", [0xF8, 0x88, 0x80, 0x80, 0x80]),
            ("never a byte of UTF-8", [0xFE]),
            ("never a byte of UTF-8", [0xFF]),
            ("one continuation of two", [0xE2, 0x82]),
            ("one continuation of three", [0xF0, 0x9F]),
            ("two continuations of three", [0xF0, 0x9F, 0x98]),
            ("no continuation", [0xC3]),
            ("a letter for a continuation", [0xC3, 0x41]),
            ("a letter for the second continuation", [0xE2, 0x82, 0x41]),
            ("a letter for the third continuation", [0xF0, 0x9F, 0x98, 0x41]),
            ("a start for a continuation", [0xE2, 0xE2, 0x82, 0xAC]),
        ] as [(String, [UInt8])]
    )
    func refused(what: String, bytes: [UInt8]) {
        expect(SoleValue.fault(in: [0x22] + bytes + [0x22])?.fault == .invalidUTF8, "\(what), in a value")
        expect(SoleValue.fault(in: [0x22] + bytes)?.fault == .invalidUTF8, "\(what), at the end")
        let key = Array("{\"".utf8) + bytes + Array("\":1}".utf8)
        expect(SoleValue.fault(in: key)?.fault == .invalidUTF8, "\(what), in a key")
        #expect(SoleValue.fault(in: bytes) != nil, "\(what), outside a string")
    }

    @Test("Every pair of bytes and random runs are UTF-8 to the scanner exactly if they are to the standard library")
    func agreesWithStandardLibrary() {
        for first in UInt8(0x80)...0xFF {
            for second in UInt8(0x20)...0xFF where !Self.isSpecial(second) { Self.compare([first, second]) }
        }
        var random = SeededRandom.ofThisRun
        for _ in TestEffort.rounds(6_000) {
            let bytes = random.bytes(count: Int.random(in: 1...6, using: &random)).map { $0 | 0x80 }
            Self.compare(bytes, random.hint)
        }
    }

    private static func compare(_ bytes: [UInt8], _ hint: String = "") {
        let isUTF8 = String(validating: bytes, as: UTF8.self) != nil
        let accepted = SoleValue.fault(in: [0x22] + bytes + [0x22]) == nil
        if accepted != isUTF8 { Issue.record("\(bytes): accepted \(accepted), is UTF-8 \(isUTF8) \(hint)") }
    }

    private static func isSpecial(_ byte: UInt8) -> Bool {
        byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\")
    }
}
