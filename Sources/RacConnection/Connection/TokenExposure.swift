package import NIOCore

/// Whether others could read the token of a connection on its way.
package enum TokenExposure {
    /// Whether bytes to an address leave this machine in clear text.
    ///
    /// - Parameters:
    ///   - address: The address as the program named it.
    ///   - peer: The other end of the connection, as the system knows it; nil if it does not.
    /// - Returns: Whether they do.
    package static func isExposed(_ address: DaemonAddress, _ peer: SocketAddress?) -> Bool {
        guard case .tcp(let host, _) = address else { return false }
        guard let peer = peer ?? (try? SocketAddress(ipAddress: host, port: 0)) else { return host != "localhost" }
        return !Self.isLoopback(peer)
    }

    private static func isLoopback(_ peer: SocketAddress) -> Bool {
        switch peer {
        case .unixDomainSocket: true
        case .v4: peer.ipAddress?.hasPrefix("127.") ?? false
        case .v6: peer.ipAddress.map { $0 == "::1" || $0.hasPrefix("::ffff:127.") } ?? false
        }
    }
}
