import RacProtocol

/// A segment of watched patterns in their index; patterns that begin alike share the nodes of their beginnings.
///
/// Guarded by the host's isolation.
final class PatternNode {
    let segment: ChannelPattern.Segment

    /// The patterns that end with this segment: one for all clients that read alike.
    var patterns: [WatchedPattern] = []

    /// The literal segments that follow, in an order of their own.
    private(set) var literals: [PatternNode] = []
    private(set) var one: PatternNode?
    private(set) var any: PatternNode?

    /// The step of a walk that reached the node last.
    var step: UInt64 = 0

    /// The number of its last walk that found the node's pattern before the name's end.
    var foundIn: UInt64 = 0

    private let bytes: [UInt8]

    init(_ segment: ChannelPattern.Segment) {
        self.segment = segment
        if case .literal(let bytes) = segment { self.bytes = bytes } else { self.bytes = [] }
    }

    /// Whether no pattern needs the node.
    var isUnused: Bool { self.patterns.isEmpty && self.isLast }

    /// Whether no segment follows.
    var isLast: Bool { self.literals.isEmpty && self.one == nil && self.any == nil }

    func child(_ segment: ChannelPattern.Segment) -> PatternNode? {
        switch segment {
        case .literal(let bytes): bytes.withUnsafeBytes { self.literal($0) }
        case .one: self.one
        case .any: self.any
        }
    }

    func literal(_ segment: UnsafeRawBufferPointer) -> PatternNode? {
        let place = self.place(of: segment)
        guard place < self.literals.count, self.literals[place].order(to: segment) == 0 else { return nil }
        return self.literals[place]
    }

    func add(_ child: PatternNode) {
        switch child.segment {
        case .literal(let bytes): self.literals.insert(child, at: bytes.withUnsafeBytes { self.place(of: $0) })
        case .one: self.one = child
        case .any: self.any = child
        }
    }

    func remove(_ child: PatternNode) {
        switch child.segment {
        case .literal(let bytes): self.literals.remove(at: bytes.withUnsafeBytes { self.place(of: $0) })
        case .one: self.one = nil
        case .any: self.any = nil
        }
    }

    /// The place of the first literal that is not before the segment.
    private func place(of segment: UnsafeRawBufferPointer) -> Int {
        var (low, high) = (0, self.literals.count)
        while low < high {
            let middle = (low + high) / 2
            if self.literals[middle].order(to: segment) < 0 { low = middle + 1 } else { high = middle }
        }
        return low
    }

    /// Negative if the node's literal is before the segment, 0 if both are equal: short ones come first.
    private func order(to segment: UnsafeRawBufferPointer) -> Int {
        guard self.bytes.count == segment.count else { return self.bytes.count - segment.count }
        return self.bytes.withUnsafeBytes { bytes in
            for index in 0..<bytes.count where bytes[index] != segment[index] {
                return Int(bytes[index]) - Int(segment[index])
            }
            return 0
        }
    }
}
