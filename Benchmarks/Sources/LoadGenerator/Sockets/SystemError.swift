import Glibc

/// A system call that did not succeed.
package struct SystemError: Error, CustomStringConvertible {
    /// The call's name.
    package let call: String
    /// The value of `errno`.
    package let code: Int32

    /// The error of the call that has just failed on this thread.
    static func last(_ call: String) -> SystemError {
        SystemError(call: call, code: errno)
    }

    package var description: String {
        "\(self.call): \(String(cString: strerror(self.code)))"
    }
}
