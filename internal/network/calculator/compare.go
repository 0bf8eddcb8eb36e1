package calculator

import (
	render "arcv2dsp/internal/measure/report"
	"arcv2dsp/quant"
)

// Comparison shows how far values are from others. JSON has no infinity: equal values have no sqnr_db.
func Comparison(r quant.ErrorReport) render.Document {
	j := map[string]any{
		"schema": 1, "elements": r.Elements, "max_error": r.MaxError, "max_index": r.MaxIndex, "mean_error": r.MeanError,
		"rmse": r.RMSE, "cosine": r.Cosine, "equal": r.MaxError == 0,
	}
	if r.MaxError > 0 {
		j["sqnr_db"] = r.SQNR
	}
	if r.Step > 0 {
		j["max_lsb"], j["mean_lsb"], j["noise_ratio"] = r.MaxSteps(), r.MeanSteps(), r.NoiseRatio()
	}
	if r.Saturated >= 0 {
		j["saturated"] = r.Saturated
	}
	return render.Document{JSON: j, Text: render.Lines(r.String())}
}
