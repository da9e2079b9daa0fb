#if TLS
import Foundation
import NIOSSL

@testable import RacServer

/// Bytes as a file with certificates or a key, and as a certificate in DER.
///
/// A refusal is one line without the file's bytes. A name that is taken has no control character.
enum CertificateTarget {
    static func run(_ input: [UInt8]) throws {
        try Self.file(input)
        try Self.name(CertificateSubject(der: input)?.commonName)
        try Self.name(String(certificate: input))
        var certificates = (try? NIOSSLCertificate.fromPEMBytes(input)) ?? []
        if let certificate = try? NIOSSLCertificate(bytes: input, format: .der) { certificates.append(certificate) }
        for certificate in certificates { try Self.name(certificate.clientName) }
    }

    private static func file(_ input: [UInt8]) throws {
        let (file, good) = (try Self.written(input), try Self.written(Array(FuzzCertificate.certificate.utf8)))
        let key = try Self.written(Array(FuzzCertificate.key.utf8))
        defer { for path in [file, good, key] { unlink(path) } }
        for listener in [
            TLSListener(certificateFile: file, keyFile: key), TLSListener(certificateFile: good, keyFile: file),
            TLSListener(certificateFile: good, keyFile: key, clients: .required(authorityFile: file)),
        ] {
            do throws(CertificateFault) {
                _ = try CertificateFiles(listener)
            } catch {
                let text = "\(error)".replacing(file, with: "f").replacing(good, with: "g").replacing(key, with: "k")
                guard !text.isEmpty, !text.contains("\n"), text.utf8.count < 200 else {
                    throw Finding("a file is refused with \(text)")
                }
            }
        }
    }

    /// A file of its own with these bytes.
    private static func written(_ bytes: [UInt8]) throws -> String {
        let path = FileManager.default.temporaryDirectory.appending(path: "rac-fuzz-\(UUID().uuidString)").path
        try Data(bytes).write(to: URL(filePath: path))
        return path
    }

    private static func name(_ name: String?) throws {
        guard let name else { return }
        guard !name.isEmpty, !name.unicodeScalars.contains(where: { $0.properties.generalCategory == .control }) else {
            throw Finding("\(Array(name.utf8)) is taken as a name")
        }
    }
}
#endif
