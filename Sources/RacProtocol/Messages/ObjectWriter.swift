package import NIOCore

/// Writes one JSON object, member by member.
///
/// Short members are gathered and go to the buffer in one piece: each write to the buffer costs some two hundred
/// instructions.
package struct ObjectWriter: ~Copyable {
    /// The text `,"key":` of every key.
    private static let heads = Key.allCases.map { ShortName(word: ",\"\($0.text)\":") }

    private static let gatheredBytes = 256

    /// Room behind a long value for the brace that mostly follows it.
    private static let endBytes = 1

    private var bytes: ByteBuffer

    /// The long values, each with the number of bytes before it; mostly there is none.
    private var long: [(place: Int, value: JSONText)] = []
    private let keepsLong: Bool

    private var gathered = InlineArray<256, UInt8>(repeating: 0)
    private var count = 0
    private var isEmpty = true

    /// Begins an object behind this number of zero bytes, the place of a header that is written later.
    ///
    /// With `keepsLong`, `finish(into:)` or `finishSplit()` ends the object.
    fileprivate init(_ bytes: consuming ByteBuffer, behind zeros: Int, keepsLong: Bool = false) {
        self.bytes = bytes
        self.keepsLong = keepsLong
        self.count = zeros
        self.write(UInt8(ascii: "{"))
    }

    fileprivate consuming func finish() -> ByteBuffer {
        self.write(UInt8(ascii: "}"))
        self.flush()
        return self.bytes
    }

    /// Ends the object and appends it as a frame; a short one was gathered and needs no buffer of its own.
    ///
    /// The frame refers to the long values.
    fileprivate consuming func finish(into frames: inout FrameBytes) {
        guard self.long.isEmpty else {
            let text = self.finishSplit()
            frames.append(headerFor: text.count)
            return frames.append(text)
        }
        self.write(UInt8(ascii: "}"))
        let length = self.bytes.readableBytes + self.count
        frames.appendFrame(atMost: FrameHeader.byteCount + length) { frame in
            self.bytes.withUnsafeReadableBytes { frame.write($0) }
            self.gathered.span.extracting(first: self.count).withUnsafeBytes { frame.write($0) }
        }
    }

    /// Ends the object as a text that refers to the long values.
    fileprivate consuming func finishSplit() -> SplitText {
        let long = self.long
        return SplitText(self.finish(), long: long)
    }

    private mutating func begin(_ key: Key) {
        let head = Self.heads[Int(key.rawValue)]
        self.write(self.isEmpty ? head.dropFirst : head)
        self.isEmpty = false
    }

    /// Writes the operation, which is the first member and a word without escapes.
    package mutating func write(operation: StaticString) {
        self.write("\"op\":\"")
        self.write(operation)
        self.write(UInt8(ascii: "\""))
        self.isEmpty = false
    }

    /// Writes the operation as a word of a table.
    mutating func write(operation: ShortName) {
        self.write("\"op\":\"")
        self.write(operation)
        self.write(UInt8(ascii: "\""))
        self.isEmpty = false
    }

    package mutating func write(_ key: Key, _ value: JSONText?) {
        guard let value else { return }
        self.begin(key)
        guard self.keepsLong, value.byteCount >= FrameBytes.longBytes else {
            return value.withBytes { self.write($0) }
        }
        self.flush()
        self.long.append((self.bytes.readableBytes, value))
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

    /// Writes a short string without escapes; returns false if it is none.
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

    /// Gives the closure room for this number of bytes; the closure returns the number of written bytes.
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
        var writer = ObjectWriter(ByteBuffer(), behind: 0, keepsLong: true)
        write(&writer)
        writer.finish(into: &self)
    }
}

extension SplitText {
    /// Makes an object with the members that the closure writes.
    package init(object write: (inout ObjectWriter) -> Void) {
        var writer = ObjectWriter(ByteBuffer(), behind: 0, keepsLong: true)
        write(&writer)
        self = writer.finishSplit()
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
        // The buffer is moved, not shared: a shared buffer copies itself before its first write.
        var writer = ObjectWriter(consume bytes, behind: zeros)
        write(&writer)
        self = writer.finish()
    }
}
