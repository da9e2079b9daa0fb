package import RacProtocol

/// The way of requests that have one head, and bodies of their own.
package enum RepeatedRoute: Sendable {
    case get(ChannelName, AnswerForm)
    /// The value is that of no request.
    case set(SetValue, AnswerForm)

    /// Keeps the way of a request, without its body; nil if each such request has to be routed.
    package init?(_ route: WebRoute) {
        switch route {
        case .host(.get(let channel), let form): self = .get(channel, form)
        case .host(.set(var set), let form):
            set.value = .null
            self = .set(set, form)
        default: return nil
        }
    }

    /// The way of another request with the head.
    package func route(of request: WebRequest) throws(WebProblem) -> WebRoute {
        switch self {
        case .get(let channel, let form): return .host(.get(channel), form)
        case .set(var set, let form):
            set.value = try request.json()
            return .host(.set(set), form)
        }
    }
}
