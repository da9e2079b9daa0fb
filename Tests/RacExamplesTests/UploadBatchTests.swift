import Rac
import RacExamples
import RacTestKit
import Testing

@Suite struct UploadBatchTests {
    @Test("A failure becomes a result among the others, in their order")
    func outcomes() {
        let uploads = ["a": Subject<String, UploadBatch.UploadError>(), "b": Subject(), "c": Subject()]
        let batch = UploadBatch { name in uploads[name]?.signal ?? .fail(.refused) }
        let a = Recorder(batch.outcomes(for: ["a", "b", "c"]))
        uploads["c"]?.send("address of c")
        uploads["b"]?.fail(.refused)
        #expect(a.events.isEmpty)
        uploads["a"]?.send("address of a")
        let expected: [UploadBatch.Outcome] = [.success("address of a"), .failure(.refused), .success("address of c")]
        #expect(a.values == [expected])
        for upload in uploads.values { upload.complete() }
        #expect(a.values == [expected])
        #expect(a.ending == .completed)
    }

    @Test("An empty batch has an empty list of outcomes, and completes")
    func empty() {
        let batch = UploadBatch { .just($0) }
        let a = Recorder(batch.outcomes(for: []))
        #expect(a.values == [[]])
        #expect(a.ending == .completed)
    }

    @Test("Disposing a batch cancels its uploads and leaves nothing behind")
    func disposal() {
        let (running, source) = (Property(0), Subject<String, UploadBatch.UploadError>())
        let upload = Signal<String, UploadBatch.UploadError> { sink in
            running.modify { $0 += 1 }
            source.observe(into: sink)
            return AnyDisposable { running.modify { $0 -= 1 } }
        }
        let subscription = UploadBatch { _ in upload }.outcomes(for: ["a", "b"]).observe { _ in }
        #expect(running.value == 2)
        subscription.dispose()
        #expect(running.value == 0)
    }
}
