package import NIOCore

/// Writes one JSON object, member by member.
package struct ObjectWriter: ~Copyable {
    /// `"key":` of every key, and the same after a comma.
    private static let heads = Key.allCases.map { ByteBuffer(string: "\"\($0.text)\":") }
    private static let nextHeads = Key.allCases.map { ByteBuffer(string: ",\"\($0.text)\":") }

    private var bytes: ByteBuffer
    private var isEmpty = true

    fileprivate init(_ bytes: consuming ByteBuffer) {
        self.bytes = bytes
        self.bytes.writeInteger(UInt8(ascii: "{"))
    }

    fileprivate consuming func finish() -> ByteBuffer {
        self.bytes.writeInteger(UInt8(ascii: "}"))
        return self.bytes
    }

    private mutating func begin(_ key: Key) {
        let heads = self.isEmpty ? Self.heads : Self.nextHeads
        self.bytes.writeImmutableBuffer(heads[Int(key.rawValue)])
        self.isEmpty = false
    }

    /// The operation, which comes first: a word that needs no escapes.
    package mutating func write(operation: StaticString) {
        self.bytes.writeStaticString("\"op\":\"")
        self.bytes.writeStaticString(operation)
        self.bytes.writeInteger(UInt8(ascii: "\""))
        self.isEmpty = false
    }

    package mutating func write(_ key: Key, _ value: JSONText?) {
        guard let value else { return }
        self.begin(key)
        self.bytes.writeImmutableBuffer(value.bytes)
    }

    package mutating func write(_ key: Key, _ text: String?) {
        guard let text else { return }
        self.begin(key)
        self.bytes.writeJSONString(text)
    }

    package mutating func write(_ key: Key, _ number: UInt64?) {
        guard let number else { return }
        self.begin(key)
        self.bytes.writeDecimal(number)
    }

    package mutating func write(_ key: Key, _ number: Int64?) {
        guard let number else { return }
        self.begin(key)
        if number < 0 { self.bytes.writeInteger(UInt8(ascii: "-")) }
        self.bytes.writeDecimal(number.magnitude)
    }

    package mutating func write(_ key: Key, _ flag: Bool?) {
        guard let flag else { return }
        self.begin(key)
        self.bytes.writeStaticString(flag ? "true" : "false")
    }

    package mutating func write(_ key: Key, object write: (inout ObjectWriter) -> Void) {
        self.begin(key)
        var bytes = ByteBuffer()
        swap(&bytes, &self.bytes)
        self.bytes = bytes.writingObject(write)
    }

    package mutating func write<Element>(
        _ key: Key,
        array: [Element],
        _ write: (Element, inout ByteBuffer) -> Void
    ) {
        self.begin(key)
        self.bytes.writeInteger(UInt8(ascii: "["))
        for (index, element) in array.enumerated() {
            if index > 0 { self.bytes.writeInteger(UInt8(ascii: ",")) }
            write(element, &self.bytes)
        }
        self.bytes.writeInteger(UInt8(ascii: "]"))
    }
}

extension ByteBuffer {
    /// Writes one JSON object whose members the closure writes.
    package mutating func writeObject(_ write: (inout ObjectWriter) -> Void) {
        var bytes = ByteBuffer()
        swap(&bytes, &self)
        self = bytes.writingObject(write)
    }

    fileprivate consuming func writingObject(_ write: (inout ObjectWriter) -> Void) -> ByteBuffer {
        var writer = ObjectWriter(self)
        write(&writer)
        return writer.finish()
    }

    /// Writes a number's decimal digits.
    package mutating func writeDecimal(_ number: UInt64) {
        guard number >= 10 else {
            self.writeInteger(UInt8(ascii: "0") + UInt8(truncatingIfNeeded: number))
            return
        }
        var digits = InlineArray<20, UInt8>(repeating: 0)
        var start = 20
        var rest = number
        while rest > 0 {
            start -= 1
            digits[start] = UInt8(ascii: "0") + UInt8(truncatingIfNeeded: rest % 10)
            rest /= 10
        }
        let count = 20 - start
        self.writeWithUnsafeMutableBytes(minimumWritableBytes: count) { target in
            for offset in 0..<count { target[offset] = digits[start + offset] }
            return count
        }
    }
}
