import CGlibc
import Glibc
import NIOCore
import NIOPosix

/// A channel over a descriptor that can always be read, and that is read only on demand.
///
/// While a read is pending, its loop polls all sockets without sleeping.
enum ReadableDescriptor {
    /// The length of one read from an eventfd.
    private static let bytesOfRead = MemoryLayout<eventfd_t>.size

    /// Opens the channel on an event loop, with which it ends.
    static func open(on loop: any EventLoop) async throws -> any Channel {
        let descriptor = try Self.makeDescriptor()
        do {
            return try await NIOPipeBootstrap(group: loop)
                .channelOption(.autoRead, value: false)
                .channelOption(.maxMessagesPerRead, value: 1)
                .channelOption(.recvAllocator, value: FixedSizeRecvByteBufferAllocator(capacity: Self.bytesOfRead))
                .takingOwnershipOfDescriptor(input: descriptor).get()
        } catch {
            close(descriptor)
            throw error
        }
    }

    /// Makes a descriptor that can be read more often than a loop polls in a thousand years.
    private static func makeDescriptor() throws -> CInt {
        let descriptor = eventfd(0, CInt(EFD_SEMAPHORE | EFD_NONBLOCK | EFD_CLOEXEC))
        guard descriptor >= 0 else { throw IOError(errnoCode: errno, reason: "eventfd") }
        // The largest count that an eventfd holds; it fits, since this one is empty.
        eventfd_write(descriptor, .max - 1)
        return descriptor
    }
}
