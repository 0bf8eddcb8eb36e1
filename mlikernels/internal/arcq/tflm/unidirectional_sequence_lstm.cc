#include "arcq_tflm.h"
#include "tensorflow/lite/kernels/internal/common.h"
#include "tensorflow/lite/micro/kernels/lstm_eval.h"
#include "tensorflow/lite/micro/kernels/lstm_shared.h"

namespace tflite {
namespace {

constexpr char kName[] = "UNIDIRECTIONAL_SEQUENCE_LSTM";

// The order of gates in files is that of arcq_gate_name.
void Gate(const LstmTensors& t, int gate, const GateParameters& r, arcq_lstm* c) {
  auto& g = c->gates[gate];
  g.weights = GetTensorData<int8_t>(t.GetInternalTensor(kLstmInputToInputWeightsTensor + gate));
  g.recurrent = GetTensorData<int8_t>(t.GetInternalTensor(kLstmRecurrentToInputWeightsTensor + gate));
  g.bias = arcq::Contents(t.GetInternalTensor(kLstmInputGateBiasTensor + gate));
  g.multiplier = r.input_fc_params.output_multiplier;
  g.shift = r.input_fc_params.output_shift;
  g.recurrent_multiplier = r.recurrent_fc_params.output_multiplier;
  g.recurrent_shift = r.recurrent_fc_params.output_shift;
}

TfLiteStatus Prepare(TfLiteContext* context, TfLiteNode* node) {
  TF_LITE_ENSURE_EQ(context, node->inputs->size, 24);
  TF_LITE_ENSURE_EQ(context, node->outputs->size, 1);
  const auto& options = *static_cast<const TfLiteUnidirectionalSequenceLSTMParams*>(node->builtin_data);
  const LstmTensors t(context, node);
  TF_LITE_ENSURE_OK(context, t.ValidateTensorStatus(context));
  const TfLiteTensor *in = t.GetInternalTensor(kLstmInputTensor), *hidden = t.HiddenStateTensor(), *cell = t.CellStateTensor();
  const TfLiteTensor* weights = t.GetInternalTensor(kLstmInputToForgetWeightsTensor);
  if ((in->type != kTfLiteInt8 && in->type != kTfLiteInt16) || weights->type != kTfLiteInt8 || cell->type != kTfLiteInt16 ||
      options.activation != kTfLiteActTanh) {
    return arcq::Unsupported(kName, in, weights);
  }
  OpDataLSTM r;
  r.size_info = CreateLstmSizeInfo(options.time_major, in->dims, hidden->dims);
  TF_LITE_ENSURE_OK(context, ValidateTensorSize(context, t, r.size_info));
  r.cell_state_info = CreateLstmCellStateInfo(cell->params.scale, options.cell_clip);
  TF_LITE_ENSURE_OK(context, PrepareGateParametersInteger(context, t, &r));
  arcq_lstm c = {};
  c.batches = r.size_info.batch_size;
  c.steps = r.size_info.time_steps;
  c.inputs = r.size_info.input_dimension;
  c.units = r.size_info.state_dimension;
  c.time_major = r.size_info.time_major;
  c.halves = in->type == kTfLiteInt16;
  Gate(t, ARCQ_INPUT_GATE, r.input_gate_parameters, &c);
  Gate(t, ARCQ_FORGET_GATE, r.forget_gate_parameters, &c);
  Gate(t, ARCQ_CELL_GATE, r.cell_gate_parameters, &c);
  Gate(t, ARCQ_OUTPUT_GATE, r.output_gate_parameters, &c);
  c.in_zero = in->params.zero_point;
  c.hidden_zero = hidden->params.zero_point;
  const InterGateParameters& between = r.inter_gate_parameters;
  c.keep_multiplier = between.forget_cell_mul_params.output_multiplier;
  c.keep_shift = between.forget_cell_mul_params.output_shift;
  c.take_multiplier = between.input_mul_params.output_multiplier;
  c.take_shift = between.input_mul_params.output_shift;
  c.hidden_multiplier = between.output_mul_params.output_multiplier;
  c.hidden_shift = between.output_mul_params.output_shift;
  c.cell_power = r.cell_state_info.cell_state_scale_power;
  c.clip = r.cell_state_info.cell_clip > 0 ? r.cell_state_info.quantized_cell_clip : 0;
  c.logistic = sigmoid_table_uint16;
  const arcq_memory memory = arcq::Memory(context);
  return arcq::Finish(context, node, kName, arcq_prepare_lstm(&c, &memory, arcq::Glue(node)),
                      {0, kLstmOutputStateTensor, kLstmCellStateTensor});
}

}  // namespace

TFLMRegistration Register_UNIDIRECTIONAL_SEQUENCE_LSTM() { return arcq::Register(Prepare); }

}  // namespace tflite
