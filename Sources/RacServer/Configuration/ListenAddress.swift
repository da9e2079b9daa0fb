import NIOCore
import RacProtocol

/// An address on which the daemon accepts clients.
package enum ListenAddress: Hashable, Sendable {
    /// Plain bytes.
    case tcp(host: String, port: Int)
    /// All bytes inside TLS.
    case tls(host: String, port: Int)
    /// TLS for clients that begin it, and plain bytes for the others; only programs of this machine may reach it.
    case either(host: String, port: Int)
    case unix(path: String)

    /// The address unless another one is configured.
    package static let standard = ListenAddress.tcp(host: "127.0.0.1", port: 7220)

    /// The address unless another one is configured, for a daemon with a certificate.
    package static let standardOfTLS = ListenAddress.tls(host: "127.0.0.1", port: 7220)

    /// The host that stands for all addresses of the machine, of both families.
    static let everyHost = "*"

    /// Reads an address; nil for anything else.
    ///
    /// `HOST:PORT` and `rac://HOST:PORT` are plain, `tls:HOST:PORT` and `racs://HOST:PORT` have TLS, `either:HOST:PORT` has
    /// both, and `unix:PATH` is a socket's file. An IPv6 address stands in brackets, and `*` for all addresses of the machine.
    package init?(_ text: String) {
        if let path = text.suffix(after: "unix:") {
            guard !path.isEmpty else { return nil }
            self = .unix(path: String(path))
        } else if let place = text.suffix(after: "tls:") ?? text.suffix(after: "racs://") {
            guard let (host, port) = Self.place(place) else { return nil }
            self = .tls(host: host, port: port)
        } else if let place = text.suffix(after: "either:") {
            guard let (host, port) = Self.place(place) else { return nil }
            self = .either(host: host, port: port)
        } else {
            guard let (host, port) = Self.place(text.suffix(after: "rac://") ?? text[...]) else { return nil }
            self = .tcp(host: host, port: port)
        }
    }

    private static func place(_ text: Substring) -> (host: String, port: Int)? {
        guard let colon = text.lastIndex(of: ":"), let number = UInt64(digits: text[text.index(after: colon)...]),
            let port = UInt16(exactly: number)
        else { return nil }
        var host = text[..<colon]
        let isBracketed = host.hasPrefix("[") && host.hasSuffix("]")
        if isBracketed { host = host.dropFirst().dropLast() }
        guard !host.isEmpty, isBracketed == host.contains(":") else { return nil }
        return (String(host), Int(port))
    }

    /// The host and the port; nil for the path of a socket.
    package var place: (host: String, port: Int)? {
        switch self {
        case .tcp(let host, let port), .tls(let host, let port), .either(let host, let port): (host, port)
        case .unix: nil
        }
    }

    /// The host and the port, or the path of a socket, without the word for TLS.
    package var text: String {
        switch self {
        case .tcp(let host, let port), .tls(let host, let port), .either(let host, let port):
            host.contains(":") ? "[\(host)]:\(port)" : "\(host):\(port)"
        case .unix(let path): path
        }
    }

    /// Whether clients may send plain bytes.
    package var hasPlain: Bool {
        switch self {
        case .tcp, .either, .unix: true
        case .tls: false
        }
    }

    /// Whether clients may begin TLS.
    package var hasTLS: Bool {
        switch self {
        case .tls, .either: true
        case .tcp, .unix: false
        }
    }

    /// The address with another port, and another host if one is given; the same for the path of a socket.
    func with(host: String? = nil, port: Int) -> ListenAddress {
        switch self {
        case .tcp(let own, _): .tcp(host: host ?? own, port: port)
        case .tls(let own, _): .tls(host: host ?? own, port: port)
        case .either(let own, _): .either(host: host ?? own, port: port)
        case .unix: self
        }
    }

    /// The address by which a client reaches the daemon; a wildcard becomes a name, or else an address of this machine.
    ///
    /// - Parameter name: The name of the daemon's host; nil if it has none.
    /// - Returns: The address.
    package func reachable(by name: String?) -> ListenAddress {
        guard let (host, port) = self.place, self.isWildcard else { return self }
        return self.with(host: name ?? (host == "::" ? "::1" : "127.0.0.1"), port: port)
    }

    /// Whether the address leaves the clients of IPv4 to another one with its port, or has its own socket for them.
    func leavesIPv4(to others: [ListenAddress]) -> Bool {
        guard let (host, port) = self.place else { return false }
        return host == Self.everyHost
            || port != 0 && others.contains { $0.place?.port == port && $0.numeric?.protocol == .inet }
    }

    /// Whether the address and another one cannot be listened on at once, as far as their texts show.
    package func overlaps(_ other: ListenAddress) -> Bool {
        guard let own = self.place, let its = other.place, own.port == its.port, own.port != 0 else { return false }
        return own.host == its.host || self.covers(other) || other.covers(self)
    }

    /// Whether the host is a wildcard for another one.
    private func covers(_ other: ListenAddress) -> Bool {
        switch self.place?.host {
        case Self.everyHost: true
        case "0.0.0.0": other.numeric?.protocol == .inet || other.place?.host == "localhost"
        case "::": other.numeric?.protocol == .inet6
        default: false
        }
    }

    /// Whether the address stands for all addresses of the machine.
    package var isWildcard: Bool {
        self.place.map { [Self.everyHost, "0.0.0.0", "::"].contains($0.host) } ?? false
    }

    /// The address of the machine; nil for a name.
    private var numeric: SocketAddress? {
        self.place.flatMap { try? SocketAddress(ipAddress: $0.host, port: $0.port) }
    }

    /// Whether only programs of this machine can reach the address, as far as its text shows.
    package var isLocal: Bool {
        guard let (host, _) = self.place, host != "localhost" else { return true }
        return self.numeric?.isLoopback ?? false
    }
}

extension ListenAddress: CustomStringConvertible {
    /// The text that makes this address.
    package var description: String {
        switch self {
        // A host with the name of such a word would be read as the word.
        case .tcp(let host, _): ["unix", "tls", "either"].contains(host) ? "rac://\(self.text)" : self.text
        case .tls: "racs://\(self.text)"
        case .either: "either:\(self.text)"
        case .unix: "unix:\(self.text)"
        }
    }
}

extension String {
    fileprivate func suffix(after prefix: String) -> Substring? {
        self.hasPrefix(prefix) ? self.dropFirst(prefix.count) : nil
    }
}

extension SocketAddress {
    fileprivate var isLoopback: Bool {
        switch self {
        case .v4: self.ipAddress?.hasPrefix("127.") ?? false
        case .v6: self.ipAddress == "::1"
        case .unixDomainSocket: true
        }
    }
}
