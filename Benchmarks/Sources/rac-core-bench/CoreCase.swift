/// One piece of work, and who does it.
struct CoreCase: Sendable {
    /// The operation, in the first column.
    var name: String
    /// The number of sends, values or executions of one run; figures are for one of them.
    var operations: Int
    /// Whether a send must ask for no memory once everything is set up.
    var allocatesNothing = false
    /// Ours, the yardstick and, where there is a like, an asynchronous sequence.
    var contenders: [Contender]

    /// Somebody who does the work.
    struct Contender: Sendable {
        /// The library under measurement.
        var library: Library
        /// Sets up once for each round; what it returns does the work so many times and answers the sum of what arrived.
        var prepare: @Sendable () -> @Sendable (Int) async -> Int

        init(_ library: Library, _ prepare: @escaping @Sendable () -> @Sendable (Int) async -> Int) {
            self.library = library
            self.prepare = prepare
        }
    }

    /// The contenders.
    enum Library: String, Sendable {
        case rac = "rac"
        case openCombine = "OpenCombine"
        case asyncSequence = "AsyncSequence"
    }
}
