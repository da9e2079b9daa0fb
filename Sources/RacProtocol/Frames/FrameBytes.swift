package import NIOCore

/// Whole frames, one behind the other; copies and parts share their memory until one of them is written to.
///
/// Every message of the daemon is written here, so the memory is our own: a short frame in a `ByteBuffer` takes several
/// times the instructions. `forEachPayload(_:)` gives the payloads without the headers, so a transport with another framing
/// can write its own header before the shared bytes.
///
/// `@unchecked Sendable` holds because memory is written to only while it has one owner: an append to shared memory copies
/// it first.
package struct FrameBytes: @unchecked Sendable {
    private typealias Memory = ManagedBuffer<Void, UInt8>

    /// Memory below this length grows fourfold: a second short frame mostly means more to come.
    private static let shortBytes = 4096

    /// The owner of the bytes; code reaches them by the pointer into it, so that no access counts a reference.
    private var memory: Memory?
    private var first: UnsafeMutableRawPointer?
    /// The length of the memory from the first byte on.
    private var capacity = 0
    package private(set) var count = 0

    package init() {}

    /// Copies whole frames that were written elsewhere.
    package init(copying bytes: ByteBuffer) {
        bytes.withUnsafeReadableBytes { self.append($0) }
    }

    package var isEmpty: Bool { self.count == 0 }

    /// A copy of the bytes.
    package var buffer: ByteBuffer { self.withUnsafeBytes { ByteBuffer(bytes: $0) } }

    package func withUnsafeBytes<Result>(_ body: (UnsafeRawBufferPointer) throws -> Result) rethrows -> Result {
        defer { extendLifetime(self) }
        return try body(UnsafeRawBufferPointer(start: self.first, count: self.count))
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

    /// Appends the bytes that the closure writes, at most this many; the closure returns their number.
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
