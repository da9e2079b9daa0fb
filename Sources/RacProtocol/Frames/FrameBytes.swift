package import NIOCore

/// Whole frames, one behind the other; copies and parts share their memory until one of them is written to.
///
/// Every message of the daemon is written here, so the memory is our own: a short frame in a `ByteBuffer` takes several
/// times the instructions. A long value is not copied: its frame refers to it, so the bytes are in pieces.
/// `forEachPayload(_:)` gives the payloads without the headers, so a transport with another framing can write its own
/// header before the shared bytes.
///
/// `@unchecked Sendable` holds because memory is written to only while it has one owner: an append to shared memory copies
/// it first.
package struct FrameBytes: @unchecked Sendable {
    private typealias Memory = ManagedBuffer<Void, UInt8>

    /// Values from this length on are referred to: fresh memory for a copy takes milliseconds.
    package static let longBytes = 64 << 10

    /// Memory below this length grows fourfold: a second short frame mostly means more to come.
    private static let shortBytes = 4096

    /// The owner of the newest bytes; code reaches them by the pointer into it, so that no access counts a reference.
    private var memory: Memory?
    private var first: UnsafeMutableRawPointer?
    /// The length of the memory from the first byte on.
    private var capacity = 0
    /// The number of bytes in the memory.
    private var ownCount = 0

    /// The pieces before the memory; nil if there are none, as mostly.
    private var earlier: EarlierPieces?

    package init() {}

    /// Copies whole frames that were written elsewhere.
    package init(copying bytes: ByteBuffer) {
        bytes.withUnsafeReadableBytes { self.append($0) }
    }

    package var count: Int { self.ownCount + (self.earlier?.count ?? 0) }

    package var isEmpty: Bool { self.ownCount == 0 && self.earlier == nil }

    /// A copy of the bytes.
    package var buffer: ByteBuffer { self.copy(first: self.count) }
}

// MARK: Reading

extension FrameBytes {
    /// Calls the closure with the bytes in one piece: a copy of them if they are in several.
    package func withUnsafeBytes<Result>(_ body: (UnsafeRawBufferPointer) throws -> Result) rethrows -> Result {
        guard self.earlier == nil else { return try self.buffer.withUnsafeReadableBytes(body) }
        return try self.withOwnBytes(body)
    }

    private func withOwnBytes<Result>(_ body: (UnsafeRawBufferPointer) throws -> Result) rethrows -> Result {
        defer { extendLifetime(self) }
        return try body(UnsafeRawBufferPointer(start: self.first, count: self.ownCount))
    }

    /// Calls the closure with each piece, in order, until it returns false.
    package func forEachPiece(_ body: (UnsafeRawBufferPointer) -> Bool) {
        if let earlier {
            for piece in earlier.pieces where !piece.withBytes(body) { return }
        }
        if self.ownCount > 0 { _ = self.withOwnBytes(body) }
    }

    /// A copy of the first bytes.
    package func copy(first count: Int) -> ByteBuffer {
        var copy = ByteBuffer()
        copy.reserveCapacity(count)
        self.copy(first: count, into: &copy)
        return copy
    }

    /// Copies the first bytes behind those of a buffer.
    package func copy(first count: Int, into buffer: inout ByteBuffer) {
        var left = count
        self.forEachPiece { piece in
            left -= buffer.writeBytes(UnsafeRawBufferPointer(rebasing: piece.prefix(left)))
            return left > 0
        }
    }

    /// The address of the first byte of whole frames, which is theirs while anybody has them.
    package var address: UnsafeRawPointer? {
        guard let earlier else { return UnsafeRawPointer(self.first) }
        return earlier.pieces.first?.withBytes { $0.baseAddress }
    }

    /// The bytes from an offset on.
    package func suffix(from offset: Int) -> FrameBytes {
        var suffix = self
        guard let earlier = self.earlier else {
            suffix.dropOwn(offset)
            return suffix
        }
        suffix.earlier = earlier.suffix(from: offset)
        suffix.dropOwn(max(0, offset - earlier.count))
        return suffix
    }

    private mutating func dropOwn(_ count: Int) {
        self.first = self.first.map { $0 + count }
        self.capacity -= count
        self.ownCount -= count
    }
}

// MARK: Writing

extension FrameBytes {
    /// Appends frames; those that refer to long values are copied whole.
    package mutating func append(_ other: FrameBytes) {
        other.withUnsafeBytes { self.append($0) }
    }

    /// Appends the header of a frame, whose payload of this length follows.
    mutating func append(headerFor length: Int) {
        Swift.withUnsafeBytes(of: UInt32(truncatingIfNeeded: length).bigEndian) { self.append($0) }
    }

    /// Appends bytes of an unfinished frame.
    mutating func append(_ bytes: UnsafeRawBufferPointer) {
        self.append(atMost: bytes.count) { room in
            if let source = bytes.baseAddress { room.copyMemory(from: source, byteCount: bytes.count) }
            return bytes.count
        }
    }

    /// Appends a long value of an unfinished frame without a copy, unless the value is a small part of its buffer.
    ///
    /// A frame that waits for its reader must not keep more bytes than it counts for.
    mutating func append(long value: JSONText) {
        var pieces = self.earlier?.pieces ?? []
        if self.ownCount > 0 {
            var own = self
            own.earlier = nil
            pieces.append(.own(own))
        }
        pieces.append(.value(value.detached, from: 0))
        self = FrameBytes()
        self.earlier = EarlierPieces(pieces)
    }

