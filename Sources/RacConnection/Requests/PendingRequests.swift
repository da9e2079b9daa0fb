package import NIOCore
package import RacProtocol

/// The requests of one connection that have no answer yet.
///
/// Semantics: protocol.md, "Requests".
package struct PendingRequests: Sendable {
    private struct Entry {
        let request: Request
        /// When the caller gives up; nil if nobody waits.
        var due: NIODeadline?
    }

    package enum OnAnswer: Equatable {
        case handOver
        /// Nobody waits any more, and this takes back what the daemon has set up.
        case takeBack(Request)
        /// Nobody waits any more, and nobody wants the execution that has begun.
        case cancel(ExecutionID)
        case nothing
    }

    private let maximumCount: Int
    private var entries: [RequestID: Entry] = [:]
    private var lastID: Int64 = 0

    package init(maximumCount: Int) {
        self.maximumCount = maximumCount
    }

    /// A name for the next request.
    package mutating func nextID() -> RequestID {
        self.lastID += 1
        return RequestID(self.lastID)
    }

    /// A request is to go out; says whether there is room for it.
    ///
    /// `due` is when the caller gives up; nil if nobody waits for the answer. A request without a deadline always has room:
    /// the number of the program's bindings, watches and commands limits these.
    package mutating func asked(_ request: Request, as id: RequestID, due: NIODeadline?) -> Bool {
        let hasDeadline = due.map { $0 < .distantFuture } ?? false
        guard !hasDeadline || self.entries.count < self.maximumCount else { return false }
        self.entries[id] = Entry(request: request, due: due)
        return true
    }

    /// The request of that name: it says how to read its reply.
    package func request(_ id: RequestID) -> Request? {
        self.entries[id]?.request
    }

    /// The daemon carried a request out.
    package mutating func answered(_ id: RequestID, _ reply: Reply) -> OnAnswer {
        guard let entry = self.entries.removeValue(forKey: id) else { return .nothing }
        guard entry.due == nil else { return .handOver }
        switch reply {
        case .bound(let bound): return .takeBack(.unbind(bound.terminal))
        case .watching(let watch): return .takeBack(.unwatch(watch))
        case .hosting(let command): return .takeBack(.unhost(command))
        case .observing(let command, _): return .takeBack(.unobserve(command))
        case .executing(let execution): return .cancel(execution)
        case .done, .got, .revision, .revisions, .listed, .commands, .who, .connections: return .nothing
        }
    }

    /// The daemon refused a request; says whether somebody waits to hear it.
    package mutating func refused(_ id: RequestID) -> Bool {
        self.entries.removeValue(forKey: id)?.due != nil
    }

    /// Nobody waits for that answer any more; if the request was for something that stays, it must be taken back.
    package mutating func abandoned(_ id: RequestID) {
        switch self.entries[id]?.request {
        case .bind, .watch, .host, .observe, .exec: self.entries[id]?.due = nil
        case .ping, .unbind, .get, .set, .finish, .reopen, .delete, .create, .put, .list, .commands, .who, .unwatch,
            .unhost,
            .unobserve, .forget,
            nil:
            self.entries[id] = nil
        }
    }

    /// The requests whose time is over, the earliest first; they count as abandoned.
    package mutating func expired(at now: NIODeadline) -> [RequestID] {
        let expired = self.entries.filter { $0.value.due.map { $0 <= now } ?? false }.keys
        let ordered = expired.sorted { $0.number < $1.number }
        for id in ordered { self.abandoned(id) }
        return ordered
    }

    /// When the next request's time is over.
    package var nextDue: NIODeadline? {
        self.entries.values.lazy.compactMap(\.due).min()
    }
}
