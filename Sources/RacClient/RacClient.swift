// Whoever connects speaks in names, values and revisions: one import brings them all.
@_exported public import RacProtocol
