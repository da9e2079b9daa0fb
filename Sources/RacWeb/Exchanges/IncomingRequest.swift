import NIOCore
import NIOHTTP1

/// A request of which the head has come, until it is answered.
///
/// Isolation: the connection's event loop.
package final class IncomingRequest {
    package let head: HTTPHead
    package var request: WebRequest
    /// The reason why it is refused; nil while there is none.
    package var problem: WebProblem?
    /// Whether the host knows who sent it.
    package var isIdentified = false
    /// Whether the connection ends behind its answer.
    package var isLast: Bool

    package init(_ head: HTTPHead) {
        self.head = head
        self.request = WebRequest(head.message)
        self.isLast = head.isLast
    }

    /// Stands for a request whose head could not be read.
    package static var unreadable: IncomingRequest {
        IncomingRequest(HTTPHead(HTTPRequestHead(version: .http1_1, method: .GET, uri: "/"), isLast: true))
    }

    /// The bytes of its body that have come.
    package var bodyBytes: Int { self.request.body.readableBytes }

    /// The bytes of its body, and about those of its head.
    package var bytes: Int {
        self.head.message.headers.reduce(self.bodyBytes + self.head.message.uri.utf8.count) {
            $0 + $1.name.utf8.count + $1.value.utf8.count
        }
    }

    /// Forgets its body: the host has it, or the request is only refused now.
    package func dropBody() {
        self.request.body = ByteBuffer()
    }
}

@available(*, unavailable)
extension IncomingRequest: Sendable {}
