import Glibc
import NIOCore

/// The addresses of the machine for which the host of a listener stands.
enum HostAddresses {
    /// All addresses of a host, each once, in the order of the system; none if the name cannot be resolved.
    ///
    /// Blocks its thread while a server of names is asked.
    static func resolve(_ host: String, port: Int) -> [SocketAddress] {
        guard host != ListenAddress.everyHost else {
            return ["0.0.0.0", "::"].compactMap { try? SocketAddress(ipAddress: $0, port: port) }
        }
        var hints = addrinfo()
        hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
        var first: UnsafeMutablePointer<addrinfo>?
        guard getaddrinfo(host, String(port), &hints, &first) == 0, let first else { return [] }
        defer { freeaddrinfo(first) }
        var found: [SocketAddress] = []
        for entry in sequence(first: first, next: { $0.pointee.ai_next }) {
            guard let address = SocketAddress(entry.pointee), !found.contains(address) else { continue }
            found.append(address)
        }
        return found
    }
}

extension SocketAddress {
    /// The address of one entry of the system's answer; nil for a family other than IPv4 and IPv6.
    fileprivate init?(_ entry: addrinfo) {
        guard let bytes = UnsafeRawPointer(entry.ai_addr) else { return nil }
        switch entry.ai_family {
        case AF_INET: self.init(bytes.load(as: sockaddr_in.self))
        case AF_INET6: self.init(bytes.load(as: sockaddr_in6.self))
        default: return nil
        }
    }
}
