import Rac
import RacExamples
import RacTesting
import Testing

@Suite struct UploadBatchTests {
    @Test("A failure becomes a result among the others, in their order")
    func outcomes() {
        let uploads = ["a": Subject<String, UploadBatch.UploadError>(), "b": Subject(), "c": Subject()]
        let batch = UploadBatch { name in uploads[name]?.signal ?? .fail(.refused) }
        let a = Recorder(batch.outcomes(for: ["a", "b", "c"]))
        uploads["c"]?.send("address of c")
        uploads["b"]?.fail(.refused)
        #expect(a.events == events())
        uploads["a"]?.send("address of a")
        let expected: [UploadBatch.Outcome] = [.success("address of a"), .failure(.refused), .success("address of c")]
        #expect(a.values == [expected])
        for upload in uploads.values { upload.complete() }
        #expect(a.events == events(expected, then: .completed))
    }

    @Test("A batch of nothing has no outcomes, and says so")
    func empty() {
        let batch = UploadBatch { .just($0) }
        #expect(Recorder(batch.outcomes(for: [])).events == events([], then: .completed))
    }

    @Test("Disposing a batch cancels its uploads and leaves nothing behind")
    func disposal() {
        let source = CountedSource(Subject<String, UploadBatch.UploadError>())
        let a = Recorder(UploadBatch { _ in source.signal }.outcomes(for: ["a", "b"]))
        #expect(source.subscribers == 2)
        a.dispose()
        #expect(source.subscribers == 0)
    }
}
