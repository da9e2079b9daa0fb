// RacHostTests
