package import NIOHTTP1
import RacProtocol

/// The part of the configuration that says whose pages may talk to the daemon.
package struct WebSettings: Sendable, Equatable {
    /// Origins of pages that may use the daemon from other servers: `https://lab.example`.
    package var origins: Set<String>
    /// Names by which browsers reach the daemon, in addition to its addresses and `localhost`.
    package var hosts: Set<String>
    /// The folder whose files take the place of the ones in the program; nil for those in the program.
    package var folder: String?

    package init(origins: Set<String> = [], hosts: Set<String> = [], folder: String? = nil) {
        self.origins = origins
        self.hosts = hosts
        self.folder = folder
    }
}

/// Judges by its headers whether a request comes from a page that may talk to the daemon.
///
/// Any page of any site can make a browser talk to `127.0.0.1`. The page cannot choose the headers `Host` and `Origin`, so
/// they are compared whole with those that are allowed.
///
/// Semantics: docs/web.md, "What a foreign page may do".
package struct WebRules: Sendable {
    private let origins: Set<String>
    private let hosts: Set<String>

    /// - Parameters:
    ///   - settings: The configured names and origins.
    ///   - addresses: The hosts on which the daemon listens.
    package init(_ settings: WebSettings, addresses: some Sequence<String>) {
        self.origins = Set(settings.origins.map { $0.lowercased() })
        self.hosts = Set(settings.hosts.map { $0.lowercased() } + addresses.map { $0.lowercased() } + ["localhost"])
    }

    /// The relation of the page that sent a request to the daemon.
    package enum Page: Equatable, Sendable {
        /// The daemon's own page, or no page.
        case own
        /// A page of a configured origin, which gets headers of CORS.
        case configured(String)
        /// A page of another origin, if a browser names it: nothing but a simple GET, whose answer the browser keeps from it.
        case foreign(String?)
    }

    /// Judges a request.
    ///
    /// - Parameters:
    ///   - head: The request.
    ///   - local: The address of the daemon's end of the connection; nil for a Unix socket.
    ///   - isTLS: Whether the connection has TLS.
    /// - Returns: The relation of the page.
    /// - Throws: ``WebProblem`` if the request gets no answer of its own.
    package func judge(_ head: HTTPRequestHead, local: String?, isTLS: Bool) throws(WebProblem) -> Page {
        let hosts = head.headers["host"]
        // A health check by HTTP/1.0 has no Host. Each browser sends one.
        if hosts.isEmpty, head.version == .http1_0, !head.headers.contains(name: "origin") {
            return Self.isSentElsewhere(head) ? .foreign(nil) : .own
        }
        guard hosts.count == 1, let host = hosts.first else {
            throw WebProblem(.badRequest, "bad-message", "a request has one header Host")
        }
        guard let name = Self.name(in: host), self.hosts.contains(name) || Self.plain(name) == local.map(Self.plain)
        else {
            let help = "the daemon is not called \(host.prefix(100)): name it in the list 'hosts' of [web]"
            throw WebProblem(.misdirectedRequest, "forbidden", help)
        }
        let origins = head.headers["origin"]
        guard origins.count <= 1 else {
            throw WebProblem(.badRequest, "bad-message", "a request has one header Origin at most")
        }
        guard let origin = origins.first?.lowercased() else { return Self.isSentElsewhere(head) ? .foreign(nil) : .own }
        // Letters beyond ASCII may equal those of another name, and browsers send none.
        guard origins.allSatisfy(Self.isASCII) else { return .foreign(origin) }
        if origin == "\(isTLS ? "https" : "http")://\(host.lowercased())" { return .own }
        return self.origins.contains(origin) ? .configured(origin) : .foreign(origin)
    }

    /// Whether a browser says that a page of another origin made it send a request.
    ///
    /// A request for an image, for one, has no `Origin`.
    private static func isSentElsewhere(_ head: HTTPRequestHead) -> Bool {
        head.headers[Self.siteHeader].contains { ["cross-site", "same-site"].contains($0.lowercased()) }
    }

    /// The header in which a browser gives the relation of the page to the daemon.
    package static let siteHeader = "sec-fetch-site"

    /// An address in lower case; a socket of IPv6 names a client's IPv4 address as `::ffff:192.0.2.5`.
    private static func plain(_ address: String) -> String {
        let address = address.lowercased()
        let mapped = "::ffff:"
        return address.hasPrefix(mapped) && address.contains(".") ? String(address.dropFirst(mapped.count)) : address
    }

    private static func isASCII(_ text: String) -> Bool { text.utf8.allSatisfy { $0 < 0x80 } }

    /// The host of a header, without its port and the brackets of an IPv6 address; nil if it is none.
    private static func name(in host: String) -> String? {
        guard self.isASCII(host) else { return nil }
        let host = host.lowercased()
        if host.hasPrefix("[") {
            guard let end = host.firstIndex(of: "]"), self.isPort(host[host.index(after: end)...]) else { return nil }
            return String(host[host.index(after: host.startIndex)..<end])
        }
        let end = host.firstIndex(of: ":") ?? host.endIndex
        guard self.isPort(host[end...]), end > host.startIndex else { return nil }
        // A dot at the end of a name is that of the root: RFC 1034, section 3.1.
        return String(host[..<end].hasSuffix(".") ? host[..<end].dropLast() : host[..<end])
    }

    /// Whether a text is empty, or a colon with or without the digits of a port: RFC 3986, section 3.2.3.
    private static func isPort(_ text: Substring) -> Bool {
        guard text.first == ":" else { return text.isEmpty }
        let digits = text.dropFirst()
        return digits.isEmpty || UInt64(digits: digits).flatMap(UInt16.init(exactly:)) != nil
    }
}

extension WebRules.Page {
    /// Lets a page of another origin do nothing but a simple GET.
    package func admit(_ head: HTTPRequestHead) throws(WebProblem) {
        let isSimple = [.GET, .HEAD].contains(head.method) && !head.headers.contains(name: "upgrade")
        if !isSimple { try self.admitMore() }
    }

    /// Lets a page of another origin begin no stream: it would bind, watch or observe as long as the stream lasts.
    package func admit(_ form: AnswerForm) throws(WebProblem) {
        if form == .events { try self.admitMore() }
    }

    private func admitMore() throws(WebProblem) {
        guard case .foreign(let origin) = self else { return }
        let page = origin.map { "a page of '\($0.prefix(100))'" } ?? "a page of another origin"
        let help = "\(page) may not do this: name its origin in the list 'origins' of [web]"
        throw WebProblem(.forbidden, "forbidden", help)
    }
}
