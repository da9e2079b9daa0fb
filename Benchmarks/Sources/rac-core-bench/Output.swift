import Glibc

/// Writing to the terminal at once, without a buffer of our own.
enum Output {
    static func standardOutput(_ text: String) {
        self.write(text, to: STDOUT_FILENO)
    }

    static func standardError(_ text: String) {
        self.write(text, to: STDERR_FILENO)
    }

    private static func write(_ text: String, to descriptor: Int32) {
        var text = text
        text.withUTF8 { bytes in _ = Glibc.write(descriptor, bytes.baseAddress, bytes.count) }
    }
}
