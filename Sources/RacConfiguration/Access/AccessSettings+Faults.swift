import RacAccess
import RacProtocol

extension AccessSettings {
    /// Notes the faults that lie between tables: names and proofs given twice, and roles that are not there.
    ///
    /// - Parameter faults: The list, which has no other faults, so that each table has its place in the settings.
    func check(_ faults: FaultList) {
        self.checkNames(faults)
        self.checkProofs(faults)
        self.checkRoles(faults)
        guard !self.isClosed, !self.roles.isEmpty, faults.faults.isEmpty else { return }
        let help = "add a [[principal]] or [[jwt]], or set 'token-file' or 'anonymous'"
        faults.note("nobody can have these roles, and racd would be open: \(help)", of: ["role"])
    }

    private func checkNames(_ faults: FaultList) {
        func check(_ names: [String], of table: String) {
            var known: Set<ExactText> = []
            for (number, name) in names.enumerated() where !known.insert(ExactText(name)).inserted {
                faults.note("another [[\(table)]] has this name, too", of: [table, "\(number)", "name"])
            }
        }
        check(self.roles.map(\.name), of: "role")
        check(self.principals.map(\.name.text), of: "principal")
    }

    private func checkProofs(_ faults: FaultList) {
        func check(_ key: String, _ proofs: (Principal) -> [some Hashable]) {
            var owners: [AnyHashable: PrincipalName] = [:]
            for (number, principal) in self.principals.enumerated() {
                for proof in proofs(principal) {
                    let owner = owners.updateValue(principal.name, forKey: proof)
                    guard let owner else { continue }
                    let message = owner == principal.name ? "the value stands twice" : "'\(owner)' has this value, too"
                    faults.note(message, of: ["principal", "\(number)", key])
                }
            }
        }
        check("token") { $0.tokens.map(\.hash) }
        check("certificate", \.certificates)
        check("unix-user", \.unixUsers)
    }

    private func checkRoles(_ faults: FaultList) {
        let known = self.roles.map(\.name)
        func check(_ roles: [String], of path: [String]) {
            for (number, role) in roles.enumerated() {
                if roles[..<number].containsExactly(role) {
                    faults.note("the role '\(role)' stands twice", of: path)
                } else if !known.containsExactly(role) {
                    let meant = Spelling.nearest(to: String(role.prefix(64)), among: known)
                    faults.note("there is no role '\(role)'\(meant.map { "; '\($0)' may be meant" } ?? "")", of: path)
                }
            }
        }
        check(self.anonymousRoles, of: ["anonymous"])
        for (number, principal) in self.principals.enumerated() {
            check(principal.roles, of: ["principal", "\(number)", "roles"])
        }
    }
}
