import RacAccess

/// The keys of the tables of a configuration file, for keys that stand outside of them.
enum TableKeys {
    private static let keys: KeyValuePairs<String, [String]> = [
        "[[listen]]": ["address", "tls", "certificate", "key", "client-ca", "clients"],
        "[[role]]": ["name", "deny"] + Verb.allCases.map(\.rawValue) + RoleBound.allCases.map(\.rawValue),
        "[[principal]]": ["name", "roles", "token", "token-expires", "certificate", "unix-user"],
        "[[jwt]]": ["issuer", "audience", "keys", "algorithms", "roles-claim", "name-claim", "leeway"],
        "[web]": ["http", "origins", "hosts", "console"],
    ]

    /// The headers of the tables that have a key, by the key.
    static let headers: [String: [String]] = Dictionary(
        Self.keys.flatMap { header, keys in keys.map { ($0, [header]) } },
        uniquingKeysWith: +
    )
}
