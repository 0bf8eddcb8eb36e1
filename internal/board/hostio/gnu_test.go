package hostio

import (
	"os"
	"path/filepath"
	"runtime"
	"testing"

	"github.com/stretchr/testify/require"
)

// Numbers of the GNU calls, as libgloss has them.
const (
	sysRead         = 3
	sysWrite        = 4
	sysOpen         = 5
	sysClose        = 6
	sysUnlink       = 10
	sysTime         = 13
	sysLseek        = 19
	sysRename       = 38
	sysRmdir        = 40
	sysTimes        = 43
	sysBrk          = 45
	sysGettimeofday = 78
	sysStat         = 106
	sysLstat        = 107
	sysFstat        = 108
	sysGetcwd       = 183
)

func TestConsole(t *testing.T) {
	f := newFixture(t, "line one\nrest", false)
	buf := f.g.text(0, "hello\n")
	require.EqualValues(t, 6, f.g.call(t, f.Host, sysWrite, 1, buf, 6))
	require.EqualValues(t, 5, f.g.call(t, f.Host, sysWrite, 2, buf, 5))
	require.Equal(t, "hello\n", f.out.String())
	require.Equal(t, "hello", f.err.String())

	require.EqualValues(t, 9, f.g.call(t, f.Host, sysRead, 0, guestBase+100, 9))
	require.Equal(t, "line one\n", string(f.g.mem[100:109]))
	require.EqualValues(t, 4, f.g.call(t, f.Host, sysRead, 0, guestBase+100, 1000))
	require.Equal(t, "rest", string(f.g.mem[100:104]))
	require.EqualValues(t, 0, f.g.call(t, f.Host, sysRead, 0, guestBase+100, 1000), "end of input")
}

func TestExit(t *testing.T) {
	f := newFixture(t, "", false)
	f.g.regs[8], f.g.regs[0] = 1, 0x12345678
	require.Equal(t, Outcome{Known: true, Exit: true, Status: 0x12345678}, f.ServeGNU(f.g))
	f.g.regs[8] = 4711
	require.Equal(t, Outcome{}, f.ServeGNU(f.g), "an unknown number is not a host call")
	require.EqualValues(t, 0x12345678, f.g.regs[0])
	require.Equal(t, "write", f.GNUCallName(4))
	require.Empty(t, f.GNUCallName(4711))
}

func TestBadPointers(t *testing.T) {
	f := newFixture(t, "abc", true)
	const nowhere = 0x40
	for name, r0 := range map[string]int32{
		"write":        f.g.call(t, f.Host, sysWrite, 1, nowhere, 4),
		"read":         f.g.call(t, f.Host, sysRead, 0, nowhere, 4),
		"open":         f.g.call(t, f.Host, sysOpen, nowhere, 0),
		"times":        f.g.call(t, f.Host, sysTimes, nowhere),
		"gettimeofday": f.g.call(t, f.Host, sysGettimeofday, nowhere, 0),
		"getcwd":       f.g.call(t, f.Host, sysGetcwd, nowhere, 100),
		"stat record":  f.g.call(t, f.Host, sysStat, 1, nowhere),
		"past the end": f.g.call(t, f.Host, sysWrite, 1, guestBase, 0xffffffff),
	} {
		require.EqualValues(t, -14, r0, name)
	}
	for i := range f.g.mem {
		f.g.mem[i] = 'x'
	}
	require.EqualValues(t, -91, f.g.call(t, f.Host, sysOpen, guestBase, 0), "a path without end")
	require.Empty(t, f.out.String())
}

func TestStatOfDescriptor(t *testing.T) {
	f := newFixture(t, "", false)
	// libgloss makes call 106 with the descriptor in r0 for fstat; isatty depends on it.
	for _, number := range []uint32{sysStat, sysLstat, sysFstat} {
		clear(f.g.mem[:64])
		require.EqualValues(t, 0, f.g.call(t, f.Host, number, 1, guestBase))
		require.EqualValues(t, 0o020000, f.g.word(8)&0o170000, "standard output is a character device")
	}
	require.EqualValues(t, -9, f.g.call(t, f.Host, sysStat, 7, guestBase))
}

