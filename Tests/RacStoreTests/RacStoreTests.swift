// RacStoreTests
