import CSpawn
import FoundationEssentials
import Glibc

/// A certificate authority of one test, with files in a folder of its own; openssl makes them.
package final class TestAuthority: Sendable {
    /// The files of a certificate.
    package struct Files: Sendable {
        package let certificate: String
        package let key: String
        /// The owner of the folder, which goes with it.
        private let authority: TestAuthority

        fileprivate init(_ name: String, of authority: TestAuthority) {
            self.certificate = authority.path("\(name).crt")
            self.key = authority.path("\(name).key")
            self.authority = authority
        }
    }

    /// The time of a certificate, beside the present time.
    package enum Time: Sendable {
        case now
        case past
        case future

        var start: String {
            switch self {
            case .now, .past: "20200101000000Z"
            case .future: "20480101000000Z"
            }
        }

        var end: String {
            switch self {
            case .now, .future: "20490101000000Z"
            case .past: "20210101000000Z"
            }
        }
    }

    /// The names of this machine, as a daemon of a test needs them.
    package static let local = "subjectAltName=DNS:localhost,IP:127.0.0.1"

    private let folder: URL

    /// The authority's own certificate.
    package var file: String { self.path("ca.crt") }

    /// Makes an authority.
    package init(name: String = "Test authority") throws {
        self.folder = FileManager.default.temporaryDirectory.appending(path: "rac-\(UUID().uuidString.prefix(8))")
        try FileManager.default.createDirectory(at: self.folder, withIntermediateDirectories: false)
        try Data().write(to: self.folder.appending(path: "index.txt"))
        try Data("01\n".utf8).write(to: self.folder.appending(path: "serial"))
        try Data(Self.configuration.utf8).write(to: self.folder.appending(path: "ca.cnf"))
        try self.openssl(
            "req",
            "-x509",
            "-newkey",
            "ec",
            "-pkeyopt",
            "ec_paramgen_curve:prime256v1",
            "-nodes",
            "-days",
            "3650",
            "-keyout",
            "ca.key",
            "-out",
            "ca.crt",
            "-subj",
            "/CN=\(name)"
        )
    }

    deinit {
        try? FileManager.default.removeItem(at: self.folder)
    }

    /// A file in the authority's folder.
    package func path(_ name: String) -> String { self.folder.appending(path: name).path }

    /// Signs a certificate with a key of its own.
    ///
    /// - Parameters:
    ///   - file: The name of the files.
    ///   - subject: The subject, as openssl takes it.
    ///   - extensions: Lines as openssl takes them.
    ///   - time: The time of the certificate.
    /// - Returns: The files of the certificate and of its key.
    /// - Throws: The fault of openssl.
    package func sign(
        _ file: String,
        subject: String = "/CN=localhost",
        extensions: String = TestAuthority.local,
        time: Time = .now
    ) throws -> Files {
        try Data(extensions.utf8).write(to: self.folder.appending(path: "\(file).ext"))
        try self.openssl(
            "req",
            "-new",
            "-newkey",
            "ec",
            "-pkeyopt",
            "ec_paramgen_curve:prime256v1",
            "-nodes",
            "-keyout",
            "\(file).key",
            "-out",
            "\(file).csr",
            "-subj",
            subject,
            "-utf8"
        )
        try self.openssl(
            "ca",
            "-batch",
            "-config",
            "ca.cnf",
            "-cert",
            "ca.crt",
            "-keyfile",
            "ca.key",
            "-in",
            "\(file).csr",
            "-out",
            "\(file).crt",
            "-startdate",
            time.start,
            "-enddate",
            time.end,
            "-extfile",
            "\(file).ext",
            "-notext",
            "-utf8"
        )
        return Files(file, of: self)
    }

    private static let configuration = """
        [ca]
        default_ca = authority
        [authority]
        database = index.txt
        serial = serial
        new_certs_dir = .
        default_md = sha256
        policy = any
        unique_subject = no
        [any]
        countryName = optional
        organizationName = optional
        commonName = optional
        """

    /// Runs openssl in the folder, and waits for its end.
    ///
    /// Foundation's `Process` read beyond its memory, and crashed, while other threads opened and closed files.
    private func openssl(_ words: String...) throws {
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        for descriptor in Int32(0)...2 {
            posix_spawn_file_actions_addopen(&actions, descriptor, "/dev/null", O_RDWR, 0)
        }
        // The sockets that NIO accepts go to a program, too, and a daemon of another test could not close them.
        posix_spawn_file_actions_addclosefrom_np(&actions, 3)
        let call = ["sh", "-c", "cd \"$0\" && exec openssl \"$@\"", self.folder.path] + words
        var arguments = call.map { strdup($0) } + [nil]
        defer { for argument in arguments { free(argument) } }
        var process: pid_t = 0
        guard posix_spawnp(&process, "sh", &actions, nil, &arguments, environ) == 0 else {
            throw Surprise(expected: "sh to start")
        }
        var status: Int32 = 0
        while waitpid(process, &status, 0) < 0, errno == EINTR {}
        guard status == 0 else { throw Surprise(expected: "openssl \(words) to succeed") }
    }
}
