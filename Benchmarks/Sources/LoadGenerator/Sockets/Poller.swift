import CBenchmark
import Glibc

/// Reports which sockets have something to read: epoll, level-triggered.
final class Poller {
    private let descriptor: Int32
    private var events: [epoll_event]

    init(maximumEvents: Int = 1024) throws(SystemError) {
        self.events = Array(repeating: epoll_event(), count: maximumEvents)
        self.descriptor = epoll_create1(Int32(EPOLL_CLOEXEC))
        guard self.descriptor >= 0 else { throw .last("epoll_create1") }
    }

    deinit {
        close(self.descriptor)
    }

    /// Reports `socket` from now on as `index`; closing the socket ends that.
    func watch(_ socket: Int32, as index: Int) throws(SystemError) {
        var event = epoll_event()
        event.events = EPOLLIN.rawValue
        event.data.u64 = UInt64(index)
        guard epoll_ctl(self.descriptor, EPOLL_CTL_ADD, socket, &event) == 0 else { throw .last("epoll_ctl") }
    }

    /// Reports `socket` no more.
    func unwatch(_ socket: Int32) throws(SystemError) {
        var event = epoll_event()
        guard epoll_ctl(self.descriptor, EPOLL_CTL_DEL, socket, &event) == 0 else { throw .last("epoll_ctl") }
    }

    /// Calls `body` with the index of each socket that has something to read, after at most `milliseconds`.
    ///
    /// - Returns: Whether there was any.
    func wait(milliseconds: Int32, _ body: (Int) throws -> Void) throws -> Bool {
        let count = epoll_wait(self.descriptor, &self.events, Int32(self.events.count), milliseconds)
        guard count >= 0 || errno == EINTR else { throw SystemError.last("epoll_wait") }
        guard count > 0 else { return false }
        for place in 0..<Int(count) {
            try body(Int(self.events[place].data.u64))
        }
        return true
    }
}
