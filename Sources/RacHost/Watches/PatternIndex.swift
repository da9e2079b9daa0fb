import RacProtocol

/// Finds the watched patterns that match a name, by their segments.
///
/// A walk takes a name's segments one by one and keeps the nodes that the segments so far can reach. It visits each node
/// once a segment at most, whatever number of `**` the patterns have.
///
/// Guarded by the host's isolation.
///
/// Semantics: protocol.md, "Names".
final class PatternIndex {
    private let root = PatternNode(.literal([]))

    /// The number of nodes: the segments of all patterns, equal beginnings once.
    private(set) var segmentCount = 0

    /// The patterns that the last walk found, in no order.
    private(set) var found: [WatchedPattern] = []

    /// The nodes that the segments of a walk reach so far, and with the next one.
    private var reached: [PatternNode] = []
    private var next: [PatternNode] = []

    private var steps: UInt64 = 0
    private var walk: UInt64 = 0
    private var visits = 0

    /// The number of segments that the pattern adds to `segmentCount`.
    func growth(by pattern: ChannelPattern) -> Int {
        var node = self.root
        for (index, segment) in pattern.segments.enumerated() {
            guard let child = node.child(segment) else { return pattern.segments.count - index }
            node = child
        }
        return 0
    }

    func insert(_ watched: WatchedPattern) {
        var node = self.root
        for segment in watched.pattern.segments {
            if let child = node.child(segment) {
                node = child
            } else {
                let child = PatternNode(segment)
                node.add(child)
                self.segmentCount += 1
                node = child
            }
        }
        node.patterns.append(watched)
    }

    func remove(_ watched: WatchedPattern) {
        var path = [self.root]
        for segment in watched.pattern.segments {
            guard let child = path[path.count - 1].child(segment) else { return }
            path.append(child)
        }
        path[path.count - 1].patterns.removeAll { $0 === watched }
        while path.count > 1, let last = path.popLast(), last.isUnused {
            path[path.count - 1].remove(last)
            self.segmentCount -= 1
        }
    }

    /// Puts the patterns that match a name into `found`; returns the number of visited nodes.
    func find(_ name: ChannelName) -> Int {
        self.found.removeAll(keepingCapacity: true)
        self.walk += 1
        self.visits = 0
        self.begin(isReserved: name.isReserved)
        var text = name.text
        text.withUTF8 { self.walk(UnsafeRawBufferPointer($0), isReserved: name.isReserved) }
        return self.visits
    }

    private func begin(isReserved: Bool) {
        self.steps += 1
        self.reached.removeAll(keepingCapacity: true)
        self.next.removeAll(keepingCapacity: true)
        // A `*` or `**` at the beginning does not match the daemon's own channels.
        if isReserved { self.next.append(self.root) } else { self.enter(self.root) }
        swap(&self.reached, &self.next)
    }

    private func walk(_ name: UnsafeRawBufferPointer, isReserved: Bool) {
        var start = 0
        while start <= name.count, !self.reached.isEmpty {
            let end = name[start...].firstIndex(of: UInt8(ascii: "/")) ?? name.count
            let segment = UnsafeRawBufferPointer(rebasing: name[start..<end])
            self.step(segment, literalOnly: start == 0 && isReserved)
            start = end + 1
        }
        for node in self.reached where !node.patterns.isEmpty { self.found.append(contentsOf: node.patterns) }
    }

    /// Takes one segment of the name.
    private func step(_ segment: UnsafeRawBufferPointer, literalOnly: Bool) {
        self.steps += 1
        self.next.removeAll(keepingCapacity: true)
        for node in self.reached {
            self.visits += 1
            if !node.literals.isEmpty, let child = node.literal(segment) { self.enter(child) }
            guard !literalOnly else { continue }
            if let one = node.one { self.enter(one) }
            if case .any = node.segment { self.enter(node) }
        }
        swap(&self.reached, &self.next)
    }

    /// Reaches a node with this step, and the `**` behind it, which stands for no segment, too.
    private func enter(_ node: PatternNode) {
        guard node.step != self.steps else { return }
        node.step = self.steps
        if case .any = node.segment, node.isLast { return self.findEarly(node) }
        self.next.append(node)
        if let any = node.any { self.enter(any) }
    }

    /// A `**` at a pattern's end matches whatever follows.
    private func findEarly(_ node: PatternNode) {
        guard node.foundIn != self.walk else { return }
        node.foundIn = self.walk
        self.found.append(contentsOf: node.patterns)
    }
}
