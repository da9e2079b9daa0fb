import RacAccess

/// A JWKS file: the public keys of an issuer of JWTs.
struct KeyFile {
    let path: String

    /// Reads the keys.
    ///
    /// - Throws: ``ConfigurationError``: the file cannot be read, others may write it, or its first fault.
    func read() throws(ConfigurationError) -> JSONWebKeySet {
        let text = try FileText.read(self.path)
        let mode = FileMode.status(of: self.path).map(FileMode.init)
        if let fault = mode?.writable(self.path, allows: "give themselves every right") {
            throw ConfigurationError(file: self.path, fault)
        }
        do {
            return try JSONWebKeySet(text)
        } catch {
            throw ConfigurationError(file: self.path, "\(error)")
        }
    }
}
