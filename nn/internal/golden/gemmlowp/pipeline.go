package gemmlowp

import (
	"bytes"
	"encoding/json"
	"fmt"
)

// Pipelines have a text form, a JSON list of stages: {"stage": name, ...parameters}. Parameters have
// gemmlowp's names.

// ParsePipeline reads the text form.
func ParsePipeline(text []byte) ([]Stage, error) {
	var raw []json.RawMessage
	if err := json.Unmarshal(text, &raw); err != nil {
		return nil, fmt.Errorf("pipeline: %w", err)
	}
	stages := make([]Stage, 0, len(raw))
	for i, r := range raw {
		s, err := parseStage(r)
		if err != nil {
			return nil, fmt.Errorf("pipeline: stage %d: %w", i+1, err)
		}
		stages = append(stages, s)
	}
	return stages, nil
}

func parseStage(raw json.RawMessage) (Stage, error) {
	var name struct {
		Stage string `json:"stage"`
	}
	if err := json.Unmarshal(raw, &name); err != nil {
		return nil, err
	}
	for cast, known := range casts {
		if known == name.Stage {
			return parameters(cast, raw)
		}
	}
	switch name.Stage {
	case QuantizeDown{}.Name():
		return parameters(QuantizeDown{}, raw)
	case QuantizeDownPC{}.Name():
		return parameters(QuantizeDownPC{}, raw)
	case QuantizeDownByFixedPoint{}.Name():
		return parameters(QuantizeDownByFixedPoint{}, raw)
	case ScaleByExponent{}.Name():
		return parameters(ScaleByExponent{}, raw)
	case ScaleByExponentPC{}.Name():
		return parameters(ScaleByExponentPC{}, raw)
	case BiasAddition{}.Name():
		return parameters(BiasAddition{}, raw)
	case Clamp{}.Name():
		return parameters(Clamp{}, raw)
	case Tanh{}.Name():
		return parameters(Tanh{}, raw)
	}
	return nil, fmt.Errorf("unknown stage %q", name.Stage)
}

// parameters fills a stage; a name that the stage does not have is an error.
func parameters[S Stage](s S, raw json.RawMessage) (Stage, error) {
	var fields map[string]json.RawMessage
	if err := json.Unmarshal(raw, &fields); err != nil {
		return nil, err
	}
	delete(fields, "stage")
	rest, err := json.Marshal(fields)
	if err != nil {
		return nil, err
	}
	d := json.NewDecoder(bytes.NewReader(rest))
	d.DisallowUnknownFields()
	if cast, ok := any(s).(Cast); ok {
		if len(fields) > 0 {
			return nil, fmt.Errorf("%s has no parameters", cast.Name())
		}
		return cast, nil
	}
	if err := d.Decode(&s); err != nil {
		return nil, fmt.Errorf("%s: %w", s.Name(), err)
	}
	return s, nil
}

// FormatPipeline writes the text form.
func FormatPipeline(stages []Stage) ([]byte, error) {
	list := make([]json.RawMessage, 0, len(stages))
	for _, s := range stages {
		name, err := json.Marshal(s.Name())
		if err != nil {
			return nil, err
		}
		body := []byte("{}")
		if _, cast := s.(Cast); !cast {
			if body, err = json.Marshal(s); err != nil {
				return nil, err
			}
		}
		head := fmt.Appendf(nil, `{"stage":%s`, name)
		if len(body) > len("{}") {
			head = append(head, ',')
		}
		list = append(list, append(head, body[1:]...))
	}
	return json.Marshal(list)
}
