import RacConnection
import RacProtocol

/// The channels at one time, as `racctl top` counts them.
struct TopSample {
    let time: ContinuousClock.Instant
    let channels: [Listed.Entry]
    /// Whether there are more channels than the sample has.
    let isCut: Bool

    /// The largest number of channels in one sample; the largest directories take seconds to list.
    static let maximumChannels = 20_000

    init(time: ContinuousClock.Instant, channels: [Listed.Entry], isCut: Bool = false) {
        self.time = time
        self.channels = channels
        self.isCut = isCut
    }

    init(of pattern: ChannelPattern, over connection: DaemonConnection) async throws {
        var channels: [Listed.Entry] = []
        var list = List()
        list.pattern = pattern
        var hasMore = true
        while hasMore, channels.count < Self.maximumChannels {
            let page = try await connection.list(list)
            channels += page.channels
            list.after = page.channels.last?.channel
            hasMore = page.more && !page.channels.isEmpty
        }
        self.init(time: .now, channels: channels, isCut: hasMore)
    }

    /// The channels in the order of their interest: those that change most first, then those with most binders.
    func rows(after earlier: TopSample?) -> [TopRow] {
        let changes = Dictionary(earlier?.channels.map { ($0.channel, $0.changes) } ?? []) { first, _ in first }
        let seconds = earlier.map { (self.time - $0.time) / .seconds(1) }
        let rows = self.channels.map { entry in
            // A channel that is new in the sample has changed since, and one that was made anew counts from the
            // beginning.
            let before = changes[entry.channel].flatMap { $0 <= entry.changes ? $0 : nil } ?? 0
            return TopRow(entry: entry, rate: seconds.map { Double(entry.changes - before) / max($0, 0.001) })
        }
        return rows.sorted(by: TopRow.isMoreInteresting)
    }
}

/// A channel and its rate of change.
struct TopRow {
    let entry: Listed.Entry
    /// Changes a second; nil if it is not known yet.
    let rate: Double?
    var standing: ChannelSnapshot?

    init(entry: Listed.Entry, rate: Double?) {
        self.entry = entry
        self.rate = rate
    }

    fileprivate static func isMoreInteresting(_ left: TopRow, _ right: TopRow) -> Bool {
        let (leftRate, rightRate) = (left.rate ?? 0, right.rate ?? 0)
        guard leftRate == rightRate else { return leftRate > rightRate }
        guard left.entry.bound == right.entry.bound else { return left.entry.bound > right.entry.bound }
        return left.entry.channel < right.entry.channel
    }
}
