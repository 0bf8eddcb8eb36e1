package workbench

import (
	"os/exec"
	"runtime"
	"syscall"
)

// belongs has a process end with this one, also where this one is killed. Keys of the terminal are for this one alone.
func belongs(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true, Pdeathsig: syscall.SIGKILL}
}

// supervise starts a process and waits for its end. Linux sends the signal of a parent's death when the thread ends that started
// the process, so the thread stays.
func supervise(cmd *exec.Cmd, started chan<- error) error {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	err := cmd.Start()
	started <- err
	if err != nil {
		return err
	}
	return cmd.Wait()
}
