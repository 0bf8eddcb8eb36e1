package link

// script is a parsed linker script. Statements keep their order, since the location counter and the
// first match of an input section depend on it.
type script struct {
	entry    nameAt
	regions  []*regionDef
	phdrs    []*phdrDef
	stmts    []stmt   // top-level assignments and the contents of SECTIONS, in order
	externs  []string // EXTERN
	inputs   []inputFile
	formats  []nameAt // OUTPUT_FORMAT: one, or the default, the big-endian and the little-endian one
	sections bool     // has a SECTIONS command
}

// nameAt is a name and where it stands.
type nameAt struct {
	name string
	pos  Pos
}

// Names of OUTPUT_FORMAT.
const (
	formatLittle = "elf32-littlearc"
	formatBig    = "elf32-bigarc"
)

// inputFile is a file that INPUT or GROUP names.
type inputFile struct {
	nameAt
	group int // nonzero for members of one GROUP
}

// regionDef is a line of MEMORY.
type regionDef struct {
	name           string
	alias          string // REGION_ALIAS: the region it stands for
	pos            Pos
	attrs, without regionAttr // what sections it takes by default
	origin, length expr
}

// regionAttr is a set of the letters of MEMORY attributes.
type regionAttr uint8

const (
	attrRead regionAttr = 1 << iota
	attrWrite
	attrExec
	attrAlloc
	attrLoad
)

// phdrDef is a line of PHDRS.
type phdrDef struct {
	name  string
	pos   Pos
	typ   expr
	flags expr // nil when not given
	at    expr // nil when not given
}

// stmt is a statement of SECTIONS or of an output section.
type stmt interface{ position() Pos }

type (
	// assignStmt gives a symbol or the location counter a value.
	assignStmt struct {
		pos     Pos
		name    string
		op      string // "=" or "+=" ...
		value   expr
		provide bool // only when referred to and not defined otherwise
		hidden  bool
	}
	// assertStmt fails the link when its condition is zero.
	assertStmt struct {
		pos  Pos
		cond expr
		msg  string
	}
	// inputStmt collects input sections.
	inputStmt struct {
		pos      Pos
		keep     bool
		file     filePattern
		sections []sectionPattern // empty: all sections of the file
		flags    []flagTest

		matched []*section
	}
	// dataStmt stores a number: BYTE, SHORT, LONG, QUAD, SQUAD.
	dataStmt struct {
		pos   Pos
		size  uint32
		value expr
	}
	// fillStmt sets the pattern of the gaps that follow.
	fillStmt struct {
		pos  Pos
		fill []byte
	}
	// outputStmt describes an output section.
	outputStmt struct {
		pos            Pos
		name           string
		addr           expr // nil when it follows the one before
		kind           outputKind
		constraint     constraint
		at             expr
		align          expr
		subalign       expr
		alignWithInput bool
		body           []stmt
		region         nameAt
		lmaRegion      nameAt
		phdrs          []nameAt
		fill           []byte
		orphan         bool // made for input sections that no statement takes

		out *outputSection
	}
)

func (s *assignStmt) position() Pos { return s.pos }
func (s *assertStmt) position() Pos { return s.pos }
func (s *inputStmt) position() Pos  { return s.pos }
func (s *dataStmt) position() Pos   { return s.pos }
func (s *fillStmt) position() Pos   { return s.pos }
func (s *outputStmt) position() Pos { return s.pos }

// outputKind is the type in parentheses behind the name of an output section.
type outputKind uint8

const (
	kindNormal   outputKind = iota
	kindNoload              // memory is reserved, nothing is loaded
	kindInfo                // DSECT, COPY, INFO: not in memory
	kindReadonly            // READONLY
)

// constraint is ONLY_IF_RO or ONLY_IF_RW.
type constraint uint8

const (
	always constraint = iota
	onlyIfRO
	onlyIfRW
)

// filePattern says which files an input statement takes sections from.
type filePattern struct {
	pattern string
	sorted  bool     // SORT_BY_NAME around the file pattern
	exclude []string // EXCLUDE_FILE in front of it
}

// sectionPattern is one pattern in the parentheses of an input statement.
type sectionPattern struct {
	pattern string
	exclude []string // files EXCLUDE_FILE leaves out
	sort    sortOrder
}

// sortOrder is how the sections that a pattern matches are ordered.
type sortOrder uint8

const (
	sortNone sortOrder = iota
	sortName
	sortAlign
	sortNameAlign
	sortAlignName
	sortPriority
)

// flagTest is one term of INPUT_SECTION_FLAGS.
type flagTest struct {
	flag   uint32
	absent bool
}
