/// The protection in the settings of each server: one user who may use the channels of the benchmarks, and nothing else.
///
/// All servers speak TLS 1.3 with AES-128-GCM, because the generator offers nothing else. Settings name both where there is a setting.
extension Protection {
    /// The hash of the user's secret, as racd and Redis keep it: one SHA-256.
    private static let hash = "a4a8e11413ebcb6f423c51572ad83737afd0fe56bb1a98a810f4e89aa18493ac"

    /// The secret as `mosquitto_passwd` writes it: PBKDF2 with SHA-512, 101 times, which is its default.
    private static let hashOfMosquitto =
        "$7$101$Y0ea1poJCyWCd+yP$NhICuDMkmuprMsAhQ9PIARJ+X4qI6sbwsk2HE17xWpyNlaJpUyhaPRZ7u1/m28t5EF6y/4NMotydya4dAWwFyg=="

    /// The configuration file of racd; nil without rules.
    var rulesOfRacd: String? {
        guard let credentials else { return nil }
        return """
            [[role]]
            name = "reader"
            read = ["bench/**"]

            [[role]]
            name = "writer"
            read = ["bench/**"]
            write = ["bench/**"]
            lead = ["bench/**"]

            [[principal]]
            name = "\(credentials.user)"
            roles = ["reader", "writer"]
            token = "sha256:\(Self.hash)"

            """
    }

    var tlsOfMosquitto: String {
        guard let certificate else { return "" }
        return """
            certfile \(certificate.certificateFile)
            keyfile \(certificate.keyFile)
            tls_version tlsv1.3
            ciphers_tls1.3 TLS_AES_128_GCM_SHA256

            """
    }

    /// The settings, and the files that they name.
    func rulesOfMosquitto(in folder: String) -> (settings: String, files: [String: String]) {
        guard let credentials else { return ("allow_anonymous true\n", [:]) }
        let settings = """
            allow_anonymous false
            password_file \(folder)/passwords
            acl_file \(folder)/acl

            """
        let files = [
            "passwords": "\(credentials.user):\(Self.hashOfMosquitto)\n",
            "acl": "user \(credentials.user)\ntopic readwrite bench/#\n",
        ]
        return (settings, files)
    }

    /// A bcrypt hash would cost a tenth of a second for each connection, so the secret stands in the file.
    var settingsOfNATS: String {
        var settings = ""
        if let certificate {
            settings += """
                tls {
                    cert_file: "\(certificate.certificateFile)"
                    key_file: "\(certificate.keyFile)"
                    timeout: 30
                }

                """
        }
        guard let credentials else { return settings }
        return settings + """
            authorization {
                timeout: 30
                users: [{
                    user: "\(credentials.user)"
                    password: "\(credentials.secret)"
                    permissions: {
                        publish: ["bench.>", "inbox.>", "$JS.API.>"]
                        subscribe: ["bench.>", "inbox.>", "watch.>"]
                    }
                }]
            }

            """
    }

    func settingsOfRedis(port: UInt16) -> String {
        let tls =
            if let certificate {
                """
                port 0
                tls-port \(port)
                tls-cert-file \(certificate.certificateFile)
                tls-key-file \(certificate.keyFile)
                tls-auth-clients no
                tls-protocols "TLSv1.3"
                tls-ciphersuites TLS_AES_128_GCM_SHA256

                """
            } else {
                "port \(port)\n"
            }
        guard let credentials else { return tls }
        return tls + """
            user default off
            user \(credentials.user) on #\(Self.hash) ~bench/* &bench/* +@connection +@pubsub +@read +@write

            """
    }
}
