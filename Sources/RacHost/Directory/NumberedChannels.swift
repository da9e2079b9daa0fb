import RacProtocol

/// Channels by number; the numbers are dense while few channels are removed.
///
/// Pages hold them, so that a channel costs little more than its reference; an empty page is dropped.
struct NumberedChannels {
    private static let pageSize: UInt64 = 32

    private var pages: [UInt64: [HostedChannel?]] = [:]

    /// The number of pages.
    var pageCount: Int { self.pages.count }

    subscript(_ number: ChannelNumber) -> HostedChannel? {
        self.pages[Self.page(of: number)]?[Self.place(of: number)]
    }

    mutating func insert(_ channel: HostedChannel) {
        let empty: [HostedChannel?] = Array(repeating: nil, count: Int(Self.pageSize))
        self.pages[Self.page(of: channel.number), default: empty][Self.place(of: channel.number)] = channel
    }

    mutating func remove(_ number: ChannelNumber) {
        let page = Self.page(of: number)
        self.pages[page]?[Self.place(of: number)] = nil
        if self.pages[page]?.allSatisfy({ $0 == nil }) ?? false { self.pages[page] = nil }
    }

    private static func page(of number: ChannelNumber) -> UInt64 { number.number / self.pageSize }

    private static func place(of number: ChannelNumber) -> Int { Int(number.number % self.pageSize) }
}
