/// The shell's number of a connection.
package struct ConnectionID: Hashable, Sendable {
    package let number: UInt64

    package init(_ number: UInt64) {
        self.number = number
    }
}
