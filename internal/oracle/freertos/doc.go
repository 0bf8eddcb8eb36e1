// Package freertos holds what a user's own copy of FreeRTOS needs to run its demos' test suites on the
// simulator: start-up, board, configuration and a program that asks each suite whether it is well. FreeRTOS
// and embARC's headers are not part of this project; ../freertos.sh builds with them, and the test runs the
// result on both engines.
package freertos
