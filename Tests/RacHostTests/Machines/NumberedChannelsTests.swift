import Expectations
import RacProtocol
import Testing

@testable import RacHost

@Suite struct NumberedChannelsTests {
    var channels = NumberedChannels()

    func channel(_ number: UInt64) throws -> HostedChannel {
        let record = ChannelRecord(name: try ChannelName("c/\(number)"), mode: .shared, changedAt: 0)
        return HostedChannel(StoredChannel(number: ChannelNumber(number), record: record), isStored: false)
    }

    @Test("A channel is found by its number until it is removed, and no other by that")
    mutating func found() throws {
        for number in [0, 1, 31, 32, 1_000_000] as [UInt64] {
            let channel = try self.channel(number)
            channels.insert(channel)
            #expect(channels[ChannelNumber(number)] === channel)
            #expect(channels[ChannelNumber(number + 100)] == nil)
        }
        channels.remove(ChannelNumber(31))
        channels.remove(ChannelNumber(2))
        #expect(channels[ChannelNumber(31)] == nil)
        #expect(channels[ChannelNumber(1)] != nil)
    }

    @Test("Channels that come and go leave nothing behind")
    mutating func bounded() throws {
        for number in 0..<10_000 as Range<UInt64> {
            channels.insert(try self.channel(number))
            channels.remove(ChannelNumber(number))
        }
        expect(channels.pageCount == 0)
    }
}
