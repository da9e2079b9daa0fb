import CCrypto
import CPage
package import NIOCore
package import NIOHTTP1
import RacProtocol
import Synchronization

/// A file of the page, with the bytes for clients that take them compressed.
package struct WebFile: Sendable {
    package let type: MediaType
    package let plain: ByteBuffer
    package let zipped: ByteBuffer
    /// Whether the file is in a folder of the user's, and no part of the program.
    private let isUsers: Bool
    /// The digest of the file, which is the tag of its plain form.
    private let digest: String

    package init(_ plain: ByteBuffer, path: String, isUsers: Bool = false) {
        self.type = MediaType(of: path)
        self.plain = plain
        self.zipped = self.type.isCompressed ? plain : Deflate.gzip(plain)
        self.isUsers = isUsers
        self.digest = Self.digest(of: plain)
    }

    /// The answer to a request for the file.
    package func answer(to head: HTTPRequestHead) -> WebResponse {
        var response = self.response(to: head)
        response.isUsers = self.isUsers
        return response
    }

    private func response(to head: HTTPRequestHead) -> WebResponse {
        let isZipped = self.zipped.readableBytes < self.plain.readableBytes && Self.takesZipped(head)
        // Two forms of a file differ in their bytes, so each has a tag.
        let tag = isZipped ? "\"\(self.digest)-gzip\"" : "\"\(self.digest)\""
        var headers = [(name: "ETag", value: tag), ("Cache-Control", "no-cache"), ("Vary", "Accept-Encoding")]
        if let known = EntityTags(head), known.contains(tag) { return WebResponse(.notModified, headers) }
        headers.append(("Content-Type", self.type.name))
        guard isZipped else { return WebResponse(.ok, headers, body: SplitText(self.plain)) }
        return WebResponse(.ok, headers + [("Content-Encoding", "gzip")], body: SplitText(self.zipped))
    }

    /// Whether the client accepts gzip, by its name or by the name of all codings.
    private static func takesZipped(_ head: HTTPRequestHead) -> Bool {
        (head.headers.weight("accept-encoding", of: "gzip") ?? head.headers.weight("accept-encoding", of: "*") ?? 0) > 0
    }

    private static func digest(of bytes: ByteBuffer) -> String {
        let digest = bytes.withUnsafeReadableBytes { bytes in
            [UInt8](unsafeUninitializedCapacity: Int(SHA256_DIGEST_LENGTH)) { digest, count in
                _ = SHA256(bytes.bindMemory(to: UInt8.self).baseAddress, bytes.count, digest.baseAddress)
                count = Int(SHA256_DIGEST_LENGTH)
            }
        }
        return digest.prefix(16).map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    }
}

/// The end of a path below the folder of the page.
package enum WebPlace: Sendable {
    case file(WebFile)
    /// A folder with a page, whose path lacks the slash at its end.
    case folder

    /// Finds a place among files.
    package init?(_ segments: [String], _ file: ([String]) -> WebFile?) {
        if let found = file(segments) {
            self = .file(found)
        } else if segments.last != "", file(segments + [""]) != nil {
            self = .folder
        } else {
            return nil
        }
    }

    /// The answer to a request for the place.
    package func answer(to head: HTTPRequestHead) -> WebResponse {
        switch self {
        case .file(let file): file.answer(to: head)
        case .folder:
            WebResponse(.movedPermanently, [("Location", Self.folder(head.uri)), ("Cache-Control", "no-cache")])
        }
    }

    /// The address of a folder from a path without the slash, in which relative links would lead beside the folder.
    private static func folder(_ uri: String) -> String {
        let parts = uri.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
        let name = parts[0].split(separator: "/").last ?? ""
        return "./\(name)/" + (parts.count > 1 ? "?\(parts[1])" : "")
    }
}

/// The files of the page that are part of the program.
package enum EmbeddedFiles {
    private static let made = Mutex<[String: WebFile]>([:])

    /// The files as `Sources/CPage/page.c` lists them.
    private static var listed: some Sequence<(path: String, file: PageFile)> {
        (0...).lazy.map(pageFile).prefix { $0.path != nil }.map { (path: String(cString: $0.path), file: $0) }
    }

    /// The paths of the files.
    package static var paths: [String] { self.listed.map(\.path) }

    /// The file with this path; a path that ends with a slash has an `index.html`.
    package static func file(_ segments: [String]) -> WebFile? {
        let path = Self.path(segments)
        // A file is compressed when it is first asked for.
        return Self.made.withLock { made in
            if let file = made[path] { return file }
            guard let found = Self.listed.first(where: { $0.path == path })?.file else { return nil }
            let text = UnsafeBufferPointer(start: found.text, count: found.size)
            let file = WebFile(ByteBuffer(bytes: text), path: path)
            made[path] = file
            return file
        }
    }

    /// The path of a file below the folder of the page.
    package static func path(_ segments: [String]) -> String {
        let path = segments.joined(separator: "/")
        return segments.last == "" ? path + "index.html" : path
    }

    /// Whether the path may name a file in a folder: no segment leads out of it, or to a hidden file.
    package static func isInside(_ segments: [String]) -> Bool {
        segments.dropLast().allSatisfy { !$0.isEmpty }
            && segments.allSatisfy { !$0.hasPrefix(".") && !$0.contains("\0") && !$0.contains("/") }
    }
}
