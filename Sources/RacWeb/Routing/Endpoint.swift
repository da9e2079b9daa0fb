package import NIOHTTP1

/// A path of the API with one method: what the router finds, and what the OpenAPI document tells.
package struct Endpoint: Sendable {
    /// The work that a request asks for.
    package enum Operation: String, CaseIterable, Sendable {
        case list, create, get, set, delete, complete, fail, reopen, transact, watch
        case commands, exec, observe
        case sessionState, signIn, signOut
        case document, webSocket
    }

    package let operation: Operation
    package let method: HTTPMethod
    /// The path; `{name}` stands for one or more segments.
    package let path: String

    init(_ operation: Operation, _ method: HTTPMethod, _ path: String) {
        self.operation = operation
        self.method = method
        self.path = path
    }

    /// All endpoints; of those that match a path the first one counts.
    package static let all = [
        Endpoint(.list, .GET, "/v1/channels"),
        Endpoint(.create, .POST, "/v1/channels"),
        Endpoint(.complete, .POST, "/v1/channels/{name}/complete"),
        Endpoint(.fail, .POST, "/v1/channels/{name}/fail"),
        Endpoint(.reopen, .POST, "/v1/channels/{name}/reopen"),
        Endpoint(.get, .GET, "/v1/channels/{name}"),
        Endpoint(.set, .PUT, "/v1/channels/{name}"),
        Endpoint(.delete, .DELETE, "/v1/channels/{name}"),
        Endpoint(.transact, .POST, "/v1/transactions"),
        Endpoint(.watch, .GET, "/v1/watch"),
        Endpoint(.commands, .GET, "/v1/commands"),
        Endpoint(.exec, .POST, "/v1/commands/{name}"),
        Endpoint(.observe, .GET, "/v1/commands/{name}"),
        Endpoint(.sessionState, .GET, "/v1/session"),
        Endpoint(.signIn, .POST, "/v1/session"),
        Endpoint(.signOut, .DELETE, "/v1/session"),
        Endpoint(.document, .GET, "/openapi.json"),
        Endpoint(.webSocket, .GET, "/rac"),
    ]

    private static let patterns = Self.all.map { endpoint in
        endpoint.path.dropFirst().split(separator: "/").map(String.init)
    }

    /// The endpoints of a path, each with the name in the path.
    static func matching(_ segments: [String]) -> [(endpoint: Endpoint, name: String)] {
        zip(Self.all, Self.patterns).compactMap { endpoint, pattern in
            Self.name(in: segments, pattern).map { (endpoint, $0) }
        }
    }

    /// The name in a path; empty if the pattern has none, and nil if the path does not match.
    private static func name(in segments: [String], _ pattern: [String]) -> String? {
        guard let place = pattern.firstIndex(of: "{name}") else { return segments == pattern ? "" : nil }
        let behind = pattern.count - place - 1
        guard segments.count > place + behind, segments.starts(with: pattern[..<place]),
            segments.suffix(behind).elementsEqual(pattern[(place + 1)...])
        else { return nil }
        return segments[place..<(segments.count - behind)].joined(separator: "/")
    }
}
