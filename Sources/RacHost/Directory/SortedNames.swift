import RacProtocol

/// Names in order, with logarithmic search and short moves for a name that is added or removed.
///
/// The names lie in chunks of bounded size: adding one among a million moves a few hundred.
struct SortedNames {
    private static let chunkSize = 512

    private var chunks: [[ChannelName]] = []
    private(set) var count = 0

    /// Takes names in any order.
    init(_ names: some Sequence<ChannelName>) {
        var chunk: [ChannelName] = []
        for name in names.sorted() {
            chunk.append(name)
            self.count += 1
            if chunk.count == Self.chunkSize / 2 {
                self.chunks.append(chunk)
                chunk = []
            }
        }
        if !chunk.isEmpty { self.chunks.append(chunk) }
    }

    mutating func insert(_ name: ChannelName) {
        guard !self.chunks.isEmpty else {
            self.chunks = [[name]]
            self.count = 1
            return
        }
        let chunk = min(self.chunk(after: name, orAt: true), self.chunks.count - 1)
        let index = Self.index(of: name, in: self.chunks[chunk])
        guard index == self.chunks[chunk].count || self.chunks[chunk][index] != name else { return }
        self.chunks[chunk].insert(name, at: index)
        self.count += 1
        if self.chunks[chunk].count > Self.chunkSize { self.split(chunk) }
    }

    mutating func remove(_ name: ChannelName) {
        let chunk = self.chunk(after: name, orAt: true)
        guard chunk < self.chunks.count else { return }
        let index = Self.index(of: name, in: self.chunks[chunk])
        guard index < self.chunks[chunk].count, self.chunks[chunk][index] == name else { return }
        self.chunks[chunk].remove(at: index)
        self.count -= 1
        if self.chunks[chunk].isEmpty { self.chunks.remove(at: chunk) }
    }

    /// Calls the closure with each name behind `last` that the pattern may match, until it returns false.
    func forEach(in pattern: ChannelPattern, after last: ChannelName?, _ visit: (ChannelName) -> Bool) {
        let prefix = pattern.literalPrefix
        var (chunk, index) = self.start(prefix, after: last)
        while chunk < self.chunks.count {
            while index < self.chunks[chunk].count {
                let name = self.chunks[chunk][index]
                guard prefix.map(name.hasPrefix) ?? true, visit(name) else { return }
                index += 1
            }
            chunk += 1
            index = 0
        }
    }

    /// The place of the first name that is neither before the prefix nor at or before `last`.
    private func start(_ prefix: ChannelName?, after last: ChannelName?) -> (chunk: Int, index: Int) {
        guard let name = [prefix, last].compactMap(\.self).max() else { return (0, 0) }
        let isLast = name == last
        let chunk = self.chunk(after: name, orAt: !isLast)
        guard chunk < self.chunks.count else { return (chunk, 0) }
        let index = Self.index(of: name, in: self.chunks[chunk])
        return (chunk, isLast && self.chunks[chunk][index] == name ? index + 1 : index)
    }

    private mutating func split(_ chunk: Int) {
        let half = self.chunks[chunk].count / 2
        self.chunks.insert(Array(self.chunks[chunk][half...]), at: chunk + 1)
        self.chunks[chunk].removeSubrange(half...)
    }

    /// The first chunk whose last name is behind the name, or equal to it if that counts.
    private func chunk(after name: ChannelName, orAt equalCounts: Bool) -> Int {
        var low = 0
        var high = self.chunks.count
        while low < high {
            let middle = (low + high) / 2
            let last = self.chunks[middle][self.chunks[middle].count - 1]
            if last < name || (!equalCounts && last == name) { low = middle + 1 } else { high = middle }
        }
        return low
    }

    /// The name's place in a chunk, or the place where it would be inserted.
    private static func index(of name: ChannelName, in chunk: [ChannelName]) -> Int {
        var low = 0
        var high = chunk.count
        while low < high {
            let middle = (low + high) / 2
            if chunk[middle] < name { low = middle + 1 } else { high = middle }
        }
        return low
    }
}
