import Glibc

/// A file that holds one token.
package struct AccessTokenFile: Hashable, Sendable {
    /// The token of a file, and what its owner should hear.
    package struct Contents: Sendable {
        package let token: AccessToken
        /// A sentence about a file that other users can read or write; nil for a private file.
        package let warning: String?
    }

    package let path: String

    package init(path: String) {
        self.path = path
    }

    /// Reads the token; white space around it does not count.
    ///
    /// - Throws: ``ClientError`` with code `badToken`, one line that names the file and shows nothing of it.
    package func read() throws(ClientError) -> Contents {
        let descriptor = open(self.path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw self.unreadable(errno) }
        defer { close(descriptor) }
        let text = String(decoding: try self.bytes(of: descriptor), as: UTF8.self).trimmed
        guard !text.isEmpty else { throw ClientError(.badToken, "the token file \(self.path) is empty") }
        if let fault = AccessToken.fault(of: text) {
            throw ClientError(.badToken, "the text of the token file \(self.path) \(fault)")
        }
        return Contents(token: try AccessToken(text), warning: self.warning(about: descriptor))
    }

    /// The bytes of the file, and no more of a long one than shows that it is too long.
    private func bytes(of descriptor: Int32) throws(ClientError) -> [UInt8] {
        var bytes: [UInt8] = []
        var part = [UInt8](repeating: 0, count: AccessToken.maximumBytes)
        while bytes.count <= 2 * AccessToken.maximumBytes {
            let count = Glibc.read(descriptor, &part, part.count)
            if count == 0 { break }
            if count > 0 { bytes += part.prefix(count) } else if errno != EINTR { throw self.unreadable(errno) }
        }
        return bytes
    }

    private func unreadable(_ number: Int32) -> ClientError {
        ClientError(.badToken, "cannot read the token file \(self.path): \(String(cString: strerror(number)))")
    }

    private func warning(about descriptor: Int32) -> String? {
        var status = stat()
        guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG, status.st_mode & 0o077 != 0 else {
            return nil
        }
        let mode = "0" + String(status.st_mode & 0o777, radix: 8)
        return
            "other users have rights to the token file \(self.path) (mode \(mode)): `chmod 600 \(self.path)` ends that"
    }
}

extension String {
    /// The text without white space at both ends.
    fileprivate var trimmed: String {
        let start = self.drop(while: \.isWhitespace)
        return String(start[..<(start.lastIndex { !$0.isWhitespace }.map(start.index(after:)) ?? start.startIndex)])
    }
}
