import Glibc
import LoadGenerator

/// Writing lines at once, without a buffer of our own.
enum Output {
    static func standardOutput(_ text: String) {
        self.write(text, to: STDOUT_FILENO)
    }

    static func standardError(_ text: String) {
        self.write(text, to: STDERR_FILENO)
    }

    static func write(_ text: String, to descriptor: Int32) {
        var text = text
        text.withUTF8 { bytes in _ = Glibc.write(descriptor, bytes.baseAddress, bytes.count) }
    }

    /// Replaces a file's content.
    static func write(_ text: String, toFile path: String) throws {
        let descriptor = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o644)
        guard descriptor >= 0 else {
            throw SetupError("\(path) cannot be written: \(String(cString: strerror(errno)))")
        }
        self.write(text, to: descriptor)
        close(descriptor)
    }
}
