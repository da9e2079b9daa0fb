import Glibc

/// A call of the system that failed.
struct SystemFailure: Error, Equatable {
    var number: Int32

    /// The reason in words.
    var reason: String { String(cString: strerror(self.number)) }
}
