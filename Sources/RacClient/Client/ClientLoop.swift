import Logging
import NIOCore
import Rac
import RacProtocol
import Synchronization

/// The way to the event loop, shared by a client and all objects that come from it.
final class ClientLoop: Sendable {
    let eventLoop: any EventLoop
    let engine: NIOLoopBoundBox<ClientEngine>
    /// Whether there is a connection.
    let connection: Property<ConnectionState>
    let address: DaemonAddress
    let maximumWaitingSends: Int
    let logger: Logger?
    let coders: Coders
    /// The time for the daemon's answer to a call.
    let replyTimeout: Duration
    let shared = SharedObjects()
    private let lastTicket = Atomic<UInt64>(0)

    init(_ engine: sending ClientEngine) {
        let eventLoop = engine.eventLoop
        self.eventLoop = eventLoop
        self.connection = engine.state
        self.address = engine.address
        self.maximumWaitingSends = max(1, engine.configuration.maximumWaitingSends)
        self.coders = Coders(encoder: engine.configuration.encoder, decoder: engine.configuration.decoder)
        self.replyTimeout = engine.configuration.replyTimeout
        self.logger = engine.configuration.logger
        self.engine = NIOLoopBoundBox.makeBoxSendingValue(engine, eventLoop: eventLoop)
    }

    /// A name for something that is waited for.
    func nextTicket() -> UInt64 {
        self.lastTicket.add(1, ordering: .relaxed).newValue
    }

    /// A signal until the client is closed, or refused for good.
    func untilOver<Value>(_ signal: Signal<Value, Never>) -> Signal<Value, Never> {
        Signal { [connection] sink -> Subscription in
            signal.observe(into: sink)
            return connection.signal.onValue { if $0.isOver { sink.complete() } }
        }
    }

    /// Asks the daemon, through reconnections, and waits for its answer.
    func answer(to request: Request) async throws(ClientError) -> Dispatcher.Answer {
        let ticket = self.nextTicket()
        let isCancelled = Flag()
        let result = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                self.eventLoop.execute { [engine] in
                    engine.value.ask(request, as: ticket) { continuation.resume(returning: $0) }
                    if isCancelled.isSet { engine.value.requests.giveUp(ticket, .cancelledWait) }
                }
            }
        } onCancel: {
            isCancelled.set()
            self.eventLoop.execute { [engine] in engine.value.requests.giveUp(ticket, .cancelledWait) }
        }
        return try result.get()
    }
}

/// Something that happens once and is seen on every thread.
final class Flag: Sendable {
    private let value = Atomic(false)

    var isSet: Bool { self.value.load(ordering: .acquiring) }

    func set() {
        self.value.store(true, ordering: .releasing)
    }
}
