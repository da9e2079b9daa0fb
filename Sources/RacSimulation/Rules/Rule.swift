/// The promises of racd: the rows of docs/guarantees.md.
package enum Rule: String, CaseIterable, Sendable {
    case noEcho = "no echo"
    case oneOrder = "one order"
    case agreement = "agreement"
    case ends = "ends"
    case slowReaders = "slow readers"
    case turns = "turns"
    case answers = "answers"
    case conditions = "conditions"
    case allOrNothing = "all or nothing"
    case exactlyOnce = "exactly once"
    case revisions = "revisions"
    case durability = "durability"
    /// A change that was answered as stored is in the files that a start finds.
    case filesInPlace = "files in place"
    case crash = "what a crash loses"
    case links = "links at rest"
    case lostConnections = "lost connections"
    case watches = "watches"
    case commands = "commands"
    case frames = "frames"
    /// No client learns what its rules do not let it read.
    case secrets = "secrets"
    /// Nothing takes effect that the rules do not grant.
    case rights = "rights"
    /// Clients have in the end what the newest rules grant.
    case judged = "judged anew"
    /// Nothing is refused or ended that the rules grant.
    case standing = "rights that stand"
    /// Everything comes to rest after the last action, and every message can be read.
    case rest = "rest"
}

/// A promise that was broken.
package struct Violation: Error, Hashable, Sendable, CustomStringConvertible {
    package let rule: Rule
    package let what: String

    init(_ rule: Rule, _ what: String) {
        self.rule = rule
        // Values can be long.
        self.what = what.utf8.count <= 1_000 ? what : "\(what.prefix(1_000))…"
    }

    package var description: String { "\(self.rule.rawValue): \(self.what)" }
}

/// Throws the rule that is broken, unless the condition holds.
func hold(_ rule: Rule, _ condition: Bool, _ what: @autoclosure () -> String) throws(Violation) {
    guard condition else { throw Violation(rule, what()) }
}

func hold(_ rule: Rule, _ condition: Bool, _ what: () -> String) throws(Violation) {
    guard condition else { throw Violation(rule, what()) }
}

extension Rule {
    /// A client has read a payload of the daemon.
    static func checkLength(_ bytes: Int) throws(Violation) {
        try hold(.frames, bytes <= Bounds.longestPayload) { "a frame of the daemon has \(bytes) bytes" }
    }
}
