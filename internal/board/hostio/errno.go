package hostio

import (
	"errors"
	"io/fs"
	"syscall"
)

// Error numbers as newlib has them; up to 34 they are those of every Unix.
const (
	eperm        = 1
	enoent       = 2
	eintr        = 4
	eio          = 5
	ebadf        = 9
	enomem       = 12
	eacces       = 13
	efault       = 14
	eexist       = 17
	enotdir      = 20
	eisdir       = 21
	einval       = 22
	emfile       = 24
	enotty       = 25
	efbig        = 27
	enospc       = 28
	espipe       = 29
	erofs        = 30
	epipe        = 32
	erange       = 34
	enosys       = 88
	enotempty    = 90
	enametoolong = 91
	eloop        = 92
)

// errno is the number of an error of the host. An error without a number, such as a path that
// leads out of the root, gives otherwise.
func errno(err error, otherwise int32) int32 {
	for _, row := range []struct {
		is error
		n  int32
	}{
		{is: fs.ErrNotExist, n: enoent},
		{is: syscall.ENOTEMPTY, n: enotempty}, // it calls itself fs.ErrExist too
		{is: fs.ErrExist, n: eexist},
		{is: fs.ErrPermission, n: eacces},
		{is: fs.ErrInvalid, n: einval},
		{is: syscall.ENOTDIR, n: enotdir},
		{is: syscall.EISDIR, n: eisdir},
		{is: syscall.ENAMETOOLONG, n: enametoolong},
		{is: syscall.ELOOP, n: eloop},
		{is: syscall.ENOSPC, n: enospc},
		{is: syscall.EROFS, n: erofs},
		{is: syscall.EMFILE, n: emfile},
		{is: syscall.EFBIG, n: efbig},
		{is: syscall.EPIPE, n: epipe},
		{is: syscall.EINVAL, n: einval},
	} {
		if errors.Is(err, row.is) {
			return row.n
		}
	}
	return otherwise
}