func TestFiles(t *testing.T) {
	f := newFixture(t, "", true)
	path := f.g.text(0, "/sub/../data.txt")
	const creat, excl, trunc, app = 0x40, 0x80, 0x200, 0x400
	fd := uint32(f.g.call(t, f.Host, sysOpen, path, 2|creat, 0o644))
	require.EqualValues(t, 3, fd)
	text := f.g.text(100, "0123456789")
	require.EqualValues(t, 10, f.g.call(t, f.Host, sysWrite, fd, text, 10))
	require.EqualValues(t, 4, f.g.call(t, f.Host, sysLseek, fd, 4, 0))
	require.EqualValues(t, 3, f.g.call(t, f.Host, sysRead, fd, guestBase+200, 3))
	require.Equal(t, "456", string(f.g.mem[200:203]))
	require.EqualValues(t, 9, f.g.call(t, f.Host, sysLseek, fd, 2, 1))
	require.EqualValues(t, 8, f.g.call(t, f.Host, sysLseek, fd, ^uint32(1), 2))
	require.EqualValues(t, -22, f.g.call(t, f.Host, sysLseek, fd, ^uint32(0), 0))
	require.EqualValues(t, -22, f.g.call(t, f.Host, sysLseek, fd, 0, 9))
	require.EqualValues(t, -29, f.g.call(t, f.Host, sysLseek, 1, 0, 0))

	require.EqualValues(t, 0, f.g.call(t, f.Host, sysFstat, fd, guestBase+300))
	require.EqualValues(t, 10, f.g.word(300+20), "size")
	require.EqualValues(t, 0o100000, f.g.word(300+8)&0o170000, "regular file")
	require.EqualValues(t, 0, f.g.call(t, f.Host, sysClose, fd))
	require.EqualValues(t, -9, f.g.call(t, f.Host, sysClose, fd))

	require.EqualValues(t, -17, f.g.call(t, f.Host, sysOpen, path, 1|creat|excl, 0o644))
	fd = uint32(f.g.call(t, f.Host, sysOpen, path, 1|app, 0))
	require.EqualValues(t, 3, fd, "the lowest free descriptor")
	require.EqualValues(t, 2, f.g.call(t, f.Host, sysWrite, fd, text, 2))
	require.EqualValues(t, -9, f.g.call(t, f.Host, sysRead, fd, guestBase, 1), "opened for writing only")
	data, err := os.ReadFile(filepath.Join(f.dir, "data.txt"))
	require.NoError(t, err)
	require.Equal(t, "012345678901", string(data))

	fd2 := uint32(f.g.call(t, f.Host, sysOpen, path, 1|trunc, 0))
	require.EqualValues(t, 4, fd2)
	require.EqualValues(t, 0, f.g.call(t, f.Host, sysStat, path, guestBase+300))
	require.EqualValues(t, 0, f.g.word(300+20), "truncated")

	other := f.g.text(400, "other.txt")
	require.EqualValues(t, 0, f.g.call(t, f.Host, sysRename, path, other))
	require.EqualValues(t, -2, f.g.call(t, f.Host, sysUnlink, path))
	require.EqualValues(t, 0, f.g.call(t, f.Host, sysUnlink, other))
	require.EqualValues(t, -2, f.g.call(t, f.Host, sysOpen, other, 0, 0))

	require.NoError(t, os.Mkdir(filepath.Join(f.dir, "d"), 0o755))
	dir := f.g.text(500, "d")
	require.EqualValues(t, -21, f.g.call(t, f.Host, sysOpen, dir, 0, 0))
	require.EqualValues(t, -21, f.g.call(t, f.Host, sysUnlink, dir))
	require.NoError(t, os.WriteFile(filepath.Join(f.dir, "d", "x"), nil, 0o644))
	require.EqualValues(t, -90, f.g.call(t, f.Host, sysRmdir, dir))
	require.NoError(t, os.Remove(filepath.Join(f.dir, "d", "x")))
	require.EqualValues(t, 0, f.g.call(t, f.Host, sysRmdir, dir))
}

func TestDescriptorsRunOut(t *testing.T) {
	f := newFixture(t, "", true)
	path := f.g.text(0, "a")
	for range maxDescriptors - 3 {
		require.Positive(t, f.g.call(t, f.Host, sysOpen, path, 0x42, 0o600))
	}
	require.EqualValues(t, -24, f.g.call(t, f.Host, sysOpen, path, 0x42, 0o600))
}

