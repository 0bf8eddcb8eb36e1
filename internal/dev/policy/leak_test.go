package policy

import (
	"fmt"
	"go/types"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestNoInternalTypeLeaks: another module can name every type in the signatures it can call. The test type-checks the
// declarations of each public package and walks all that is exported there.
func TestNoInternalTypeLeaks(t *testing.T) {
	face := declarations(t)
	var public []*types.Package
	named := map[*types.TypeName]bool{} // internal types that a public package gives a name
	for _, p := range packages(t) {
		if !isImportable(p) {
			continue
		}
		pkg, err := face.Import(p.ImportPath)
		require.NoError(t, err)
		public = append(public, pkg)
		for _, n := range pkg.Scope().Names() {
			if alias, ok := pkg.Scope().Lookup(n).Type().(*types.Alias); ok && alias.Obj().Exported() {
				if target, ok := types.Unalias(alias).(*types.Named); ok {
					named[target.Origin().Obj()] = true
				}
			}
		}
	}
	for _, pkg := range public {
		leaks := &leakFinder{named: named, seen: map[types.Type]bool{}}
		for _, n := range pkg.Scope().Names() {
			if obj := pkg.Scope().Lookup(n); obj.Exported() {
				leaks.object(local(pkg.Path())+"."+n, obj)
			}
		}
		for _, leak := range leaks.found {
			t.Error(leak)
		}
	}
	require.NotEmpty(t, public)
}

// TestFewPackagesAreImportable: each importable package is a promise to programs outside. Packages for this module
// alone stand under an internal folder.
func TestFewPackagesAreImportable(t *testing.T) {
	var list []string
	for _, p := range packages(t) {
		if isImportable(p) {
			list = append(list, local(p.ImportPath))
		}
	}
	require.LessOrEqual(t, len(list), 16, "%q", list)
}

// isImportable: another module can import the package.
func isImportable(p pkg) bool {
	return !isInternal(p.ImportPath) && p.Name != "main" && len(p.GoFiles) > 0
}

// TestSettersTakeNoBool: a call of the public face says what it sets. A method named Set or Enable with a bool alone
// would read m.SetProfile(true); two methods, or a type with names, say it.
func TestSettersTakeNoBool(t *testing.T) {
	face := declarations(t)
	setters := 0
	for _, path := range []string{"", "/asm", "/asm/link", "/isa", "/loader", "/nn", "/quant"} {
		pkg, err := face.Import(module + path)
		require.NoError(t, err)
		for _, name := range pkg.Scope().Names() {
			named, ok := pkg.Scope().Lookup(name).Type().(*types.Named)
			if !ok {
				continue
			}
			for m := range named.Methods() {
				if !m.Exported() || !strings.HasPrefix(m.Name(), "Set") && !strings.HasPrefix(m.Name(), "Enable") {
					continue
				}
				setters++
				for v := range m.Signature().Params().Variables() {
					if basic, ok := v.Type().Underlying().(*types.Basic); ok && basic.Kind() == types.Bool {
						t.Errorf("%s.%s.%s takes a bool: its callers do not say what it means", pkg.Path(), name, m.Name())
					}
				}
			}
		}
	}
	require.Greater(t, setters, 5)
}

func isInternal(path string) bool {
	return strings.HasPrefix(path, module+"/") && slices.Contains(strings.Split(path, "/"), "internal")
}

// leakFinder walks from exported objects to the types their users must be able to name.
type leakFinder struct {
	named map[*types.TypeName]bool // internal types with a public name
	seen  map[types.Type]bool
	found []string
}

func (f *leakFinder) object(where string, obj types.Object) {
	f.typ(where, obj.Type())
	if name, ok := obj.(*types.TypeName); ok {
		if named, ok := types.Unalias(name.Type()).(*types.Named); ok {
			for m := range named.Methods() {
				if m.Exported() {
					f.typ(where+"."+m.Name(), m.Signature())
				}
			}
			f.typ(where, named.Underlying())
		}
	}
}

func (f *leakFinder) typ(where string, t types.Type) {
	if named, ok := types.Unalias(t).(*types.Named); ok {
		if pkg := named.Obj().Pkg(); pkg != nil && isInternal(pkg.Path()) && !f.named[named.Origin().Obj()] {
			f.found = append(f.found, fmt.Sprintf("%s names %s.%s: another module cannot", where, local(pkg.Path()), named.Obj().Name()))
		}
		for arg := range named.TypeArgs().Types() {
			f.typ(where, arg)
		}
		if hidden := named.Origin(); !hidden.Obj().Exported() && hidden.Obj().Pkg() != nil && !f.seen[hidden] {
			f.seen[hidden] = true
			f.object(where, hidden.Obj()) // handed out without a name: its methods are callable
		}
		return // the methods and fields of exported types are walked where they are declared
	}
	if f.seen[t] {
		return
	}
	f.seen[t] = true
	switch t := t.(type) {
	case interface{ Elem() types.Type }: // pointer, slice, array, channel, map
		if m, ok := t.(*types.Map); ok {
			f.typ(where, m.Key())
		}
		f.typ(where, t.Elem())
	case *types.Signature:
		for _, tuple := range []*types.Tuple{t.Params(), t.Results()} {
			for v := range tuple.Variables() {
				f.typ(where, v.Type())
			}
		}
	case *types.Struct:
		for v := range t.Fields() {
			if v.Exported() {
				f.typ(where+"."+v.Name(), v.Type())
			}
		}
	case *types.Interface:
		for m := range t.Methods() {
			if m.Exported() {
				f.typ(where+"."+m.Name(), m.Signature())
			}
		}
	}
}
