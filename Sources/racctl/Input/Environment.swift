import Glibc

/// The variables of this process.
enum Environment {
    /// The text of a variable; nil if it is not set or empty.
    static func text(of name: String) -> String? {
        getenv(name).map { String(cString: $0) }.flatMap { $0.isEmpty ? nil : $0 }
    }
}
