import Glibc

/// Where a server listens: an IPv4 address and a port.
package struct Endpoint: Sendable, CustomStringConvertible {
    /// The address in network byte order.
    private let address: UInt32
    package private(set) var port: UInt16

    /// Reads `127.0.0.1:4700`; nil if it is something else.
    package init?(_ text: some StringProtocol) {
        let parts = text.split(separator: ":", omittingEmptySubsequences: false)
        var address = in_addr()
        guard parts.count == 2, let port = UInt16(parts[1]), inet_pton(AF_INET, String(parts[0]), &address) == 1 else {
            return nil
        }
        self.address = address.s_addr
        self.port = port
    }

    /// An address of this machine to connect from, with a port of the kernel's choice.
    ///
    /// One address has some 28 000 ports to give; `index` 0 is 127.0.0.1, 1 is 127.0.0.2 and so on.
    init(loopback index: Int) {
        self.address = (0x7F00_0001 + UInt32(index)).bigEndian
        self.port = 0
    }

    /// A port of 127.0.0.1 that nobody listens on now.
    static func free() throws(SystemError) -> Endpoint {
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        guard descriptor >= 0 else { throw .last("socket") }
        defer { close(descriptor) }
        var endpoint = Endpoint(loopback: 0)
        guard endpoint.withSocketAddress({ bind(descriptor, $0, $1) }) == 0 else { throw .last("bind") }
        var address = sockaddr_in()
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let told = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { getsockname(descriptor, $0, &length) }
        }
        guard told == 0 else { throw .last("getsockname") }
        endpoint.port = UInt16(bigEndian: address.sin_port)
        return endpoint
    }

    package var description: String {
        let bytes = withUnsafeBytes(of: self.address) { $0.map { String($0) } }
        return "\(bytes.joined(separator: ".")):\(self.port)"
    }

    func withSocketAddress<R>(_ body: (UnsafePointer<sockaddr>, socklen_t) -> R) -> R {
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = self.address
        address.sin_port = self.port.bigEndian
        return withUnsafePointer(to: address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                body($0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
    }
}
