import Glibc

/// A TCP port where connections are taken and nothing is ever said.
final class SilentListener {
    let url: String
    private let descriptor: Int32

    init() throws {
        self.descriptor = try Loopback.socket()
        self.url = "rac://127.0.0.1:\(try Loopback.listen(self.descriptor))"
    }

    deinit {
        close(self.descriptor)
    }
}

struct CannotListen: Error {
    var reason: Int32
}
