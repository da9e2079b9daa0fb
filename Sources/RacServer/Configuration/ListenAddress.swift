import NIOCore

/// An address on which the daemon accepts clients.
package enum ListenAddress: Hashable, Sendable {
    case tcp(host: String, port: Int)
    case unix(path: String)

    /// The address unless another one is configured.
    package static let standard = ListenAddress.tcp(host: "127.0.0.1", port: 7220)

    /// Reads `HOST:PORT`, `[IPV6]:PORT` or `unix:PATH`; nil for anything else.
    package init?(_ text: String) {
        if text.hasPrefix("unix:") {
            let path = String(text.dropFirst("unix:".count))
            guard !path.isEmpty else { return nil }
            self = .unix(path: path)
            return
        }
        guard let colon = text.lastIndex(of: ":"), let port = UInt16(text[text.index(after: colon)...]) else {
            return nil
        }
        var host = text[..<colon]
        let isBracketed = host.hasPrefix("[") && host.hasSuffix("]")
        if isBracketed { host = host.dropFirst().dropLast() }
        guard !host.isEmpty, isBracketed == host.contains(":") else { return nil }
        self = .tcp(host: String(host), port: Int(port))
    }

    /// Whether only programs of this machine can reach the address, as far as its text shows.
    package var isLocal: Bool {
        switch self {
        case .unix: true
        case .tcp("localhost", _): true
        case .tcp(let host, _): (try? SocketAddress(ipAddress: host, port: 0))?.isLoopback ?? false
        }
    }
}

extension ListenAddress: CustomStringConvertible {
    /// The text that makes this address.
    package var description: String {
        switch self {
        case .tcp(let host, let port): host.contains(":") ? "[\(host)]:\(port)" : "\(host):\(port)"
        case .unix(let path): "unix:\(path)"
        }
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
