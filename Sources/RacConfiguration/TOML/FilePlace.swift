/// The folder of a configuration file, in which its relative paths begin.
struct FilePlace {
    private let folder: Substring

    init(of file: String) {
        self.folder = file.lastIndex(of: "/").map { file[...$0] } ?? ""
    }

    /// The folder of a file.
    static func folder(of file: String) -> String {
        guard let slash = file.lastIndex(of: "/") else { return "." }
        return slash == file.startIndex ? "/" : String(file[..<slash])
    }

    func path(_ text: String) -> String {
        text.hasPrefix("/") ? text : self.folder + text
    }
}
