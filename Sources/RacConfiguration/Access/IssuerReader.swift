import RacAccess

/// Reads a table `[[jwt]]`.
struct IssuerReader {
    /// The seconds by which the issuer's clock may be ahead.
    private static let leeway = 0...3600

    private let folder: FilePlace

    init(in folder: FilePlace) {
        self.folder = folder
    }

    func read(_ table: TableReader) -> IssuerSettings? {
        var table = table
        for key in ["issuer", "audience", "keys", "algorithms"] { table.require(key) }
        let issuer = table.string("issuer")
        let audiences = table.some("audience", as: TableReader.filled)
        let keys = table.string("keys", as: self.folder.path)
        let algorithms = table.some("algorithms", as: Self.algorithm)
        let rolesClaim = table.some("roles-claim", as: TableReader.filled)
        let nameClaim = table.string("name-claim")
        let leeway = table.integer("leeway", in: Self.leeway)
        table.end()
        guard let issuer, let keys else { return nil }
        var terms = IssuerTerms(issuer: issuer, audiences: audiences, algorithms: algorithms)
        if !rolesClaim.isEmpty { terms.rolesClaim = rolesClaim }
        if let nameClaim { terms.nameClaim = nameClaim }
        if let leeway { terms.leeway = Int64(leeway) * 1000 }
        return IssuerSettings(terms, keyFile: keys)
    }

    private static func algorithm(_ word: String) throws(RuleError) -> JWTAlgorithm {
        if let algorithm = JWTAlgorithm(rawValue: word) { return algorithm }
        let words = JWTAlgorithm.allCases.map(\.rawValue).joined(separator: ", ")
        let help = word.hasPrefix("HS") ? "a secret that checks tokens could make them, too; " : ""
        throw RuleError("'\(word)' is no algorithm that racd takes: \(help)they are \(words)")
    }
}
