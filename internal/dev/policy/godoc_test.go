package policy

import (
	"go/ast"
	"go/token"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// wellKnown are methods whose names say everything: those of interfaces of the standard library.
var wellKnown = map[string]bool{"String": true, "Error": true, "Unwrap": true, "Len": true, "Less": true, "Swap": true}

// TestExportedNamesAreDescribed: every exported function, method, type, constant and variable of every package has a
// comment, and that of a function or type begins with its name, as go doc wants it. Constants and variables may
// share the comment of their group, or that of the type whose values they are. Generated files are left out: their
// names are described where they come from.
func TestExportedNamesAreDescribed(t *testing.T) {
	described := 0
	for _, p := range packages(t) {
		files, err := filepath.Glob(filepath.Join(p.Dir, "*.go"))
		require.NoError(t, err)
		for _, name := range files {
			if strings.HasSuffix(name, "_test.go") {
				continue
			}
			f, err := parse(name)
			require.NoError(t, err)
			if ast.IsGenerated(f) {
				continue
			}
			for _, fault := range undescribed(f) {
				t.Errorf("%s: %s", positions.Position(fault.pos), fault.text)
			}
			described++
		}
	}
	require.Greater(t, described, 300, "sources were found")
}

// fault is a name without its comment.
type fault struct {
	pos  token.Pos
	text string
}

// undescribed lists the exported names of a file that lack a comment, or whose comment begins with something else.
func undescribed(f *ast.File) []fault {
	var list []fault
	check := func(name *ast.Ident, doc *ast.CommentGroup) {
		text := strings.TrimSpace(doc.Text())
		switch {
		case text == "":
			list = append(list, fault{name.Pos(), name.Name + " has no comment"})
		case !beginsWith(text, name.Name):
			list = append(list, fault{name.Pos(), "the comment of " + name.Name + " does not begin with the name"})
		}
	}
	for _, d := range f.Decls {
		switch d := d.(type) {
		case *ast.FuncDecl:
			if d.Name.IsExported() && (d.Recv == nil || receiver(d).IsExported() && !wellKnown[d.Name.Name]) {
				check(d.Name, d.Doc)
			}
		case *ast.GenDecl:
			ofType := constantsOfType(d)
			for _, s := range d.Specs {
				switch s := s.(type) {
				case *ast.TypeSpec:
					doc := s.Doc
					if doc == nil && (len(d.Specs) == 1 || s.Assign.IsValid()) {
						doc = d.Doc
					}
					switch {
					case !s.Name.IsExported():
					case doc != nil && len(d.Specs) > 1 && s.Doc == nil: // other names of types, described together
					default:
						check(s.Name, doc)
					}
				case *ast.ValueSpec:
					if d.Doc == nil && !ofType && s.Doc == nil && s.Comment == nil && s.Names[0].IsExported() {
						list = append(list, fault{s.Pos(), s.Names[0].Name + " has no comment"})
					}
				}
			}
		}
	}
	return list
}

// constantsOfType reports whether a declaration lists the values of a type.
func constantsOfType(d *ast.GenDecl) bool {
	if d.Tok != token.CONST {
		return false
	}
	first, ok := d.Specs[0].(*ast.ValueSpec)
	if !ok {
		return false
	}
	of, ok := first.Type.(*ast.Ident)
	return ok && of.IsExported()
}

// beginsWith reports whether a comment begins with a name, in any case and with or without its number: semantics are
// described by the mnemonic.
func beginsWith(text, name string) bool {
	for _, article := range []string{"A ", "An ", "The "} {
		text = strings.TrimPrefix(text, article)
	}
	word, _, _ := strings.Cut(strings.ReplaceAll(text, "\n", " "), " ")
	word = strings.TrimRight(word, ".,:;")
	return strings.EqualFold(word, name) || strings.EqualFold(word, strings.TrimRight(name, "0123456789"))
}

// receiver is the type of a method.
func receiver(d *ast.FuncDecl) *ast.Ident {
	t := d.Recv.List[0].Type
	for {
		switch x := t.(type) {
		case *ast.StarExpr:
			t = x.X
		case *ast.IndexExpr:
			t = x.X
		case *ast.IndexListExpr:
			t = x.X
		case *ast.Ident:
			return x
		}
	}
}
