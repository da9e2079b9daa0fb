package import NIOHTTP1
package import RacProtocol
import NIOCore

/// The way of a request.
package enum WebRoute: Sendable {
    /// One request of the protocol, whose reply is the answer, or begins it.
    case host(Request, AnswerForm)
    /// The file of the page with this path.
    case file([String])
    case document
    case webSocket
    case sessionState
    case signIn
    case signOut
    /// The answer is that these methods may be used.
    case options([HTTPMethod])
}

/// The form of the answer to a request of the protocol.
package enum AnswerForm: Equatable, Sendable {
    /// The value of a channel, or the wish of its other side.
    case value(isWish: Bool, unlessRevision: Revision?)
    /// The reply without its number.
    case reply
    /// The reply, and the place of the new channel.
    case created
    /// Events, until the client ends the connection or the daemon the stream.
    case events
    /// The last value of an execution.
    case lastValue
}

/// Finds the way of a request by its method and its target.
///
/// Semantics: docs/web.md.
package enum WebRouter {
    /// Whether a request needs no body: then its body is refused before it comes.
    package static func takesBody(_ method: HTTPMethod) -> Bool { [.PUT, .POST].contains(method) }

    /// The endpoint of a request, before its body has come; nil for a file.
    package static func endpoint(_ head: HTTPRequestHead) throws(WebProblem) -> Endpoint.Operation? {
        let segments = try WebTarget(head.uri).segments
        let found = Endpoint.matching(segments)
        let method = head.method == .HEAD ? .GET : head.method
        if let (endpoint, _) = found.first(where: { $0.endpoint.method == method }) { return endpoint.operation }
        guard found.isEmpty || head.method == .OPTIONS else {
            throw Self.wrongMethod(Self.methods(of: found.map(\.endpoint.method)))
        }
        _ = try Self.file(segments, head.method)
        return nil
    }

    /// Finds the way of a whole request.
    package static func route(_ request: WebRequest) throws(WebProblem) -> WebRoute {
        let head = request.head
        if head.method == .OPTIONS, head.uri == "*" { return .options([.GET, .HEAD, .OPTIONS]) }
        let target = try WebTarget(head.uri)
        let found = Endpoint.matching(target.segments)
        guard !found.isEmpty else { return try self.file(target.segments, head.method) }
        let methods = Self.methods(of: found.map(\.endpoint.method))
        if head.method == .OPTIONS { return .options(methods) }
        let method = head.method == .HEAD ? .GET : head.method
        guard let (endpoint, name) = found.first(where: { $0.endpoint.method == method }) else {
            throw Self.wrongMethod(methods)
        }
        return try OperationReader(request, target.query, name).route(of: endpoint.operation)
    }

    private static func file(_ segments: [String], _ method: HTTPMethod) throws(WebProblem) -> WebRoute {
        guard segments.first != "v1" else {
            throw WebProblem(.notFound, "bad-message", "there is no such path; /openapi.json lists them")
        }
        switch method {
        case .GET, .HEAD: return .file(segments)
        case .OPTIONS: return .options([.GET, .HEAD, .OPTIONS])
        default: throw Self.wrongMethod([.GET, .HEAD, .OPTIONS])
        }
    }

    /// The methods of a path, with those that every path has.
    private static func methods(of methods: [HTTPMethod]) -> [HTTPMethod] {
        var all: [HTTPMethod] = []
        for method in methods + (methods.contains(.GET) ? [.HEAD] : []) + [.OPTIONS] where !all.contains(method) {
            all.append(method)
        }
        return all
    }

    private static func wrongMethod(_ methods: [HTTPMethod]) -> WebProblem {
        let words = methods.map(\.rawValue).joined(separator: ", ")
        return WebProblem(.methodNotAllowed, "bad-message", "this path takes \(words)", methods: methods)
    }
}
