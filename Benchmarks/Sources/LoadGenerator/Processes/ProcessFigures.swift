import FoundationEssentials
package import Glibc

/// The kernel's figures of the running processes of one server, added up.
package struct ProcessFigures: Sendable {
    private let folders: [String]

    package init(_ processes: [pid_t]) {
        self.folders = processes.map { "/proc/\($0)" }
    }

    /// The processor time that all their threads have used, in seconds; counted in hundredths.
    package var cpuSeconds: Double {
        get throws { try self.folders.reduce(0) { try $0 + Self.cpuSeconds($1) } }
    }

    private static func cpuSeconds(_ folder: String) throws -> Double {
        let text = try String(contentsOfFile: "\(folder)/stat", encoding: .utf8)
        // The second field is the program's name in brackets, which may hold spaces.
        let fields = text[(text.lastIndex(of: ")") ?? text.startIndex)...].split(separator: " ")
        guard fields.count > 13, let user = Double(fields[12]), let system = Double(fields[13]) else {
            throw ProtocolError.unexpected("no processor time in \(folder)/stat")
        }
        return (user + system) / Double(sysconf(Int32(_SC_CLK_TCK)))
    }

    /// Their memory now.
    package var memory: Memory {
        get throws {
            var memory = Memory(residentKiB: 0, privateKiB: 0)
            for folder in self.folders {
                let kibibytes = try Self.kibibytes(in: "\(folder)/smaps_rollup")
                memory.residentKiB += kibibytes["Rss:", default: 0]
                memory.privateKiB += kibibytes["Private_Clean:", default: 0] + kibibytes["Private_Dirty:", default: 0]
            }
            return memory
        }
    }

    /// The most of each that was ever in RAM, in KiB: `VmHWM`.
    package var peakResidentKiB: Double {
        get throws { try self.folders.reduce(0) { try $0 + Self.kibibytes(in: "\($1)/status")["VmHWM:", default: 0] } }
    }

    /// The lines of a file with a number of KiB, by their first word.
    private static func kibibytes(in file: String) throws -> [Substring: Double] {
        let text = try String(contentsOfFile: file, encoding: .utf8)
        var kibibytes: [Substring: Double] = [:]
        for line in text.split(separator: "\n") {
            let words = line.split(whereSeparator: \.isWhitespace)
            if words.count == 3 { kibibytes[words[0]] = Double(words[1]) }
        }
        return kibibytes
    }

    /// Memory of processes that is in RAM, in KiB.
    package struct Memory: Sendable {
        /// All of it, shared libraries too: `VmRSS`.
        package var residentKiB: Double
        /// The memory that belongs to one process alone.
        package var privateKiB: Double
    }
}
