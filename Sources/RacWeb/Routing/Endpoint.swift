package import NIOHTTP1

/// A path of the API with one method: what the router finds, and what the OpenAPI document lists.
package struct Endpoint: Sendable {
    /// The work that a request asks for.
    package enum Operation: String, CaseIterable, Sendable {
        case list, create, get, set, delete, complete, fail, reopen, transact, watch
        case commands, exec, observe
        case sessionState, signIn, signOut, makeCode
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
        Endpoint(.makeCode, .POST, "/v1/session/code"),
        Endpoint(.document, .GET, "/openapi.json"),
        Endpoint(.webSocket, .GET, "/rac"),
    ]

    /// The endpoints below `/v1`, by the segment behind that, in the order of ``all``.
    private static let versioned = Self.folders(isVersioned: true)

    /// All others, by their first segment.
    private static let others = Self.folders(isVersioned: false)

    private static func folders(isVersioned: Bool) -> [String: [Pattern]] {
        Dictionary(grouping: Self.all.map(Pattern.init).filter { $0.isVersioned == isVersioned }, by: \.folder)
    }

    /// A path in its parts: `/FOLDER`, `/FOLDER/WORD`, `/FOLDER/{name}` or `/FOLDER/{name}/VERB`.
    private struct Pattern: Sendable {
        let endpoint: Endpoint
        /// Whether the path is below `/v1`.
        let isVersioned: Bool
        /// The first segment, or the one behind `v1`.
        let folder: String
        private let hasName: Bool
        /// The segment at the end.
        private let last: String?

        init(_ endpoint: Endpoint) {
            let segments = endpoint.path.dropFirst().split(separator: "/").map(String.init)
            self.isVersioned = segments[0] == "v1"
            let tail = segments.dropFirst(self.isVersioned ? 2 : 1)
            self.endpoint = endpoint
            self.folder = segments[self.isVersioned ? 1 : 0]
            self.hasName = tail.first == "{name}"
            self.last = tail.dropFirst(self.hasName ? 1 : 0).first
        }

        /// The segments of the name in a path; empty if the pattern has none, and nil if the path does not match.
        func name(in segments: ArraySlice<String>) -> ArraySlice<String>? {
            if let last { guard segments.last == last else { return nil } }
            let name = segments.dropLast(self.last == nil ? 0 : 1)
            return self.hasName != name.isEmpty ? name : nil
        }
    }

    /// The endpoint of a path and a method with the name in the path; nil if there is none.
    static func find(_ method: HTTPMethod, _ segments: [String]) -> (endpoint: Endpoint, name: String)? {
        let (patterns, rest) = Self.patterns(of: segments)
        for pattern in patterns where pattern.endpoint.method == method {
            if let name = pattern.name(in: rest) { return (pattern.endpoint, name.joined(separator: "/")) }
        }
        return nil
    }

    /// The methods of a path, with HEAD for what has a length, and OPTIONS; empty if there is no such path.
    static func methods(of segments: [String]) -> [HTTPMethod] {
        let (patterns, rest) = Self.patterns(of: segments)
        let endpoints = patterns.filter { $0.name(in: rest) != nil }.map(\.endpoint)
        var methods: [HTTPMethod] = []
        for method in endpoints.flatMap(\.methods) where !methods.contains(method) { methods.append(method) }
        return methods.isEmpty ? [] : methods + [.OPTIONS]
    }

    private var methods: [HTTPMethod] { self.method == .GET && !self.isStream ? [.GET, .HEAD] : [self.method] }

    /// Whether each answer is a stream.
    var isStream: Bool { [.watch, .observe].contains(self.operation) }

    /// The patterns whose folder a path begins with, and the segments behind that.
    private static func patterns(of segments: [String]) -> ([Pattern], ArraySlice<String>) {
        guard segments[0] == "v1", segments.count > 1 else { return (Self.others[segments[0]] ?? [], segments[1...]) }
        return (Self.versioned[segments[1]] ?? [], segments[2...])
    }
}
