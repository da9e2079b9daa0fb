import LoadGenerator
import Testing

@Suite struct NumberedValueTests {
    @Test("A value has the length that was asked for, and contains its channel and its number")
    func text() {
        var bytes: [UInt8] = []
        NumberedValue(channel: 12, number: 345).append(to: &bytes, byteCount: 20)
        #expect(String(decoding: bytes, as: UTF8.self) == #""000000001200000345""#)
        var long: [UInt8] = []
        NumberedValue(channel: 12, number: 345).append(to: &long, byteCount: 256)
        #expect(long.count == 256)
        #expect(long.suffix(17) == bytes.suffix(17))
    }

    @Test(
        "Every digit is read at its place",
        arguments: [(0, 1), (1, 0), (12_345_678, 87_654_321), (99_999_999, 99_999_999), (90_000_000, 9)]
    )
    func digits(channel: Int, number: Int) throws {
        let value = NumberedValue(channel: channel, number: number)
        var publish: [UInt8] = [0x30, 24, 0, 4] + Array("b/12".utf8)
        value.append(to: &publish, byteCount: 18)
        #expect(try Transcript(publish).read(by: MQTTDialect(), cutAt: []) == Arrivals([.value(value)]))
    }

    @Test("A character that is no digit makes no value", arguments: ["/", ":", "a", " ", "\u{0}", "\u{7f}"])
    func noDigits(character: String) {
        for place in [1, 8, 9, 16] {
            var text = Array("\"0000000000000000\"".utf8)
            text[place] = character.utf8.first ?? 0
            let packet = [0x30, 24, 0, 4] + Array("b/12".utf8) + text
            #expect(throws: ProtocolError.self) { try Transcript(packet).read(by: MQTTDialect(), cutAt: []) }
        }
    }
}
