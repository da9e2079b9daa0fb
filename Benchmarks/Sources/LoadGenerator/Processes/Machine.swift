import CBenchmark
import FoundationEssentials
import Glibc

/// The machine that the benchmarks run on, and what this process may use of it.
package struct Machine: Sendable {
    /// The core of the servers; nil if there is one core only, which everybody shares.
    package let serverCore: Int?
    /// The core of the load generator.
    package let generatorCore: Int?

    /// Looks which cores there are and pins this process to the last one, if there are two or more.
    package init() throws {
        var cores: [Int32] = Array(repeating: 0, count: 1024)
        let count = Int(cbenchmark_allowed_cores(&cores, Int32(cores.count)))
        guard count >= 2 else {
            self.serverCore = nil
            self.generatorCore = nil
            return
        }
        // Neighbouring numbers are often two threads of one core.
        self.serverCore = Int(cores[0])
        self.generatorCore = Int(cores[count - 1])
        guard cbenchmark_pin(cores[count - 1]) == 0 else { throw SystemError.last("sched_setaffinity") }
    }

    /// Whether the generator has a core of its own.
    package var isShared: Bool {
        self.serverCore == nil
    }

    /// Raises the limit of open files, which servers that are started later inherit.
    ///
    /// - Throws: If fewer than `count` files may be open even so.
    package func raiseOpenFiles(toAtLeast count: Int) throws {
        let limit = cbenchmark_raise_open_files()
        guard limit >= 0 else { throw SystemError.last("setrlimit") }
        guard limit >= count else {
            throw SetupError("\(count) files must be open at once, this process may have \(limit): see ulimit -Hn")
        }
    }

    /// The facts of this moment that make figures doubtful.
    package static var warnings: [String] {
        var load = 0.0
        guard getloadavg(&load, 1) == 1, load > 0.5 else { return [] }
        return ["load average \(load.text(decimals: 1)): other programs are running, the figures suffer from them"]
    }

    /// Processor, number of cores and kernel, in one line.
    package static var summary: String {
        let cpu = (try? String(contentsOfFile: "/proc/cpuinfo", encoding: .utf8)) ?? ""
        let model = cpu.split(separator: "\n").first { $0.hasPrefix("model name") }?.split(separator: ":").last
        let kernel = (try? String(contentsOfFile: "/proc/sys/kernel/osrelease", encoding: .utf8)) ?? ""
        let parts = [
            model.map { $0.drop { $0 == " " } } ?? "unknown processor",
            "\(sysconf(Int32(_SC_NPROCESSORS_ONLN))) cores",
            "Linux \(kernel.filter { !$0.isNewline })",
        ]
        return parts.joined(separator: ", ")
    }
}

/// Something that the benchmarks need and do not have; a sentence for people.
package struct SetupError: Error, CustomStringConvertible {
    package let description: String

    package init(_ description: String) {
        self.description = description
    }
}
