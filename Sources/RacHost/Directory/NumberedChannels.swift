import RacProtocol

/// Channels by their numbers, which lie close together if few channels are removed.
///
/// They lie in pages, so that one costs little more than its reference; a page without channels is not kept.
struct NumberedChannels {
    private static let pageSize: UInt64 = 32

    private var pages: [UInt64: [HostedChannel?]] = [:]

    /// How many pages there are.
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
