import NIOCore
package import NIOHTTP1
import RacProtocol

/// The head of a request, and everything that follows from it alone.
///
/// A client mostly asks for the same again: it polls a value, or stores the next one. So requests of a connection whose
/// heads have the same bytes share one of these. Only the first of them is parsed, judged and routed.
///
/// Isolation: the connection's event loop.
package final class HTTPHead {
    package let message: HTTPRequestHead
    package var page = WebRules.Page.own
    /// The place that it names, if that was needed before the body.
    package var place: WebRouter.Place?
    /// The length of the body; nil if it comes in chunks.
    package var length: Int? = 0
    /// The longest body that the request may have.
    package var maximumBody = 0
    /// Whether the body is for the host, which has to know who sends it; other bodies sign somebody in.
    package var isForHost = false
    /// Whether the connection ends behind the answer.
    package let isLast: Bool

    private var proof: HTTPProof?
    private var route: RepeatedRoute?

    package init(_ message: HTTPRequestHead, isLast: Bool? = nil) {
        self.message = message
        self.isLast = isLast ?? WebRequest(message).isLast
    }

    /// Whether another request may share the head, when this one has been in order.
    package var isRepeatable: Bool {
        !self.isLast && self.length != nil && !self.message.headers.contains(name: "expect")
    }

    /// The proofs of identity that the request brings.
    package func proofs(_ cookie: SessionCookie, isTLS: Bool) throws(WebProblem) -> HTTPProof {
        if let proof { return proof }
        let proof = try HTTPProof(WebRequest(self.message), cookie, isTLS: isTLS)
        self.proof = proof
        return proof
    }

    /// The way of a whole request with the head.
    package func route(of request: WebRequest) throws(WebProblem) -> WebRoute {
        let route = try self.routing(of: request).route()
        self.leads(route)
        return route
    }

    /// The work of finding the way of a whole request with the head.
    package func routing(of request: WebRequest) -> Routing {
        Routing(request: request, known: self.route, place: self.place)
    }

    /// A request with the head goes this way: the next one does so, too, but for its body.
    package func leads(_ route: WebRoute) {
        if self.route == nil { self.route = RepeatedRoute(route) }
    }

    /// The work of finding the way of a request, whose body is scanned: any thread may do it.
    package struct Routing: Sendable {
        fileprivate let request: WebRequest
        fileprivate let known: RepeatedRoute?
        fileprivate let place: WebRouter.Place?

        package func route() throws(WebProblem) -> WebRoute {
            if let known { return try known.route(of: self.request) }
            return try WebRouter.route(self.request, at: self.place)
        }
    }
}

@available(*, unavailable)
extension HTTPHead: Sendable {}
