package import Rac

/// Files that are uploaded at once; a failed upload does not stop the others.
///
/// A failure ends every signal that it passes. So each upload turns its failure into a result before the signals are
/// joined.
package struct UploadBatch: Sendable {
    /// The reason why a file was not uploaded.
    package enum UploadError: Error, Hashable {
        /// The other side does not accept it.
        case refused
    }

    /// The outcome for one file.
    package typealias Outcome = Result<String, UploadError>

    private let upload: @Sendable (String) -> Signal<String, UploadError>

    /// Makes a batch.
    ///
    /// - Parameter upload: Uploads the file with this name and sends its address.
    package init(upload: @escaping @Sendable (String) -> Signal<String, UploadError>) {
        self.upload = upload
    }

    /// Uploads every file.
    ///
    /// - Parameter names: The names of the files; an empty list has no outcomes.
    /// - Returns: All outcomes at once, in the order of the names.
    package func outcomes(for names: [String]) -> Signal<[Outcome], Never> {
        guard !names.isEmpty else { return .just([]) }
        return zip(names.map { self.outcome(for: $0) })
    }

    private func outcome(for name: String) -> Signal<Outcome, Never> {
        self.upload(name).map { .success($0) }.catch { .just(.failure($0)) }
    }
}
