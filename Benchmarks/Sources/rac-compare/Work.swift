import LoadGenerator

/// The figures of one measurement, by name.
typealias Figures = [String: Double]

/// A piece of work that every peer does: what is measured, in cells, and how the figures read.
struct Work {
    /// A figure as the tables have it.
    ///
    /// The first one of a work is its result, of which ratios are printed.
    struct Figure {
        enum Better {
            case more, less
            /// Nothing to be judged by.
            case neither
        }

        var name: String
        /// The column's head, with the unit.
        var title: String
        var decimals: Int
        var better: Better
    }

    /// One measurement with its parameters.
    struct Cell {
        var label: String
        var purpose: Peer.Purpose = .broadcast
        /// Whether servers may use every core, and not only their own.
        var isOnAnyCore = false
        /// The name in the chart; nil if the chart does not show it.
        var chartTitle: String?
        var measure: (Starter) throws -> Figures
        /// A yardstick: this work without a server, in a folder for its files.
        var yardstick: (name: String, measure: (String) throws -> Figures)?
    }

    /// The name for `--only`.
    var name: String
    var title: String
    /// Lines of at most 80 columns.
    var explanation: [String]
    var figures: [Figure]
    /// Figures that show a fault unless they are 0, and what they count.
    var faults: [(name: String, text: String)] = []
    var cells: [Cell]
}

/// Starts one peer, again and again with the same data.
struct Starter {
    var peer: Peer
    var purpose: Peer.Purpose
    var protection: Protection
    var core: Int?
    var folder: String

    func start() throws -> ServerProcess {
        try ServerProcess(self.peer, for: self.purpose, self.protection, core: self.core, folder: self.folder)
    }

    /// Starts it, measures and ends it in order.
    func with<R>(_ body: (Server) throws -> R) throws -> R {
        let process = try self.start()
        let result = try body(process.server)
        try process.stop()
        return result
    }
}