    /// Appends the bytes that the closure writes, at most this many; the closure returns their number.
    @inline(__always)
    mutating func append(atMost bytes: Int, _ write: (UnsafeMutableRawPointer) -> Int) {
        let isOwn = isKnownUniquelyReferenced(&self.memory)
        if !isOwn || self.ownCount + bytes > self.capacity { self.move(toRoomFor: bytes) }
        if let first { self.ownCount += write(first + self.ownCount) }
        extendLifetime(self)
    }

    /// Makes room for this many bytes behind those that are there.
    mutating func reserve(_ bytes: Int) {
        let isOwn = isKnownUniquelyReferenced(&self.memory)
        if !isOwn || self.ownCount + bytes > self.capacity { self.move(toRoomFor: bytes) }
    }

    @inline(never)
    private mutating func move(toRoomFor bytes: Int) {
        let growth = self.ownCount < Self.shortBytes ? 4 : 2
        let capacity = max(self.ownCount + bytes, growth * self.ownCount)
        let memory = Memory.create(minimumCapacity: capacity) { _ in () }
        let first = memory.withUnsafeMutablePointerToElements { UnsafeMutableRawPointer($0) }
        if let old = self.first { first.copyMemory(from: old, byteCount: self.ownCount) }
        (self.memory, self.first, self.capacity) = (memory, first, capacity)
    }

    package mutating func removeAll() {
        self = FrameBytes()
    }
}

extension FrameBytes: Equatable {
    package static func == (one: FrameBytes, other: FrameBytes) -> Bool {
        one.withUnsafeBytes { bytes in other.withUnsafeBytes { bytes.elementsEqual($0) } }
    }
}

// MARK: Pieces

extension FrameBytes {
    /// The pieces before the newest bytes: bytes, and long values between them.
    ///
    /// Isolation: immutable, so any thread may read it.
    fileprivate final class EarlierPieces: Sendable {
        enum Piece: Sendable {
            case own(FrameBytes)
            case value(JSONText, from: Int)
        }

        let pieces: [Piece]
        let count: Int

        init(_ pieces: [Piece]) {
            self.pieces = pieces
            self.count = pieces.reduce(0) { $0 + $1.count }
        }

        /// The pieces from an offset on; nil if none is left.
        func suffix(from offset: Int) -> EarlierPieces? {
            guard offset < self.count else { return nil }
            var (offset, index) = (offset, 0)
            while offset >= self.pieces[index].count {
                offset -= self.pieces[index].count
                index += 1
            }
            return EarlierPieces([self.pieces[index].suffix(from: offset)] + self.pieces[(index + 1)...])
        }
    }
}

fileprivate extension FrameBytes.EarlierPieces.Piece {
    var count: Int {
        switch self {
        case .own(let bytes): bytes.ownCount
        case .value(let value, let start): value.byteCount - start
        }
    }

    func suffix(from offset: Int) -> Self {
        switch self {
        case .own(let bytes): .own(bytes.suffix(from: offset))
        case .value(let value, let start): .value(value, from: start + offset)
        }
    }

    func withBytes<Result>(_ body: (UnsafeRawBufferPointer) throws -> Result) rethrows -> Result {
        switch self {
        case .own(let bytes): try bytes.withOwnBytes(body)
        case .value(let value, let start):
            try value.withBytes { try body(UnsafeRawBufferPointer(rebasing: $0[start...])) }
        }
    }
}

// MARK: Other headers

extension FrameBytes {
    /// The payloads of these whole frames behind headers of another kind; long values stay shared.
    ///
    /// - Parameters:
    ///   - headerBytes: The most bytes of such a header.
    ///   - header: Writes the header for a payload of a length, and returns the number of its bytes.
    /// - Returns: The payloads behind their headers.
    package func reheaded(atMost headerBytes: Int, _ header: (UnsafeMutableRawPointer, Int) -> Int) -> FrameBytes {
        var result = FrameBytes()
        var left = 0
        for piece in self.earlier?.pieces ?? [] {
            switch piece {
            case .own(let bytes): bytes.rehead(into: &result, &left, headerBytes, header)
            case .value(let value, _):
                result.append(long: value)
                left -= value.byteCount
            }
        }
        self.rehead(into: &result, &left, headerBytes, header)
        return result
    }

    /// Appends the bytes of one piece to others; `left` is the length of the payload that goes on in it.
    private func rehead(
        into result: inout FrameBytes,
        _ left: inout Int,
        _ headerBytes: Int,
        _ header: (UnsafeMutableRawPointer, Int) -> Int
    ) {
        self.withOwnBytes { bytes in
            var start = 0
            while start < bytes.count {
                var length: Int?
                if left == 0 {
                    let word = UInt32(bigEndian: bytes.loadUnaligned(fromByteOffset: start, as: UInt32.self))
                    left = Int(word & FrameHeader.lengthMask)
                    length = left
                    start += FrameHeader.byteCount
                }
                let part = UnsafeRawBufferPointer(rebasing: bytes[start..<min(start + left, bytes.count)])
                result.append(atMost: headerBytes + part.count) { room in
                    let written = length.map { header(room, $0) } ?? 0
                    if let source = part.baseAddress {
                        (room + written).copyMemory(from: source, byteCount: part.count)
                    }
                    return written + part.count
                }
                start += part.count
                left -= part.count
            }
        }
    }
}
