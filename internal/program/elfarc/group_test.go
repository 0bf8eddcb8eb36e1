package elfarc

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"arcv2dsp/internal/dev/testkit/gnutools"
)

// GNU as defines the signature of a group in the group section itself.
func TestReadGroupSignatureOfGNU(t *testing.T) {
	as := gnutools.Path(t, "as")
	dir := t.TempDir()
	source, object := filepath.Join(dir, "group.s"), filepath.Join(dir, "group.o")
	require.NoError(t, os.WriteFile(source, []byte("\t.section .once,\"axG\",@progbits,signature,comdat\n\tnop\n"), 0o666))
	out, err := exec.Command(as, "-mcpu=em4", "-o", object, source).CombinedOutput()
	require.NoError(t, err, string(out))
	data, err := os.ReadFile(object)
	require.NoError(t, err)
	f, err := Read(data)
	require.NoError(t, err)
	require.Len(t, f.Groups, 1)
	require.Equal(t, "signature", f.Groups[0].Signature.Name)
	require.True(t, f.Groups[0].Comdat)
}
