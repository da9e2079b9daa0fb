import NIOCore
import NIOHTTP1
import RacProtocol
import RacWeb

/// The head of a request, and everything that follows from it alone.
///
/// A client mostly asks for the same again: it polls a value, or stores the next one. So requests of a connection whose
/// heads have the same bytes share one of these. Only the first of them is parsed, judged and routed.
///
/// Isolation: the connection's event loop.
final class HTTPHead {
    let message: HTTPRequestHead
    var page = WebRules.Page.own
    /// The place that it names, if that was needed before the body.
    var place: WebRouter.Place?
    /// The length of the body; nil if it comes in chunks.
    var length: Int? = 0
    /// The longest body that the request may have.
    var maximumBody = 0
    /// Whether the connection ends behind the answer.
    let isLast: Bool

    private var proof: HTTPProof?
    private var route: RepeatedRoute?

    init(_ message: HTTPRequestHead, isLast: Bool? = nil) {
        self.message = message
        self.isLast = isLast ?? WebRequest(message).isLast
    }

    /// Whether another request may share the head, when this one has been in order.
    var isRepeatable: Bool { !self.isLast && self.length != nil && !self.message.headers.contains(name: "expect") }

    /// The proofs of identity that the request brings.
    func proofs() throws(WebProblem) -> HTTPProof {
        if let proof { return proof }
        let proof = try HTTPProof(WebRequest(self.message))
        self.proof = proof
        return proof
    }

    /// The way of a whole request with the head.
    func route(of request: WebRequest) throws(WebProblem) -> WebRoute {
        if let route { return try route.route(of: request) }
        let route = try WebRouter.route(request, at: self.place)
        self.route = RepeatedRoute(route)
        return route
    }
}

@available(*, unavailable)
extension HTTPHead: Sendable {}
