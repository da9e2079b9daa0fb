import Expectations
import NIOCore
import NIOEmbedded
import RacProtocol
import Testing

@testable import RacClient
@testable import RacConnection

@Suite struct RequestQueueTests {
    @Test("One request too many is refused, and one that is not answered in time says so")
    func bounds() {
        let eventLoop = EmbeddedEventLoop()
        let queue = RequestQueue(eventLoop: eventLoop, address: .local, timeout: .seconds(1), maximumCount: 1)
        var codes: [ClientError.Code] = []
        for ticket in 1...2 as ClosedRange<UInt64> {
            queue.ask(.ping, as: ticket) { result in
                if case .failure(let error) = result { codes.append(error.code) }
            }
        }
        expect(codes == [.limit])
        eventLoop.advanceTime(by: .seconds(1))
        expect(codes == [.limit, .timedOut])
        #expect(queue.isSettled)
    }

    @Test("A request that was sent, and is not answered in time, says so; one that is given up says why")
    func boundsOfSent() {
        let eventLoop = EmbeddedEventLoop()
        let queue = RequestQueue(eventLoop: eventLoop, address: .local, timeout: .seconds(1))
        let dispatcher = Dispatcher(
            outbox: Outbox(limits: ConnectionLimits()),
            eventLoop: eventLoop,
            configuration: ConnectionConfiguration()
        )
        queue.connected(dispatcher, isNewEpoch: true)
        var codes: [ClientError.Code] = []
        for ticket in 1...2 as ClosedRange<UInt64> {
            queue.ask(.ping, as: ticket) { result in
                if case .failure(let error) = result { codes.append(error.code) }
            }
        }
        queue.giveUp(2, .cancelledWait)
        expect(codes == [.cancelled])
        eventLoop.advanceTime(by: .seconds(1))
        expect(codes == [.cancelled, .timedOut])
        #expect(queue.isSettled)
    }

    @Test("A conflict of a request that was asked again leaves its outcome unknown, another refusal does not")
    func repeatedConflict() {
        expect(ClientError(.conflict, "for a test").ofRepeatedRequest.code == .outcomeUnknown)
        expect(ClientError(.terminated, "for a test").ofRepeatedRequest.code == .terminated)
    }

    @Test("Requests that change nothing, and writes with a condition, are asked again after a lost connection")
    func repeatable() throws {
        var set = SetValue(channel: try ChannelName("a"), value: .null)
        #expect(!Request.set(set).isRepeatable)
        set.condition = Revision(1)
        #expect(Request.set(set).isRepeatable)
        #expect(Request.ping.isRepeatable && Request.list(List()).isRepeatable)
        #expect(!Request.finish(Finish(channel: set.channel, end: .completed)).isRepeatable)
    }
}
