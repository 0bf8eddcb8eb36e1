package lsp

import "encoding/json"

// incoming is a message of the client: a request with an id, or a notification.
type incoming struct {
	ID     *json.RawMessage `json:"id"`
	Method string           `json:"method"`
	Params json.RawMessage  `json:"params"`
}

// answer is a response; Result is null rather than absent.
type answer struct {
	Version string           `json:"jsonrpc"`
	ID      *json.RawMessage `json:"id"`
	Result  any              `json:"result"`
}

type refusal struct {
	Version string           `json:"jsonrpc"`
	ID      *json.RawMessage `json:"id"`
	Error   *protocolError   `json:"error"`
}

type notification struct {
	Version string `json:"jsonrpc"`
	Method  string `json:"method"`
	Params  any    `json:"params"`
}

// protocolError is why a request is refused.
type protocolError struct {
	Code    int    `json:"code"`
	Message string `json:"message"`
}

func (e *protocolError) Error() string { return e.Message }

// Codes of the protocol.
const (
	parseError     = -32700
	invalidRequest = -32600
	unknownMethod  = -32601
	invalidParams  = -32602
	uninitialized  = -32002
	cancelledCode  = -32800
	requestFailed  = -32803
)

// position counts lines and UTF-16 units from 0.
type position struct {
	Line      int `json:"line"`
	Character int `json:"character"`
}

// stretch is a range of the protocol.
type stretch struct {
	Start position `json:"start"`
	End   position `json:"end"`
}

type location struct {
	URI   string  `json:"uri"`
	Range stretch `json:"range"`
}

type textEdit struct {
	Range   stretch `json:"range"`
	NewText string  `json:"newText"`
}

type documentID struct {
	URI     string `json:"uri"`
	Version int    `json:"version"`
}

// at is the place that most requests are about.
type at struct {
	Document documentID `json:"textDocument"`
	Position position   `json:"position"`
}

type diagnostic struct {
	Range    stretch   `json:"range"`
	Severity int       `json:"severity"` // 1 error, 2 warning
	Source   string    `json:"source"`
	Message  string    `json:"message"`
	Related  []related `json:"relatedInformation,omitempty"`
}

type related struct {
	Location location `json:"location"`
	Message  string   `json:"message"`
}

type markup struct {
	Kind  string `json:"kind"`
	Value string `json:"value"`
}

func markdown(text string) *markup { return &markup{Kind: "markdown", Value: text} }

type hover struct {
	Contents *markup `json:"contents"`
	Range    stretch `json:"range"`
}

type completionItem struct {
	Label         string    `json:"label"`
	Kind          int       `json:"kind"`
	Detail        string    `json:"detail,omitempty"`
	Documentation *markup   `json:"documentation,omitempty"`
	Edit          *textEdit `json:"textEdit,omitempty"`
}

// Kinds of completion items.
const (
	itemFunction  = 3
	itemVariable  = 6
	itemModule    = 9
	itemKeyword   = 14
	itemReference = 18
	itemConstant  = 21
	itemOperator  = 24
)

type documentSymbol struct {
	Name     string            `json:"name"`
	Detail   string            `json:"detail,omitempty"`
	Kind     int               `json:"kind"`
	Range    stretch           `json:"range"`
	Selected stretch           `json:"selectionRange"`
	Children []*documentSymbol `json:"children,omitempty"`
}

// Kinds of symbols.
const (
	symbolMethod   = 6
	symbolFunction = 12
	symbolConstant = 14
	symbolKey      = 20
)

type foldingRange struct {
	Start int    `json:"startLine"`
	End   int    `json:"endLine"`
	Kind  string `json:"kind,omitempty"`
}

type inlayHint struct {
	Position position `json:"position"`
	Label    string   `json:"label"`
	Tooltip  string   `json:"tooltip,omitempty"`
	Padding  bool     `json:"paddingLeft"`
}
