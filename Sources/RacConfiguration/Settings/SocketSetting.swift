import Glibc

/// Reads the rights of Unix sockets, as chmod and chgrp take them.
package enum SocketSetting {
    /// Reads an octal number.
    package static func mode(_ text: String) throws(ConfigurationFault) -> UInt32 {
        guard let mode = UInt32(text, radix: 8), mode <= 0o777 else {
            throw ConfigurationFault("a mode is an octal number from 0 to 777, such as 0660")
        }
        return mode
    }

    /// The number of a group by its name or number.
    package static func group(_ text: String) throws(ConfigurationFault) -> UInt32 {
        if let number = UInt32(text) { return number }
        guard let group = getgrnam(text) else { throw ConfigurationFault("there is no group '\(text)'") }
        return group.pointee.gr_gid
    }
}
