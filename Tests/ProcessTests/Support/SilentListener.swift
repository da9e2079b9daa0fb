import Glibc

/// A TCP port where connections are taken and nothing is ever said.
final class SilentListener {
    let url: String
    private let descriptor: Int32

    init() throws {
        self.descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let descriptor = self.descriptor
        let failed = withUnsafeMutableBytes(of: &address) { bytes in
            let address = bytes.assumingMemoryBound(to: sockaddr.self).baseAddress
            return bind(descriptor, address, length) != 0 || listen(descriptor, 16) != 0
                || getsockname(descriptor, address, &length) != 0
        }
        guard descriptor >= 0, !failed else { throw CannotListen(reason: errno) }
        self.url = "rac://127.0.0.1:\(UInt16(bigEndian: address.sin_port))"
    }

    deinit {
        close(self.descriptor)
    }
}

struct CannotListen: Error {
    var reason: Int32
}
