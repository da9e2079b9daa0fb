package import NIOCore

/// Writes one JSON object, member by member.
///
/// What is short is gathered and given to the buffer in one piece: each write to that costs some two hundred instructions.
package struct ObjectWriter: ~Copyable {
    /// `,"key":` of every key.
    private static let heads = Key.allCases.map { ShortName(word: ",\"\($0.text)\":") }

    private static let gatheredBytes = 256

    /// What mostly stands behind a long value: the end of the object.
    private static let endBytes = 1

    private var bytes: ByteBuffer
    private var gathered = InlineArray<256, UInt8>(repeating: 0)
    private var count = 0
    private var isEmpty = true

    /// Begins behind so many zeros.
    fileprivate init(_ bytes: consuming ByteBuffer, behind zeros: Int) {
        self.bytes = bytes
        self.count = zeros
        self.write(UInt8(ascii: "{"))
    }

    fileprivate consuming func finish() -> ByteBuffer {
        self.write(UInt8(ascii: "}"))
        self.flush()
        return self.bytes
    }

    /// Ends the object and appends it as a frame: one that is short was gathered and has no buffer of its own.
    fileprivate consuming func finish(into frames: inout FrameBytes) {
        self.write(UInt8(ascii: "}"))
        let length = self.bytes.readableBytes + self.count
        frames.appendFrame(atMost: FrameHeader.byteCount + length) { frame in
            self.bytes.withUnsafeReadableBytes { frame.write($0) }
            self.gathered.span.extracting(first: self.count).withUnsafeBytes { frame.write($0) }
        }
    }

    private mutating func begin(_ key: Key) {
        let head = Self.heads[Int(key.rawValue)]
        self.write(self.isEmpty ? head.dropFirst : head)
        self.isEmpty = false
    }

    /// The operation, which comes first: a word that needs no escapes.
    package mutating func write(operation: StaticString) {
        self.write("\"op\":\"")
        self.write(operation)
        self.write(UInt8(ascii: "\""))
        self.isEmpty = false
    }

    package mutating func write(_ key: Key, _ value: JSONText?) {
        guard let value else { return }
        self.begin(key)
        value.withBytes { self.write($0) }
    }

    package mutating func write(_ key: Key, _ text: String?) {
        guard let text else { return }
        self.begin(key)
        guard !self.gathers(text) else { return }
        self.flush()
        self.bytes.writeJSONString(text)
    }

    package mutating func write(_ key: Key, _ number: UInt64?) {
        guard let number else { return }
        self.begin(key)
        self.write(number)
    }

    package mutating func write(_ key: Key, _ number: Int64?) {
        guard let number else { return }
        self.begin(key)
        if number < 0 { self.write(UInt8(ascii: "-")) }
        self.write(number.magnitude)
    }

    package mutating func write(_ key: Key, _ flag: Bool?) {
        guard let flag else { return }
        self.begin(key)
        self.write(flag ? "true" : "false")
    }

    package mutating func write(_ key: Key, object write: (inout ObjectWriter) -> Void) {
        self.begin(key)
        self.write(UInt8(ascii: "{"))
        self.isEmpty = true
        write(&self)
        self.write(UInt8(ascii: "}"))
        self.isEmpty = false
    }

    package mutating func write<Element>(
        _ key: Key,
        array: [Element],
        _ write: (Element, inout ByteBuffer) -> Void
    ) {
        self.begin(key)
        self.flush()
        self.bytes.writeInteger(UInt8(ascii: "["))
        for (index, element) in array.enumerated() {
            if index > 0 { self.bytes.writeInteger(UInt8(ascii: ",")) }
            write(element, &self.bytes)
        }
        self.bytes.writeInteger(UInt8(ascii: "]"))
    }
}

extension ObjectWriter {
    private mutating func write(_ byte: UInt8) {
        self.makeRoom(for: 1)
        self.gathered[self.count] = byte
        self.count += 1
    }

