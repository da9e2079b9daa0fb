// RacTesting
