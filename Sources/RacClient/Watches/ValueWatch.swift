public import RacProtocol

/// All channels whose names match a pattern, with values of one type: first how they are, then how they change.
///
/// A value of another type is an event with a problem, and the watch goes on. Otherwise as ``ChannelWatch``.
public struct ValueWatch<Value: Decodable & Sendable>: AsyncSequence, Sendable {
    /// An event of a watch.
    public enum Event: Sendable {
        /// A channel as it is, or as it has become.
        case changed(ValueChange<Value>)
        /// All present channels have been reported; only changes follow. This comes once.
        case synced
    }

    let watch: ChannelWatch
    let coders: Coders

    /// Takes the events of a watch.
    public struct AsyncIterator: AsyncIteratorProtocol {
        fileprivate var events: ChannelWatch.AsyncIterator
        fileprivate let coders: Coders

        /// Waits for the next event.
        ///
        /// - Returns: The event, or nil if the task has been cancelled.
        /// - Throws: As `ChannelWatch.AsyncIterator.next()`.
        public mutating func next() async throws(ClientError) -> Event? {
            self.event(try await self.events.next())
        }

        /// Waits for the next event, without leaving an actor meanwhile.
        ///
        /// - Parameter actor: Where the caller runs.
        /// - Returns: The event, or nil if the task has been cancelled.
        /// - Throws: As ``next()``.
        public mutating func next(isolation actor: isolated (any Actor)?) async throws(ClientError) -> Event? {
            self.event(try await self.events.next(isolation: actor))
        }

        private func event(_ event: ChannelWatch.Event?) -> Event? {
            switch event {
            case .changed(let change): .changed(ValueChange(change, self.coders))
            case .synced: .synced
            case nil: nil
            }
        }
    }

    /// Takes from the watch.
    ///
    /// - Returns: The iterator that waits for the events.
    public func makeAsyncIterator() -> AsyncIterator {
        AsyncIterator(events: self.watch.makeAsyncIterator(), coders: self.coders)
    }
}

/// The new state of a channel whose values are of one type.
public struct ValueChange<Value: Sendable>: Sendable {
    /// The channel's name.
    public let name: ChannelName
    /// The revision of its newest change.
    public let revision: Revision
    /// Whether it is open, and how it ended if it is not; nil if it has been deleted.
    public let state: ChannelState?
    /// Its value; nil if it has none, or one of another type.
    public let value: Value?
    /// The error of a value of another type.
    public let problem: ClientError?
    /// The principal that made the newest change; nil for a daemon without principals.
    public let by: String?
}

extension ValueChange: Identifiable {
    /// The channel's name.
    public var id: ChannelName { self.name }
}

extension ValueChange: Equatable where Value: Equatable {}

extension ValueWatch.Event: Equatable where Value: Equatable {}

extension ValueChange where Value: Decodable {
    init(_ change: ChannelChange, _ coders: Coders) {
        self.name = change.name
        self.revision = change.revision
        self.state = change.state
        self.by = change.by
        do throws(ClientError) {
            self.value = try change.value?.decoded(as: Value.self, coders)
            self.problem = nil
        } catch {
            self.value = nil
            self.problem = error
        }
    }
}

extension Client {
    /// Watches all channels whose names match a pattern, with values of one type.
    ///
    /// - Parameters:
    ///   - pattern: As protocol.md, "Names" has it: `home/*/light`, `**/temperature`.
    ///   - type: The type of the values, read from JSON.
    /// - Returns: How they are and how they change; a client watches a pattern once at a time.
    /// - Throws: `ClientError` with code `badName`.
    public func watch<Value: Decodable & Sendable>(
        _ pattern: some NameText,
        as type: Value.Type
    ) throws(ClientError) -> ValueWatch<Value> {
        ValueWatch(watch: try self.watch(pattern), coders: self.loop.coders)
    }
}