// TestRootIsNeverLeft: whatever the guest calls its files, nothing outside the root is touched.
func TestRootIsNeverLeft(t *testing.T) {
	f := newFixture(t, "", true)
	secret := filepath.Join(filepath.Dir(f.dir), "secret")
	require.NoError(t, os.WriteFile(secret, []byte("secret"), 0o644))
	paths := []string{"../secret", "/../secret", "a/../../secret", "./..//../secret", secret}
	if runtime.GOOS != "windows" {
		require.NoError(t, os.Symlink("../secret", filepath.Join(f.dir, "link")))
		require.NoError(t, os.Symlink("..", filepath.Join(f.dir, "up")))
		require.NoError(t, os.Symlink(secret, filepath.Join(f.dir, "absolute")))
		paths = append(paths, "link", "up/secret", "absolute")
	}
	for _, p := range paths {
		at := f.g.text(0, p)
		for _, flags := range []uint32{0, 1, 2, 1 | 0x40, 2 | 0x240} {
			fd := f.g.call(t, f.Host, sysOpen, at, flags, 0o600)
			if fd >= 0 { // a file of that name inside the root
				f.g.call(t, f.Host, sysWrite, uint32(fd), at, 3)
				f.g.call(t, f.Host, sysClose, uint32(fd))
			}
		}
		f.g.call(t, f.Host, sysStat, at, guestBase+500)
		f.g.call(t, f.Host, sysRename, at, f.g.text(300, "stolen"))
		f.g.call(t, f.Host, sysUnlink, at)
		data, err := os.ReadFile(secret)
		require.NoError(t, err, p)
		require.Equal(t, "secret", string(data), p)
	}
	list, err := os.ReadDir(filepath.Dir(f.dir))
	require.NoError(t, err)
	require.Len(t, list, 2, "only the root and the secret stand beside each other")
}

func TestFileAccessIsOffByDefault(t *testing.T) {
	f := newFixture(t, "", false)
	path := f.g.text(0, "x")
	require.EqualValues(t, -13, f.g.call(t, f.Host, sysOpen, path, 0x41, 0o600))
	require.EqualValues(t, -13, f.g.call(t, f.Host, sysUnlink, path))
	require.EqualValues(t, -13, f.g.call(t, f.Host, sysStat, path, guestBase+100))
	require.Equal(t, []string{
		"the program asked for a file, file access is off: --fs DIR gives it a directory",
	}, f.notices)
}

func TestTime(t *testing.T) {
	f := newFixture(t, "", false)
	start := uint32(Epoch.Unix())
	require.EqualValues(t, start+1, f.g.call(t, f.Host, sysTime, guestBase))
	require.EqualValues(t, start+1, f.g.word(0))
	require.EqualValues(t, 0, f.g.call(t, f.Host, sysGettimeofday, guestBase, 0))
	require.EqualValues(t, start+1, f.g.word(0))
	require.Zero(t, f.g.word(4))
	require.EqualValues(t, 1500, f.g.call(t, f.Host, sysTimes, guestBase))
	require.EqualValues(t, 1500, f.g.word(0))
}

func TestOtherCalls(t *testing.T) {
	f := newFixture(t, "", false)
	require.EqualValues(t, 0x12000, f.g.call(t, f.Host, sysBrk, 0))
	require.EqualValues(t, 0x13000, f.g.call(t, f.Host, sysBrk, 0x13000))
	require.EqualValues(t, 0x13000, f.g.call(t, f.Host, sysBrk, 0x100), "below the start")
	require.EqualValues(t, guestBase, f.g.call(t, f.Host, sysGetcwd, guestBase, 10))
	require.Equal(t, "/\x00", string(f.g.mem[:2]))
	require.EqualValues(t, -34, f.g.call(t, f.Host, sysGetcwd, guestBase, 1))

	require.EqualValues(t, 3, f.g.call(t, f.Host, 1000))
	size := f.g.call(t, f.Host, 1001)
	require.EqualValues(t, 4*4+len("prog")+len("-x")+len("two words")+3, size)
	require.EqualValues(t, guestBase+0x100, f.g.call(t, f.Host, 1002, guestBase+0x100))
	third := f.g.word(0x108) - guestBase
	require.Equal(t, "two words\x00", string(f.g.mem[third:third+10]))
	require.Zero(t, f.g.word(0x10c))
	require.EqualValues(t, guestBase, f.g.call(t, f.Host, 1004, guestBase, 0xab, 300))
	require.EqualValues(t, 0xab, f.g.mem[299])
	require.EqualValues(t, -9, f.g.call(t, f.Host, sysClose, 50))
	require.EqualValues(t, 9, f.g.call(t, f.Host, 2000), "errno")
}
