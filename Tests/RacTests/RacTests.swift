// RacTests
