/// A fault in a file of a listener's TLS, as a sentence that names the file.
package struct CertificateFault: Error, Sendable, CustomStringConvertible {
    /// The files of a listener.
    package enum File: Sendable {
        case certificate
        case key
        /// The authorities that sign clients' certificates.
        case authority
    }

    package let file: File
    package let description: String

    init(_ file: File, _ description: String) {
        self.file = file
        self.description = description
    }
}
