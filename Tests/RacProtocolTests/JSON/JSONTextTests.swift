import Expectations
import NIOCore
import RacProtocol
import Testing

@Suite struct JSONTextTests {
    @Test(
        "A value keeps its bytes: no number, escape, key order or inner space is touched",
        arguments: [
            "1.0", "1.00", "1e2", "-0", "12345678901234567890.000", "\"\\u00fc\"", "\"ü\"", "\"\\/\"",
            "{\"b\":1,\"a\":2}",
            "{ \"a\" :  1 }", "[1,\n2]", "{\"a\":1,\"a\":2}", "\"\\ud800\"",
        ]
    )
    func verbatim(text: String) throws {
        let value = try JSONText(text)
        expect(Array(value.text.utf8) == Array(text.utf8))
        expect(value.byteCount == text.utf8.count)
        expect(value.description == value.text)
        expect(value.detached == value)
    }

    @Test("White space around a value is no part of it")
    func trimmed() throws {
        let value = try JSONText("\r\n [1] \t")
        expect(value.text == "[1]")
        expect(try value == JSONText("[1]"))
        expect(try value.hashValue == JSONText("[1]").hashValue)
    }

    @Test("Values are equal if their bytes are, whatever they mean")
    func equality() throws {
        #expect(try JSONText("1.0") != JSONText("1"))
        #expect(try JSONText("\"ü\"") != JSONText("\"\\u00fc\""))
        #expect(try JSONText("caf\u{E9}".quoted) != JSONText("cafe\u{301}".quoted))
        expect(try Set([JSONText("1"), JSONText(" 1 "), JSONText("1.0")]).count == 2)
    }

    @Test("Text that is no JSON value is refused with its fault", arguments: ["", "x", "1 2", "[", "{\"a\":01}"])
    func refused(text: String) {
        let error = #expect(throws: JSONError.self) { try JSONText(text) }
        expect(error == SoleValue.fault(in: text))
    }

    @Test("A value is at most 63 deep, so that a message around it is at most 64")
    func depth() throws {
        func nested(_ count: Int) -> String {
            String(repeating: "[", count: count) + String(repeating: "]", count: count)
        }
        expect(try JSONText(nested(63)).byteCount == 126)
        let error = #expect(throws: JSONError.self) { try JSONText(nested(64)) }
        expect(error?.fault == .tooDeep)
    }

    @Test("The values made here are JSON")
    func made() throws {
        for value in [JSONText.null, .integer(0), .integer(.min), .integer(.max), .string(""), .string("\u{0}\"")] {
            expect(try JSONText(value.text) == value)
        }
    }

    @Test("A detached value does not keep the buffer it came in")
    func detached() throws {
        var buffer = ByteBuffer(string: "[\"" + String(repeating: "x", count: 8_192) + "\", 1]")
        let end = buffer.readableBytes
        let short = JSONText(unchecked: buffer, range: (end - 2)..<(end - 1)).detached
        let long = JSONText(unchecked: buffer, range: 1..<5_000).detached
        let address = buffer.address
        // Bytes with a second owner would be copied first.
        buffer.setInteger(UInt8(ascii: "2"), at: end - 2)
        buffer.setInteger(UInt8(ascii: "y"), at: 2)
        expect(buffer.address == address)
        expect(short.text == "1")
        #expect(long.text.hasPrefix("\"x"))
    }

    @Test("A long value that has a buffer nearly for itself stays in it")
    func detachedInPlace() throws {
        let buffer = ByteBuffer(string: "[" + String(repeating: "1,", count: 4_000) + "1]")
        let value = try JSONText(validating: buffer)
        expect(value.detached.bytes.address == buffer.address)
        expect(value.detached == value)
    }

    @Test("A detached value is not copied again")
    func detachedTwice() throws {
        let buffer = ByteBuffer(string: "[1, 2, 3, 4, 5, 6, 7]" + String(repeating: " ", count: 100))
        let value = try JSONText(validating: buffer).detached
        expect(value.detached.address == value.address)
        expect(value.text == "[1, 2, 3, 4, 5, 6, 7]")
    }

    @Test("Memory for copies is used again if nobody refers to it, and is not kept if it is much too large")
    func copies() throws {
        var memory = ByteBuffer()
        let address = try JSONText("\"one\"").copied(into: &memory).address
        expect(try JSONText("\"two\"").copied(into: &memory).address == address)
        let held = try JSONText("3").copied(into: &memory)
        expect(try JSONText("4").copied(into: &memory).text == "4")
        expect(held.text == "3")
        _ = JSONText.string(String(repeating: "x", count: 1 << 16)).copied(into: &memory)
        _ = JSONText.null.copied(into: &memory)
        #expect(memory.capacity < 1 << 12)
    }
}

extension JSONText {
    fileprivate var address: UnsafeRawPointer? { self.withBytes { $0.baseAddress } }
}

extension ByteBuffer {
    fileprivate var address: UnsafeRawPointer? { self.withUnsafeReadableBytes { $0.baseAddress } }
}

extension String {
    /// The text between quotes.
    fileprivate var quoted: String { "\"\(self)\"" }
}
