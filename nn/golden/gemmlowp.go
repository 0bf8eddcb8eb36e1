package golden

import "arcv2dsp/nn/internal/golden/gemmlowp"

// Matrix products of gemmlowp: their operands, and the stages of the pipeline that makes results of sums.
type (
	// GEMMMatrix holds values in an order of rows and columns.
	GEMMMatrix = gemmlowp.Matrix
	// GEMMOrder is the order of a matrix in memory.
	GEMMOrder = gemmlowp.Order
	// GEMMShape says whether the values of a stage go along rows or columns.
	GEMMShape = gemmlowp.Shape
	// GEMMStage is a stage of the pipeline: one of the types below.
	GEMMStage = gemmlowp.Stage

	GEMMBiasAddition             = gemmlowp.BiasAddition
	GEMMCast                     = gemmlowp.Cast
	GEMMClamp                    = gemmlowp.Clamp
	GEMMQuantizeDown             = gemmlowp.QuantizeDown
	GEMMQuantizeDownByFixedPoint = gemmlowp.QuantizeDownByFixedPoint
	GEMMQuantizeDownPC           = gemmlowp.QuantizeDownPC
	GEMMScaleByExponent          = gemmlowp.ScaleByExponent
	GEMMScaleByExponentPC        = gemmlowp.ScaleByExponentPC
	GEMMTanh                     = gemmlowp.Tanh
)

// Words of matrices and stages.
const (
	GEMMRow      = gemmlowp.Row
	GEMMCol      = gemmlowp.Col
	GEMMColMajor = gemmlowp.ColMajor
)

// ParseGEMMPipeline reads stages from their JSON form.
func ParseGEMMPipeline(text []byte) ([]GEMMStage, error) { return gemmlowp.ParsePipeline(text) }

// FormatGEMMPipeline writes stages in their JSON form.
func FormatGEMMPipeline(stages []GEMMStage) ([]byte, error) { return gemmlowp.FormatPipeline(stages) }
