/// Where a daemon listens: `rac://host:port`, `host:port`, `host`, `racs://host:port` or `unix:/path`.
///
/// Semantics: protocol.md, "Frames".
public enum DaemonAddress: Hashable, Sendable {
    /// A host's name or IP address, and a TCP port.
    case tcp(host: String, port: Int)
    /// A host's name or IP address, and a TCP port whose bytes are inside TLS.
    case tls(host: String, port: Int)
    /// The path of a Unix-domain socket.
    case unix(path: String)

    /// The TCP port that a URL without one means.
    public static let defaultPort = 7220

    /// The daemon of this machine, where it listens by default.
    public static let local = DaemonAddress.tcp(host: "127.0.0.1", port: Self.defaultPort)

    /// Reads a URL, or a host with or without a port.
    ///
    /// - Parameter url: `rac://host`, `rac://host:port`, `rac://[IPv6 address]:port`, `host`, `host:port` or `unix:/path`;
    ///   `racs://` for TLS.
    /// - Throws: ``ClientError`` with code `invalidURL`.
    public init(_ url: String) throws(ClientError) {
        if let path = url.suffix(after: "unix:"), !path.isEmpty {
            self = .unix(path: String(path))
        } else if let authority = url.suffix(after: "racs://"), let (host, port) = Self.place(authority) {
            self = .tls(host: host, port: port)
        } else if let authority = url.suffix(after: "rac://"), let (host, port) = Self.place(authority) {
            self = .tcp(host: host, port: port)
        } else if !url.hasPrefix("unix:"), url.contains("]") || url.count(where: { $0 == ":" }) <= 1,
            let (host, port) = Self.place(url[...])
        {
            self = .tcp(host: host, port: port)
        } else {
            let last = url.split(separator: ":").last ?? ""
            let isPort = !url.hasPrefix("unix:") && UInt16(last) ?? 0 == 0 && UInt64(last) != nil
            let forms = "a daemon's address is host, host:port, rac://host:port, racs://host:port or unix:/path"
            throw ClientError(.invalidURL, isPort ? "a port is 1 to 65535, not \(last)" : "\(forms), not \"\(url)\"")
        }
    }

    private static func place(_ authority: Substring) -> (host: String, port: Int)? {
        // A mark that joins the character before it would hide a slash or a colon; names in other scripts have ASCII forms.
        guard authority.utf8.allSatisfy((UInt8(ascii: "!")...UInt8(ascii: "~")).contains) else { return nil }
        var rest = authority.last == "/" ? authority.dropLast() : authority
        let host: Substring
        if rest.first == "[" {
            guard let end = rest.firstIndex(of: "]") else { return nil }
            host = rest[rest.index(after: rest.startIndex)..<end]
            rest = rest[rest.index(after: end)...]
        } else {
            host = rest.prefix { $0 != ":" }
            rest = rest[host.endIndex...]
        }
        guard !host.isEmpty, !host.contains(where: { "/@?#[]".contains($0) }) else { return nil }
        guard !rest.isEmpty else { return (String(host), Self.defaultPort) }
        let digits = rest.dropFirst()
        guard rest.first == ":", digits.utf8.allSatisfy((UInt8(ascii: "0")...UInt8(ascii: "9")).contains),
            let port = UInt16(digits), port > 0
        else { return nil }
        return (String(host), Int(port))
    }
}

extension DaemonAddress: CustomStringConvertible {
    /// The address as people write it: `127.0.0.1:7220`, `[::1]:7220`, `racs://lab:7220` or `unix:/path`.
    public var description: String {
        switch self {
        case .tcp(let host, let port): Self.text(host, port)
        case .tls(let host, let port): "racs://\(Self.text(host, port))"
        case .unix(let path): "unix:\(path)"
        }
    }

    private static func text(_ host: String, _ port: Int) -> String {
        host.contains(":") ? "[\(host)]:\(port)" : "\(host):\(port)"
    }
}

extension String {
    fileprivate func suffix(after prefix: String) -> Substring? {
        self.hasPrefix(prefix) ? self.dropFirst(prefix.count) : nil
    }
}
