/// The type of a file, by the end of its name.
package struct MediaType: Sendable {
    /// The name that the header `Content-Type` has.
    package let name: String

    package init(of path: String) {
        let ending = path.split(separator: "/").last?.split(separator: ".").dropFirst().last?.lowercased()
        self.name = ending.flatMap { Self.names[$0] } ?? "text/plain; charset=utf-8"
    }

    /// Whether files of the type are compressed already.
    package var isCompressed: Bool {
        if ["image/svg+xml", "image/x-icon", "audio/wav", "font/ttf", "font/otf"].contains(self.name) { return false }
        return ["image/", "audio/", "video/", "font/"].contains { self.name.hasPrefix($0) }
    }

    private static let names = [
        "html": "text/html; charset=utf-8", "htm": "text/html; charset=utf-8", "css": "text/css; charset=utf-8",
        "js": "text/javascript; charset=utf-8", "mjs": "text/javascript; charset=utf-8", "wasm": "application/wasm",
        "json": "application/json", "map": "application/json", "webmanifest": "application/manifest+json",
        "xml": "application/xml", "pdf": "application/pdf",
        "svg": "image/svg+xml", "png": "image/png", "jpg": "image/jpeg", "jpeg": "image/jpeg", "gif": "image/gif",
        "webp": "image/webp", "avif": "image/avif", "ico": "image/x-icon",
        "woff": "font/woff", "woff2": "font/woff2", "ttf": "font/ttf", "otf": "font/otf",
        "mp3": "audio/mpeg", "m4a": "audio/mp4", "ogg": "audio/ogg", "wav": "audio/wav",
        "mp4": "video/mp4", "webm": "video/webm",
    ]
}
