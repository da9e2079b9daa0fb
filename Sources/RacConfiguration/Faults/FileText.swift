import Glibc

/// Reads whole files of configuration, which are short.
enum FileText {
    /// The limit of a file, in bytes.
    static let limit = 4 << 20

    /// Reads a text in UTF-8.
    static func read(_ path: String) throws(ConfigurationError) -> String {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw ConfigurationError(file: path, "the file cannot be read: \(Self.reason)") }
        defer { close(descriptor) }
        var bytes: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 1 << 16)
        while bytes.count <= self.limit {
            let count = Glibc.read(descriptor, &chunk, chunk.count)
            if count == 0 { break }
            guard count > 0 || errno == EINTR else {
                throw ConfigurationError(file: path, "the file cannot be read: \(Self.reason)")
            }
            bytes += chunk.prefix(max(0, count))
        }
        guard bytes.count <= self.limit else {
            throw ConfigurationError(file: path, "the file is longer than \(self.limit >> 20) MiB")
        }
        guard let text = String(validating: bytes, as: UTF8.self) else {
            throw ConfigurationError(file: path, "the file is no text in UTF-8")
        }
        return text
    }

    /// The reason of the system's last failure.
    static var reason: String { String(cString: strerror(errno)) }
}
