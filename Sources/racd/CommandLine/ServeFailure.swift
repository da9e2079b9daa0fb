import RacServer

/// An error that ends a daemon, with the form of its log.
struct ServeFailure: Error {
    let error: any Error
    let format: LogFormat
}
