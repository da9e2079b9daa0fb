import ArgumentParser
import Foundation
import RacServer

extension SocketRights {
    /// Reads the argument of `--socket-mode`, an octal number as chmod takes it.
    static func mode(_ text: String) throws -> mode_t {
        guard let mode = mode_t(text, radix: 8), mode <= 0o777 else {
            throw ValidationError("a mode is an octal number from 0 to 777, such as 0660")
        }
        return mode
    }

    /// Reads the argument of `--socket-group`, a group's name or number.
    static func group(_ text: String) throws -> gid_t {
        if let number = gid_t(text) { return number }
        guard let group = getgrnam(text) else { throw ValidationError("there is no group '\(text)'") }
        return group.pointee.gr_gid
    }
}
