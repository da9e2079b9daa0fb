import Glibc
import Logging
import RacAccess
import RacServer

/// A configuration file that was read whole and has no fault.
package struct ConfigurationFile: Sendable {
    /// The file that is read unless another one is named, if it is there.
    package static let standardPath = "/etc/racd/racd.toml"

    package let path: String
    package let settings: Settings
    package let access: AccessSettings
    private let lines: KeyLines

    /// Reads a file.
    ///
    /// - Throws: ``ConfigurationError``: the file cannot be read, or all its faults.
    package init(path: String) throws(ConfigurationError) {
        let text = try FileText.read(path)
        try self.init(text: text, path: path)
    }

    /// Reads the text of a file.
    ///
    /// - Parameters:
    ///   - text: The text.
    ///   - path: The path of the file, for messages; relative paths in the text begin in its folder.
    /// - Throws: ``ConfigurationError``: all faults of the text.
    package init(text: String, path: String) throws(ConfigurationError) {
        let items: [String: TOMLItem]
        let lines: KeyLines
        do {
            (items, lines) = try TOMLParser.read(text)
        } catch {
            throw ConfigurationError(file: path, faults: [error])
        }
        let faults = FaultList(lines)
        let table = TableReader(items, faults, outside: SettingKey.outsideTables)
        var reader = FileReader(table, in: FilePlace(of: path), faults)
        let settings = reader.settings()
        let access = reader.access()
        reader.end()
        if faults.faults.isEmpty { access.check(faults) }
        guard faults.faults.isEmpty else {
            throw ConfigurationError(file: path, faults: faults.faults, logFormat: settings.logFormat)
        }
        self.path = path
        self.settings = settings
        self.access = access
        self.lines = lines
    }

    /// A list for faults that show when the file is compared with its surroundings.
    func makeFaultList() -> FaultList { FaultList(self.lines) }

    /// The error for a fault of a key, which the message names.
    func error(_ message: String, of path: [String]) -> ConfigurationError {
        let faults = self.makeFaultList()
        faults.note(message, of: path)
        return ConfigurationError(file: self.path, faults: faults.faults)
    }
}

/// Takes the keys of a whole file.
private struct FileReader {
    private var table: TableReader
    private let place: FilePlace
    private let faults: FaultList

    init(_ table: TableReader, in place: FilePlace, _ faults: FaultList) {
        self.table = table
        self.place = place
        self.faults = faults
    }

    mutating func settings() -> Settings {
        var settings = Settings()
        settings.storage = self.storage()
        settings.durability = self.table.word(SettingKey.durability.rawValue)
        settings.maxFrame = self.table.integer(SettingKey.maxFrame.rawValue, in: SettingRange.maxFrame)
        settings.maxConnections = self.table.integer(
            SettingKey.maxConnections.rawValue,
            in: SettingRange.maxConnections
        )
        settings.threads = self.table.integer(SettingKey.threads.rawValue, in: SettingRange.threads)
        settings.logLevel = self.table.word(SettingKey.logLevel.rawValue)
        settings.logFormat = self.table.word(SettingKey.logFormat.rawValue)
        settings.isInsecure = self.table.boolean(SettingKey.insecure.rawValue)
        settings.socketMode = self.table.string(
            SettingKey.socketMode.rawValue,
            wanted: "an octal number in quotes, such as \"0660\"",
            as: SocketSetting.mode
        )
        settings.socketGroup = self.table.string(SettingKey.socketGroup.rawValue, as: SocketSetting.group)
        settings.listeners = self.listeners()
        if var web = self.table.table("web") {
            settings.isHTTP = web.boolean("http")
            settings.origins = web.strings("origins", as: WebSetting.origin)
            settings.hosts = web.strings("hosts", as: WebSetting.host)
            settings.console = web.string("console", as: self.place.path)
            web.end()
        }
        return settings
    }

    private mutating func storage() -> StorageSetting? {
        let folder = self.table.string(SettingKey.data.rawValue, as: self.place.path)
        let isMemory = self.table.boolean(SettingKey.memory.rawValue) ?? false
        guard isMemory else { return folder.map(StorageSetting.folder) }
        if self.table.has(SettingKey.data.rawValue) {
            self.table.fault("'memory' and 'data' exclude each other: leave one out", of: SettingKey.memory.rawValue)
        }
        return .memory
    }

    private mutating func listeners() -> [ListenerSetting]? {
        guard let tables = self.table.tables(SettingKey.listen.rawValue) else { return nil }
        let listeners = tables.map { ($0, ListenerReader(in: self.place).read($0)) }
        var addresses: [ListenAddress] = []
        for (table, listener) in listeners {
            guard let address = listener?.address else { continue }
            if addresses.contains(where: { $0.text == address.text }) {
                table.fault("another [[listen]] has this address, too", of: "address")
            } else if let other = addresses.first(where: address.overlaps) {
                table.fault("\(other) has this port already: leave one of the two out", of: "address")
            }
            addresses.append(address)
        }
        return listeners.compactMap(\.1)
    }

    mutating func access() -> AccessSettings {
        var access = AccessSettings()
        access.tokenFile = self.table.string(SettingKey.tokenFile.rawValue, as: self.place.path)
        access.anonymousRoles = self.table.strings(SettingKey.anonymous.rawValue) ?? []
        access.roles = (self.table.tables("role") ?? []).compactMap(RoleReader().read)
        let reader = PrincipalReader(hasTokenFile: self.table.has(SettingKey.tokenFile.rawValue))
        access.principals = (self.table.tables("principal") ?? []).compactMap(reader.read)
        access.issuers = self.issuers()
        return access
    }

    private mutating func issuers() -> [IssuerSettings] {
        let tables = (self.table.tables("jwt") ?? []).map { ($0, IssuerReader(in: self.place).read($0)) }
        var names: Set<String> = []
        for (table, issuer) in tables {
            guard let issuer, !names.insert(issuer.terms.issuer).inserted else { continue }
            table.fault("another [[jwt]] has this issuer, too: 'audience' takes an array", of: "issuer")
        }
        return tables.compactMap(\.1)
    }

    func end() {
        self.table.end(besides: TableKeys.headers)
    }
}
