import Glibc

extension DaemonAddress {
    /// The variable that names the daemon for every program.
    public static let variable = "RACD_SERVER"

    /// The daemon that the variable `RACD_SERVER` names; without it the one of this machine.
    ///
    /// - Returns: The address.
    /// - Throws: ``ClientError`` with code `invalidURL`.
    public static func fromEnvironment() throws(ClientError) -> DaemonAddress {
        guard let value = getenv(Self.variable) else { return .local }
        let url = String(cString: value)
        return url.isEmpty ? .local : try DaemonAddress(url)
    }
}
