/// A reader for whom nobody waits, and what it got after it had stopped reading for a while.
package struct Bystander {
    let client: Int
    /// Values that came since it stopped reading.
    package private(set) var got = 0
    /// Values that were left out since.
    package private(set) var skipped = 0
    /// The last value that came.
    package private(set) var newest = 0
    /// Whether the server ended its connection.
    package private(set) var isLost = false
    private var isCounting = false

    package init(client: Int) {
        self.client = client
    }

    /// It stops reading.
    package mutating func stall() {
        self.isCounting = true
    }

    package mutating func arrived(_ value: NumberedValue) {
        if self.isCounting {
            self.got += 1
            self.skipped += max(0, value.number - self.newest - 1)
        }
        self.newest = value.number
    }

    package mutating func lost() {
        self.isLost = true
    }
}
