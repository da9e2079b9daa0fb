// RacServerTests
