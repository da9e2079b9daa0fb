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
    case makeCode
    /// The answer is that these methods may be used.
    case options([HTTPMethod])
}

/// The form of the answer to a request of the protocol.
package enum AnswerForm: Equatable, Sendable {
    /// The value of a channel, or the wish of its other side.
    case value(isWish: Bool, unless: EntityTags?)
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
    /// Whether the body of a request means something; that of another one is an empty value at most.
    package static func takesBody(_ method: HTTPMethod) -> Bool { [.PUT, .POST].contains(method) }

    /// Refuses a head whose body would be taken for something else.
    ///
    /// Semantics: RFC 9110, sections 8.4 and 9.3.4; RFC 9112, section 6.1.
    package static func checkBody(_ head: HTTPRequestHead) throws(WebProblem) {
        let transfer = head.headers[canonicalForm: "transfer-encoding"]
        guard transfer.allSatisfy({ $0.lowercased() == "chunked" }) else {
            let help = "a body has a length or comes in chunks, without another Transfer-Encoding"
            throw WebProblem(.notImplemented, "bad-message", help)
        }
        let content = head.headers[canonicalForm: "content-encoding"]
        guard content.allSatisfy({ $0.lowercased() == "identity" }) else {
            let help = "a body is plain JSON: send it without Content-Encoding"
            throw WebProblem(.unsupportedMediaType, "bad-message", help)
        }
        guard !head.headers.contains(name: "content-range") else {
            throw WebProblem(.badRequest, "bad-message", "a request has a whole value: send it without Content-Range")
        }
    }

    /// The end of a request's way, which its head shows before its body has come.
    package struct Place: Sendable {
        /// The work that is asked for; nil for a file.
        package let operation: Endpoint.Operation?
        let target: WebTarget
        /// The name in the path.
        let name: String
    }

    /// Finds the place that a head names; nil for a request that asks which methods there are.
    package static func place(_ head: HTTPRequestHead) throws(WebProblem) -> Place? {
        guard head.method != .OPTIONS else { return nil }
        let target = try WebTarget(head.uri)
        let method = head.method == .HEAD ? .GET : head.method
        if let (endpoint, name) = Endpoint.find(method, target.segments) {
            // The answer to a HEAD has a length, which a stream has not.
            guard head.method == .GET || method != .GET || !endpoint.isStream else {
                throw Self.wrongMethod(Endpoint.methods(of: target.segments))
            }
            return Place(operation: endpoint.operation, target: target, name: name)
        }
        let methods = Endpoint.methods(of: target.segments)
        guard methods.isEmpty else { throw Self.wrongMethod(methods) }
        try Self.checkFile(target.segments, method)
        return Place(operation: nil, target: target, name: "")
    }

    /// Finds the way of a whole request; the place is the one that the head names, if it has been found already.
    package static func route(_ request: WebRequest, at place: Place? = nil) throws(WebProblem) -> WebRoute {
        var place = place
        if place == nil { place = try Self.place(request.head) }
        if !Self.takesBody(request.head.method) { try request.checkNoBody() }
        guard let place else { return .options(try Self.methods(of: request.head)) }
        guard let operation = place.operation else { return .file(place.target.segments) }
        return try OperationReader(request, place.target.query, place.name).route(of: operation)
    }

    private static func methods(of head: HTTPRequestHead) throws(WebProblem) -> [HTTPMethod] {
        guard head.uri != "*" else { return Self.methodsOfFile }
        let segments = try WebTarget(head.uri).segments
        let methods = Endpoint.methods(of: segments)
        if methods.isEmpty { try Self.checkFile(segments, .GET) }
        return methods.isEmpty ? Self.methodsOfFile : methods
    }

    private static func checkFile(_ segments: [String], _ method: HTTPMethod) throws(WebProblem) {
        guard segments.first != "v1" else {
            throw WebProblem(noPath: "there is no such path; /openapi.json lists them")
        }
        guard method == .GET else { throw Self.wrongMethod(Self.methodsOfFile) }
    }

    private static let methodsOfFile: [HTTPMethod] = [.GET, .HEAD, .OPTIONS]

    private static func wrongMethod(_ methods: [HTTPMethod]) -> WebProblem {
        let words = methods.map(\.rawValue).joined(separator: ", ")
        return WebProblem(.methodNotAllowed, "bad-message", "this path takes \(words)", methods: methods)
    }
}
