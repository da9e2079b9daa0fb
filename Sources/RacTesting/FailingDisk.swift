import FoundationEssentials
import Glibc
import Synchronization

/// A disk that fails under one file that this process has open, with the kernel's own errors.
///
/// The file's descriptors are exchanged for others, so a writer gets the errors of a broken disk. It must not open or
/// close the file meanwhile. The descriptors are exchanged while nobody uses them.
package final class FailingDisk: Sendable {
    /// The kind of failure.
    package enum Fault: Sendable {
        /// A write finds no space: ENOSPC.
        case full
        /// A write fails otherwise, a read does not: EBADF.
        case broken
    }

    /// The file is not open in this process, or a system call failed.
    package struct Failure: Error {}

    /// The descriptors to put back, with their originals.
    private let kept: Mutex<[Int32: Int32]>

    /// Breaks the disk under a file.
    ///
    /// - Parameters:
    ///   - file: The absolute path, without symbolic links.
    ///   - fault: The kind of failure from now on.
    /// - Throws: ``Failure``.
    package init(under file: String, fault: Fault) throws {
        let replacement = fault == .full ? open("/dev/full", O_RDWR | O_CLOEXEC) : open(file, O_RDONLY | O_CLOEXEC)
        guard replacement >= 0 else { throw Failure() }
        defer { Glibc.close(replacement) }
        let descriptors = Self.descriptors(of: file).filter { $0 != replacement }
        guard !descriptors.isEmpty else { throw Failure() }
        var kept: [Int32: Int32] = [:]
        for descriptor in descriptors {
            kept[descriptor] = dup(descriptor)
            guard dup2(replacement, descriptor) == descriptor else { throw Failure() }
        }
        self.kept = Mutex(kept)
    }

    deinit {
        for original in self.kept.withLock({ $0.values }) { Glibc.close(original) }
    }

    /// Repairs the disk, under a file that was not closed since.
    package func heal() {
        let kept = self.kept.withLock { kept in
            defer { kept = [:] }
            return kept
        }
        for (descriptor, original) in kept {
            dup2(original, descriptor)
            Glibc.close(original)
        }
    }

    private static func descriptors(of file: String) -> [Int32] {
        let folder = "/proc/self/fd"
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        return names.filter { name in
            (try? FileManager.default.destinationOfSymbolicLink(atPath: "\(folder)/\(name)")) == file
        }.compactMap { Int32($0) }
    }
}