    private mutating func write(_ text: StaticString) {
        self.write(UnsafeRawBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
    }

    private mutating func write(_ word: ShortName) {
        self.gather(ShortName.maximumBytes) { word.write(to: $0) }
    }

    /// Writes a string that is short and has nothing to escape; says whether it did.
    private mutating func gathers(_ text: String) -> Bool {
        var text = text
        return text.withUTF8 { characters in
            guard characters.count + 2 <= Self.gatheredBytes, !characters.contains(where: JSONString.mustBeEscaped)
            else { return false }
            self.write(UInt8(ascii: "\""))
            self.write(UnsafeRawBufferPointer(characters))
            self.write(UInt8(ascii: "\""))
            return true
        }
    }

    private mutating func write(_ number: UInt64) {
        self.gather(UInt64.maximumDigits) { room in room.baseAddress.map { number.writeDigits(to: $0) } ?? 0 }
    }

    private mutating func write(_ source: UnsafeRawBufferPointer) {
        guard source.count <= Self.gatheredBytes else {
            self.bytes.reserveCapacity(minimumWritableBytes: self.count + source.count + Self.endBytes)
            self.flush()
            self.bytes.writeBytes(source)
            return
        }
        self.gather(source.count) { target in
            target.copyMemory(from: source)
            return source.count
        }
    }

    /// Gives the closure room for so many bytes at most; it tells how many it has written.
    private mutating func gather(_ most: Int, _ write: (UnsafeMutableRawBufferPointer) -> Int) {
        self.makeRoom(for: most)
        let start = self.count
        var gathered = self.gathered.mutableSpan
        self.count += gathered.withUnsafeMutableBytes { write(.init(rebasing: $0[start..<(start + most)])) }
    }

    private mutating func makeRoom(for bytes: Int) {
        if self.count + bytes > Self.gatheredBytes { self.flush() }
    }

    private mutating func flush() {
        self.bytes.writeBytes(self.gathered.span.extracting(first: self.count).bytes)
        self.count = 0
    }
}

extension FrameBytes {
    /// Appends one frame whose payload is an object with the members that the closure writes.
    mutating func appendFrame(object write: (inout ObjectWriter) -> Void) {
        var writer = ObjectWriter(ByteBuffer(), behind: 0)
        write(&writer)
        writer.finish(into: &self)
    }
}

extension ByteBuffer {
    /// Writes one frame whose payload is an object with the members that the closure writes.
    package mutating func writeFrame(object write: (inout ObjectWriter) -> Void) {
        let start = self.writerIndex
        self.writeObject(behind: FrameHeader.byteCount, write)
        let length = self.writerIndex - start - FrameHeader.byteCount
        self.setInteger(UInt32(truncatingIfNeeded: length), at: start)
    }

    /// Writes one JSON object whose members the closure writes.
    package mutating func writeObject(_ write: (inout ObjectWriter) -> Void) {
        self.writeObject(behind: 0, write)
    }

    private mutating func writeObject(behind zeros: Int, _ write: (inout ObjectWriter) -> Void) {
        var bytes = ByteBuffer()
        swap(&bytes, &self)
        // A second owner would make the buffer copy itself with the first byte.
        var writer = ObjectWriter(consume bytes, behind: zeros)
        write(&writer)
        self = writer.finish()
    }

    /// Writes a number's decimal digits.
    package mutating func writeDecimal(_ number: UInt64) {
        self.writeWithUnsafeMutableBytes(minimumWritableBytes: UInt64.maximumDigits) { room in
            room.baseAddress.map { number.writeDigits(to: $0) } ?? 0
        }
    }
}

extension UInt64 {
    /// How many decimal digits the greatest number has.
    static let maximumDigits = 20

    /// 00 to 99, one behind the other.
    private static var pairs: UnsafeRawPointer {
        let text: StaticString = """
            0001020304050607080910111213141516171819202122232425262728293031323334353637383940414243444546474849\
            5051525354555657585960616263646566676869707172737475767778798081828384858687888990919293949596979899
            """
        return UnsafeRawPointer(text.utf8Start)
    }

    private var digitCount: Int {
        var (rest, count) = (self, 0)
        while rest >= 10_000 {
            rest /= 10_000
            count += 4
        }
        if rest < 100 { return count + (rest < 10 ? 1 : 2) }
        return count + (rest < 1_000 ? 3 : 4)
    }

    /// Writes the number in decimal, where there must be room for it; tells how many digits it has.
    func writeDigits(to target: UnsafeMutableRawPointer) -> Int {
        let count = self.digitCount
        var (rest, place) = (self, target + count)
        while rest >= 10 {
            let pair = Self.pairs.loadUnaligned(fromByteOffset: 2 * Int(rest % 100), as: UInt16.self)
            rest /= 100
            place -= 2
            place.storeBytes(of: pair, as: UInt16.self)
        }
        let first = UInt8(ascii: "0") &+ UInt8(truncatingIfNeeded: rest)
        if place > target { target.storeBytes(of: first, as: UInt8.self) }
        return count
    }
}
