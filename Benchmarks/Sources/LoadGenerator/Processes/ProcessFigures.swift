import FoundationEssentials
package import Glibc

/// The kernel's figures of a running process.
package struct ProcessFigures: Sendable {
    private let folder: String

    package init(_ process: pid_t) {
        self.folder = "/proc/\(process)"
    }

    /// The processor time that all its threads have used, in seconds; counted in hundredths.
    package var cpuSeconds: Double {
        get throws {
            let text = try String(contentsOfFile: "\(self.folder)/stat", encoding: .utf8)
            // The second field is the program's name in brackets, which may hold spaces.
            let fields = text[(text.lastIndex(of: ")") ?? text.startIndex)...].split(separator: " ")
            guard fields.count > 13, let user = Double(fields[12]), let system = Double(fields[13]) else {
                throw ProtocolError.unexpected("no processor time in \(self.folder)/stat")
            }
            return (user + system) / Double(sysconf(Int32(_SC_CLK_TCK)))
        }
    }

    /// Its memory now.
    package var memory: Memory {
        get throws {
            let text = try String(contentsOfFile: "\(self.folder)/smaps_rollup", encoding: .utf8)
            var kibibytes: [Substring: Double] = [:]
            for line in text.split(separator: "\n") {
                let words = line.split(separator: " ")
                if words.count == 3 { kibibytes[words[0]] = Double(words[1]) }
            }
            return Memory(
                residentKiB: kibibytes["Rss:", default: 0],
                privateKiB: kibibytes["Private_Clean:", default: 0] + kibibytes["Private_Dirty:", default: 0]
            )
        }
    }

    /// The most that was ever in RAM, in KiB: `VmHWM`.
    package var peakResidentKiB: Double {
        get throws {
            let text = try String(contentsOfFile: "\(self.folder)/status", encoding: .utf8)
            let line = text.split(separator: "\n").first { $0.hasPrefix("VmHWM:") }
            guard let words = line?.split(whereSeparator: \.isWhitespace), words.count > 1 else { return 0 }
            return Double(words[1]) ?? 0
        }
    }

    /// Memory of a process that is in RAM, in KiB.
    package struct Memory: Sendable {
        /// All of it, shared libraries too: `VmRSS`.
        package var residentKiB: Double
        /// The memory that belongs to this process alone.
        package var privateKiB: Double
    }
}
