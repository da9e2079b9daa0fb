import NIOEmbedded
import Rac
import RacProtocol
import Testing

@testable import RacClient

@Suite struct CommandHostSideTests {
    @Test("Events that a lost connection has not taken are dropped with it")
    func lostEvents() throws {
        let state = HostState(eventLoop: EmbeddedEventLoop())
        let command = Command<Void, Void, Never>(on: .immediate) { .never }
        let local = LocalCommand(command, InputCoding(), .nothing)
        let side = CommandHostSide(try CommandName("room/blink"), local, state)
        _ = state.line.withLock { $0.append(.next(.integer(1)), of: 1) }
        #expect(!side.isSettled)
        side.disconnected()
        #expect(side.isSettled)
    }
}
