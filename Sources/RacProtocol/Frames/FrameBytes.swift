package import NIOCore

/// Whole frames, one behind the other; copies and parts share their memory until one of them is written to.
///
/// All that a daemon says is written here, so the memory is our own: in a `ByteBuffer` a short frame costs several times
/// the instructions.
///
/// `@unchecked Sendable` holds because memory is written to only while it has one owner: whoever appends to shared memory
/// gets a copy of its own first.
package struct FrameBytes: @unchecked Sendable {
    private typealias Memory = ManagedBuffer<Void, UInt8>

    /// What is shorter grows faster: what has two short frames mostly gets more.
    private static let shortBytes = 4096

    /// What keeps the bytes alive; they are reached by the pointer into it, so that references are not counted each time.
    private var memory: Memory?
    private var first: UnsafeMutableRawPointer?
    /// How many bytes there is memory for, from the first one on.
    private var capacity = 0
    package private(set) var count = 0

    package init() {}

    package init(_ message: ServerMessage) {
        self.append(message)
    }

    /// A copy of what was written elsewhere, which must be whole frames.
    package init(copying bytes: ByteBuffer) {
        bytes.withUnsafeReadableBytes { self.append($0) }
    }

    package var isEmpty: Bool { self.count == 0 }

    /// A copy, for those who need that.
    package var buffer: ByteBuffer { self.withUnsafeBytes { ByteBuffer(bytes: $0) } }

    package func withUnsafeBytes<Result>(_ body: (UnsafeRawBufferPointer) throws -> Result) rethrows -> Result {
        defer { extendLifetime(self) }
        return try body(UnsafeRawBufferPointer(start: self.first, count: self.count))
    }

    package mutating func append(_ message: ServerMessage) {
        message.write(to: &self)
    }

    package mutating func append(_ other: FrameBytes) {
        other.withUnsafeBytes { self.append($0) }
    }

    private mutating func append(_ bytes: UnsafeRawBufferPointer) {
        self.append(atMost: bytes.count) { room in
            if let source = bytes.baseAddress { room.copyMemory(from: source, byteCount: bytes.count) }
            return bytes.count
        }
    }

    /// Appends at most so many bytes, which the closure writes; it tells how many.
    @inline(__always)
    mutating func append(atMost bytes: Int, _ write: (UnsafeMutableRawPointer) -> Int) {
        let isOwn = isKnownUniquelyReferenced(&self.memory)
        if !isOwn || self.count + bytes > self.capacity { self.move(toRoomFor: bytes) }
        if let first { self.count += write(first + self.count) }
        extendLifetime(self)
    }

    @inline(never)
    private mutating func move(toRoomFor bytes: Int) {
        let growth = self.count < Self.shortBytes ? 4 : 2
        let capacity = max(self.count + bytes, growth * self.count)
        let memory = Memory.create(minimumCapacity: capacity) { _ in () }
        let first = memory.withUnsafeMutablePointerToElements { UnsafeMutableRawPointer($0) }
        if let old = self.first { first.copyMemory(from: old, byteCount: self.count) }
        (self.memory, self.first, self.capacity) = (memory, first, capacity)
    }

    package mutating func removeAll() {
        self = FrameBytes()
    }

    /// The same frames, those compressed whose payload has at least so many bytes.
    package func deflated(from threshold: Int) -> FrameBytes {
        guard self.count >= threshold else { return self }
        var rest = self.buffer
        var result = ByteBuffer()
        let reader = FrameReader(maximumBytes: Int(FrameHeader.lengthMask), inflates: false)
        while let payload = try? reader.nextPayload(in: &rest) {
            if payload.readableBytes >= threshold {
                result.writeFrame(Deflate.deflate(payload), compressed: true)
            } else {
                result.writeFrame(payload, compressed: false)
            }
        }
        return FrameBytes(copying: result)
    }

    /// The frames from a byte offset on, which must be where a frame begins.
    package func suffix(from offset: Int) -> FrameBytes {
        var suffix = self
        suffix.first = self.first.map { $0 + offset }
        suffix.capacity -= offset
        suffix.count -= offset
        return suffix
    }
}

extension FrameBytes: Equatable {
    package static func == (one: FrameBytes, other: FrameBytes) -> Bool {
        one.withUnsafeBytes { bytes in other.withUnsafeBytes { bytes.elementsEqual($0) } }
    }
}
