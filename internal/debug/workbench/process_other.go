//go:build !linux

package workbench

import "os/exec"

// belongs does nothing: only Linux ends a process with its parent.
func belongs(*exec.Cmd) {}

// supervise starts a process and waits for its end.
func supervise(cmd *exec.Cmd, started chan<- error) error {
	err := cmd.Start()
	started <- err
	if err != nil {
		return err
	}
	return cmd.Wait()
}
