import RacConnection
import RacProtocol

/// Asks racd for the names that a shell offers: within a moment, and silently if no daemon answers.
struct NameSearch {
    /// Longer than a daemon on another continent takes; a person at a prompt waits no longer, unless the line says so.
    private static let timeout = Duration.milliseconds(400)
    private static let maximumNames: UInt64 = 500
    /// More names than this are offered folder by folder.
    private static let maximumOffers = 100

    private let server: String?
    private let context: String?
    private let tokenFile: String?
    private let files: TLSFiles
    private let isInsecure: Bool
    private let timeout: Duration

    /// - Parameter words: The words of the line, without the shell's quotes.
    init(words: [String]) {
        self.server = Self.value(of: ["--server", "-s"], in: words)
        self.context = Self.value(of: ["--context"], in: words)
        self.tokenFile = Self.value(of: ["--token-file"], in: words)
        self.files = TLSFiles(
            authority: Self.value(of: ["--ca"], in: words),
            certificate: Self.value(of: ["--cert"], in: words),
            key: Self.value(of: ["--key"], in: words)
        )
        self.isInsecure = words.prefix { $0 != "--" }.contains("--insecure")
        let seconds = Self.value(of: ["--timeout"], in: words).flatMap(Double.init)
        self.timeout = seconds.flatMap { CommonOptions.isTimeout($0) ? .seconds($0) : nil } ?? Self.timeout
    }

    /// The value of the option that a line gives last.
    static func value(of names: [String], in words: [String]) -> String? {
        let words = words.prefix { $0 != "--" }
        for (word, next) in zip(words, words.dropFirst().map(Optional.some) + [nil]).reversed() {
            for name in names {
                if word == name { return next }
                if name.hasPrefix("--"), word.hasPrefix("\(name)=") { return String(word.dropFirst(name.count + 1)) }
                if !name.hasPrefix("--"), word.hasPrefix(name) { return String(word.dropFirst(name.count)) }
            }
        }
        return nil
    }

    /// The names with a prefix, none if the daemon does not answer.
    func names(of meaning: WordMeaning, beginningWith prefix: String) async -> [String] {
        let names = (try? await self.all(of: meaning, beginningWith: prefix)) ?? []
        return Self.offers(names.filter { $0.utf8.starts(with: prefix.utf8) }, of: meaning, beginningWith: prefix)
    }

    /// The offers for these names: folders in the place of many names, and the patterns of folders with several names.
    static func offers(_ names: [String], of meaning: WordMeaning, beginningWith prefix: String) -> [String] {
        var counts: [String: Int] = [:]
        for folder in names.compactMap({ Self.folder(of: $0, behind: prefix) }) { counts[folder, default: 0] += 1 }
        var offers: [String] = []
        for name in names {
            let folder = Self.folder(of: name, behind: prefix).flatMap { counts[$0].map { $0 > 1 } == true ? $0 : nil }
            let offer = names.count > Self.maximumOffers ? folder ?? name : name
            if offer != offers.last { offers.append(offer) }
        }
        if meaning == .patterns { offers += counts.filter { $0.value > 1 }.keys.sorted().map { "\($0)**" } }
        return meaning == .assignments ? offers.map { $0.hasSuffix("/") ? $0 : "\($0)=" } : offers
    }

    private static func folder(of name: String, behind prefix: String) -> String? {
        name.dropFirst(prefix.count).firstIndex(of: "/").map { String(name[...$0]) }
    }

    // MARK: The daemon

    private func all(of meaning: WordMeaning, beginningWith prefix: String) async throws -> [String] {
        var options = CommonOptions()
        options.server = self.server
        options.context = try self.context.map { context in try ContextName(context) }
        options.tokenFile = self.tokenFile
        options.insecure = self.isInsecure
        options.authority = self.files.authority
        options.certificate = self.files.certificate
        options.key = self.files.key
        let destination = try options.destination
        var configuration = ConnectionConfiguration()
        configuration.tls = destination.tls
        configuration.token = try destination.tokenFile?.read().token
        configuration.allowsClearTextToken = options.allowsClearTextToken
        configuration.connectTimeout = self.timeout
        configuration.replyTimeout = self.timeout
        configuration.byeTimeout = self.timeout
        let connection = try await DaemonConnection.open(to: destination.address, configuration: configuration)
        let list = try? Self.list(prefix)
        let names =
            switch (meaning, list) {
            case (_, nil): [String]()
            case (.commands, let list?): (try? await Self.commands(list, over: connection)) ?? []
            case (_, let list?): (try? await Self.channels(list, over: connection)) ?? []
            }
        await connection.close()
        return names
    }

    private static func channels(_ list: List, over connection: DaemonConnection) async throws -> [String] {
        var names = try await connection.list(list).channels.map(\.channel.text)
        if let whole = list.after, (try? await connection.get(whole)) != nil { names.insert(whole.text, at: 0) }
        return names
    }

    private static func commands(_ list: List, over connection: DaemonConnection) async throws -> [String] {
        var names = try await connection.commands(list).commands.map(\.command.text)
        guard let whole = list.after else { return names }
        var exact = List()
        exact.pattern = try ChannelPattern(whole.text)
        if try await !connection.commands(exact).commands.isEmpty { names.insert(whole.text, at: 0) }
        return names
    }

    /// Names stand in the order of their bytes, so those with a prefix follow it.
    private static func list(_ prefix: String) throws -> List {
        var list = List()
        list.limit = Self.maximumNames
        list.after = try? ChannelName(prefix)
        let folder = prefix.lastIndex(of: "/").map { String(prefix[..<$0]) }
        // The daemon's own channels are in no pattern that does not name them.
        if let folder = folder ?? (prefix.hasPrefix("$") ? "$sys" : nil) {
            list.pattern = try ChannelPattern("\(folder)/**")
        }
        return list
    }
}
