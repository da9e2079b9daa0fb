import ArgumentParser
import RacConnection
import RacProtocol

/// `NAME=VALUE` on the command line.
struct Assignment {
    let channel: ChannelName
    let value: String

    init(_ text: String) throws {
        guard let sign = text.unicodeScalars.firstIndex(of: "=") else {
            throw ValidationError("write NAME=VALUE")
        }
        // By scalars: a sign and the mark at the beginning of a value are one Character.
        self.channel = try ChannelName(String(text.unicodeScalars[..<sign]))
        self.value = String(text.unicodeScalars[sign...].dropFirst())
    }
}

/// `NAME=REVISION` on the command line.
struct RevisionCondition {
    let channel: ChannelName
    let revision: Revision

    init(_ text: String) throws {
        guard let sign = text.lastIndex(of: "="), let number = UInt64(text[text.index(after: sign)...]) else {
            throw ValidationError("write NAME=REVISION")
        }
        self.channel = try ChannelName(String(text[..<sign]))
        self.revision = Revision(number)
    }
}
