import Logging
import RacAccess
import RacServer
import RacWeb

/// The settings that hold as the text of a configuration file, each with its source; tokens are counted, not shown.
package struct ConfigurationListing {
    /// The column at which the sources begin.
    private static let column = 40

    private let configuration: Configuration
    private let folder: String?

    /// Makes a listing.
    ///
    /// - Parameters:
    ///   - configuration: The settings.
    ///   - folder: The data folder; nil if the daemon keeps nothing.
    package init(_ configuration: Configuration, folder: String?) {
        self.configuration = configuration
        self.folder = folder
    }

    package var lines: [String] {
        let access = self.configuration.access
        return self.values + self.configuration.listeners.flatMap(self.listener) + access.roles.flatMap(Self.role)
            + access.principals.flatMap(Self.principal) + access.issuers.flatMap(self.issuer)
    }

    private var values: [String] {
        SettingKey.allCases.compactMap { key in
            self.value(key).map { value in
                Self.line("\(key.rawValue) = \(value)", self.configuration.origin(of: key))
            } ?? self.absent(key).map { Self.line("# \(key.rawValue): \($0)", .standard) }
        }
    }

    /// The value of a key; nil if it has none, or has tables of its own.
    private func value(_ key: SettingKey) -> String? {
        let configuration = self.configuration
        return switch key {
        case .data: self.folder.map(TOMLWriting.string)
        case .memory: "\(self.folder == nil)"
        case .durability: TOMLWriting.string(configuration.durability.rawValue)
        case .maxFrame: "\(configuration.maxFrame)"
        case .maxConnections: "\(configuration.maxConnections)"
        case .threads: "\(configuration.threads)"
        case .logLevel: TOMLWriting.string(configuration.logLevel.rawValue)
        case .logFormat: TOMLWriting.string(configuration.logFormat.rawValue)
        case .insecure: "\(configuration.isInsecure)"
        case .socketMode: configuration.socketRights.mode.map { "\"\(FileMode.text($0))\"" }
        case .socketGroup: configuration.socketRights.group.map { "\"\($0)\"" }
        case .http: "\(configuration.web != nil)"
        case .origins: configuration.web.map { TOMLWriting.strings($0.origins.sorted()) }
        case .hosts: configuration.web.map { TOMLWriting.strings($0.hosts.sorted()) }
        case .console: configuration.web?.folder.map(TOMLWriting.string)
        case .listen: nil
        case .tokenFile: configuration.access.tokenFile.map(TOMLWriting.string)
        case .anonymous: TOMLWriting.strings(configuration.access.anonymousRoles)
        }
    }

    /// The words for a key that has no value.
    private func absent(_ key: SettingKey) -> String? {
        switch key {
        case .socketMode: "by the umask"
        case .socketGroup: "that of racd"
        case .tokenFile: "none"
        case .console: self.configuration.web == nil ? nil : "the files in racd"
        default: nil
        }
    }

    private static func line(_ text: String, _ origin: Origin) -> String {
        text + String(repeating: " ", count: max(2, Self.column - text.count)) + "# \(origin)"
    }

    private func listener(_ listener: ListenerSetting) -> [String] {
        var lines = ["", Self.line("[[listen]]", self.configuration.origin(of: .listen))]
        let address = listener.address
        let text = address.place == nil ? address.description : address.text
        lines.append("address = \(TOMLWriting.string(text))")
        guard let tls = listener.tls else { return lines + ["tls = \"off\""] }
        let mode = address.hasPlain ? ListenerSetting.TLSMode.either : .required
        lines += [
            "tls = \"\(mode.rawValue)\"", "certificate = \(TOMLWriting.string(tls.certificateFile))",
            "key = \(TOMLWriting.string(tls.keyFile))",
        ]
        if let authority = tls.clients.authorityFile { lines.append("client-ca = \(TOMLWriting.string(authority))") }
        return lines + ["clients = \"\(listener.clients.rawValue)\""]
    }

    private func issuer(_ issuer: IssuerSettings) -> [String] {
        let terms = issuer.terms
        return [
            "", Self.line("[[jwt]]", self.configuration.file.map { Origin.file($0.path) } ?? .standard),
            "issuer = \(TOMLWriting.string(terms.issuer))", "audience = \(TOMLWriting.strings(terms.audiences))",
            "keys = \(TOMLWriting.string(issuer.keyFile))",
            "algorithms = \(TOMLWriting.strings(terms.algorithms.map(\.rawValue)))",
            "roles-claim = \(TOMLWriting.strings(terms.rolesClaim))",
            "name-claim = \(TOMLWriting.string(terms.nameClaim))", "leeway = \(terms.leeway / 1000)",
        ]
    }

    private static func role(_ role: AccessRole) -> [String] {
        let grants = Verb.allCases.compactMap { verb in
            role.grants[verb].map { "\(verb.rawValue) = \(TOMLWriting.strings($0.map(\.text)))" }
        }
        let denied = role.denied.isEmpty ? [] : ["deny = \(TOMLWriting.strings(role.denied.map(\.text)))"]
        let admin = role.isAdministrator ? ["admin = true"] : []
        let bounds = RoleBound.allCases.compactMap { bound in role.bounds[bound].map { "\(bound.rawValue) = \($0)" } }
        return ["", "[[role]]", "name = \(TOMLWriting.string(role.name))"] + grants + denied + admin + bounds
    }

    private static func principal(_ principal: Principal) -> [String] {
        var lines = [
            "", "[[principal]]", "name = \(TOMLWriting.string(principal.name.text))",
            "roles = \(TOMLWriting.strings(principal.roles))",
        ]
        if let token = principal.tokens.first {
            let end = token.expiresAt.map { ", until \(Moment.text($0))" } ?? ""
            lines.append("# token: \(principal.tokens.count)\(end)")
        }
        if !principal.certificates.isEmpty {
            lines.append("certificate = \(TOMLWriting.strings(principal.certificates))")
        }
        if !principal.unixUsers.isEmpty {
            lines.append("unix-user = [\(principal.unixUsers.map { "\($0)" }.joined(separator: ", "))]")
        }
        return lines
    }
}
