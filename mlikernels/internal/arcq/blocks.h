/* The parameter blocks of the kernels and what they point to. The comment beside a member is the name of its offset in
 * assembly sources, what it holds, or both. A structure follows those that it contains. */

/* A run of elements of 2 tensors, the last of them the output, and dimensions around it. */
struct arcq_walk2 {
    const void *in1; // WALK2_POINTERS: first element
    void *out; // first element
    int32_t count; // WALK2_COUNT: elements of a run
    int32_t steps[2]; // WALK2_STEPS: bytes from element to element
    int32_t dimensions; // WALK2_DIMENSIONS: around the run
    int32_t outer[15]; // WALK2_OUTER: of each, inner first: turns, and for each tensor the bytes to where the run after a turn begins
}; // WALK2_SIZE

/* A run of elements of 3 tensors, the last of them the output, and dimensions around it. */
struct arcq_walk3 {
    const void *in1; // WALK3_POINTERS: first element
    const void *in2; // first element
    void *out; // first element
    int32_t count; // WALK3_COUNT: elements of a run
    int32_t steps[3]; // WALK3_STEPS: bytes from element to element
    int32_t dimensions; // WALK3_DIMENSIONS: around the run
    int32_t outer[20]; // WALK3_OUTER: of each, inner first: turns, and for each tensor the bytes to where the run after a turn begins
}; // WALK3_SIZE

/* A run of elements of 4 tensors, the last of them the output, and dimensions around it. */
struct arcq_walk4 {
    const void *in1; // WALK4_POINTERS: first element
    const void *in2; // first element
    const void *in3; // first element
    void *out; // first element
    int32_t count; // WALK4_COUNT: elements of a run
    int32_t steps[4]; // WALK4_STEPS: bytes from element to element
    int32_t dimensions; // WALK4_DIMENSIONS: around the run
    int32_t outer[25]; // WALK4_OUTER: of each, inner first: turns, and for each tensor the bytes to where the run after a turn begins
}; // WALK4_SIZE

/* One axis of a sliding window. The order is that of the frame of kernel/core/zone.inc. */
struct arcq_axis {
    int32_t in; // cells of the map
    int32_t out; // cells of the output
    int32_t kernel; // cells of the window
    int32_t stride;
    int32_t pad; // cells before the map
    int32_t full; // outputs whose windows end on the map
};

/* Bilinear interpolation: maps are batch, row, column, channel. */
struct arcq_bilinear_params {
    const void *in; // BILINEAR_IN
    void *out; // BILINEAR_OUT: apart from in
    const struct arcq_between *rows; // BILINEAR_ROWS: of the output
    const struct arcq_between *columns; // BILINEAR_COLUMNS
    int32_t batches; // BILINEAR_BATCHES
    int32_t out_rows; // BILINEAR_OUT_ROWS
    int32_t out_columns; // BILINEAR_OUT_COLUMNS
    int32_t channels; // BILINEAR_CHANNELS
    int32_t in_size; // BILINEAR_IN_SIZE: bytes of an image
    int32_t away; // BILINEAR_AWAY: -1 rounds ties away from zero, 0 up
};

/* A row or column between two others. */
struct arcq_between {
    int32_t near; // bytes to the first
    int32_t far; // bytes to the second
    int32_t near_weight;
    int32_t far_weight;
};

/* An output channel: sum * multiplier / 2^31, then shifted. */
struct arcq_channel {
    int32_t bias; // CHANNEL_BIAS
    int32_t folded; // CHANNEL_FOLDED: bias - in_zero * the sum of the weights
    int32_t multiplier; // CHANNEL_MULTIPLIER
    int32_t shift; // CHANNEL_SHIFT: ARCQ_TWICE or ARCQ_ONCE of the shift
}; // CHANNEL_SIZE

/* Every element brought into a range. */
struct arcq_clamp_params {
    const void *in; // CLAMP_IN: elements
    void *out; // CLAMP_OUT: apart from in, or the same
    uint32_t count; // CLAMP_COUNT: elements
    int32_t least; // CLAMP_LEAST: of an output element
    int32_t greatest; // CLAMP_GREATEST
};

/* Convolution: maps are batch, row, column, channel. */
struct arcq_conv2d_params {
    const void *in; // CONV_IN
    const int8_t *weights; // CONV_WEIGHTS: output channel, row, column, channel
    const struct arcq_channel *channels; // CONV_RECORDS: of the output
    void *out; // CONV_OUT: apart from in
    int32_t batches; // CONV_BATCHES
    struct arcq_axis rows; // CONV_ROWS
    struct arcq_axis columns;
    int32_t in_channels; // CONV_CHANNELS
    int32_t out_channels; // CONV_OUTPUTS
    int32_t in_zero; // CONV_IN_ZERO
    int32_t out_zero; // CONV_OUT_ZERO
    int32_t least; // CONV_LEAST: of an output element
    int32_t greatest; // CONV_GREATEST
    int32_t rare; // CONV_RARE: 0 when all shifts are 1 to 23, 2 when all are ARCQ_ONCE of 0 to -23, else 1
    void *scratch; // CONV_SCRATCH: room for a window, with starts as well for the map, or 0
    const int32_t *starts; // CONV_STARTS: of the sums, for every zone of conv2d with AGU ports, rows of zones first, every output channel; 0 with scratch for a window
};

/* A cell of an axis of the output, and the part of the window that is on the map. */
struct arcq_cell {
    int32_t in; // CELL_IN: bytes to its first tap on the map
    int32_t weights; // CELL_WEIGHTS: and in a filter
    int32_t taps; // CELL_TAPS: planes, rows, or runs of a row; 0 when none is on the map
    int32_t run; // CELL_RUN: elements of a run; of columns only
    int32_t starts; // CELL_STARTS: bytes to the starts of its sums
}; // CELL_SIZE

/* The start of a sum of 32 bits and its factor. */
struct arcq_start {
    int32_t start; // bias - in_zero * the sum of the weights on the map
    int32_t multiplier;
    int32_t shift;
};

/* The start of a sum of 64 bits, of which it uses 48, and its factor. */
struct arcq_wide_start {
    uint32_t start; // the lower word
    int32_t start_high;
    int32_t multiplier; // of 16 bits
    int32_t shift;
};

/* Convolution of any kind, by the cells of its axes. */
struct arcq_convolve_params {
    const void *in; // CONVOLVE_IN
    const int8_t *weights; // CONVOLVE_WEIGHTS
    const void *starts; // CONVOLVE_STARTS: arcq_start, arcq_wide_start, or sums alone: for every kind of cell, every output channel; one more is read
    void *out; // CONVOLVE_OUT: apart from in
    const struct arcq_cell *planes; // CONVOLVE_PLANES: one tap each where sums are scaled
    const struct arcq_cell *rows; // CONVOLVE_ROWS
    const struct arcq_cell *columns; // CONVOLVE_COLUMNS
    int32_t plane_count; // CONVOLVE_PLANE_COUNT
    int32_t row_count; // CONVOLVE_ROW_COUNT
    int32_t column_count; // CONVOLVE_COLUMN_COUNT
    int32_t batches; // CONVOLVE_BATCHES
    int32_t batch_step; // CONVOLVE_BATCH_STEP: from map to map
    int32_t groups; // CONVOLVE_GROUPS
    int32_t group_outputs; // CONVOLVE_GROUP_OUTPUTS: output channels of a group
    int32_t group_step; // CONVOLVE_GROUP_STEP: from group to group on the map
    int32_t filter_step; // CONVOLVE_FILTER: from filter to filter
    int32_t plane_in; // CONVOLVE_PLANE_IN: from plane to plane of the window on the map
    int32_t plane_weights; // CONVOLVE_PLANE_WEIGHTS: and in a filter
    int32_t row_in; // CONVOLVE_ROW_IN
    int32_t row_weights; // CONVOLVE_ROW_WEIGHTS
    int32_t tap_in; // CONVOLVE_TAP_IN
    int32_t tap_weights; // CONVOLVE_TAP_WEIGHTS
    int32_t weight_zero; // CONVOLVE_WEIGHT_ZERO: 0 where sums are scaled
    int32_t out_zero; // CONVOLVE_OUT_ZERO: 0 of data of 16 bits
    int32_t least; // CONVOLVE_LEAST: of an output element
    int32_t greatest; // CONVOLVE_GREATEST
    int32_t rare; // CONVOLVE_RARE: 0 when all shifts are 1 to 31, 2 when all are ARCQ_ONCE, else 1; of sums of 64 bits 1 when they all keep to 32
    int32_t held; // CONVOLVE_HELD: how windows of such sums go by without AGU ports: 0 one by one, 1 held beside filters of whole eights at word boundaries, 2 beside copied ones, 3 two channels at a time
};

/* Quotient of two tensors of bytes; no divisor is 0. */
struct arcq_div_params {
    struct arcq_walk3 walk;
    const int32_t *reciprocals; // DIV_RECIPROCALS: of 0 to 255, with 31 bits; that of 0 is not read
    int32_t in1_zero; // DIV_IN1_ZERO
    int32_t in2_zero; // DIV_IN2_ZERO
    int32_t multiplier; // DIV_MULTIPLIER
    int32_t shift; // DIV_SHIFT: bits up
    int32_t out_zero; // DIV_OUT_ZERO
    int32_t least; // DIV_LEAST: of an output element
    int32_t greatest; // DIV_GREATEST
    int32_t once; // DIV_ONCE: 1 to round once, else 0
};

/* Rows of the input times a matrix. */
struct arcq_fully_connected_params {
    const void *in; // FC_IN: row, element
    const int8_t *weights; // FC_WEIGHTS: output, element
    const struct arcq_channel *channels; // FC_RECORDS: of the output
    void *out; // FC_OUT: apart from in
    int32_t rows; // FC_ROWS
    int32_t inputs; // FC_INPUTS
    int32_t outputs; // FC_OUTPUTS
    int32_t in_zero; // FC_IN_ZERO
    int32_t weight_zero; // FC_WEIGHT_ZERO: folded leaves it out
    int32_t out_zero; // FC_OUT_ZERO
    int32_t least; // FC_LEAST: of an output element
    int32_t greatest; // FC_GREATEST
    int32_t rare; // FC_RARE: as that of a convolution, and 1 when weight_zero is not 0
};

/* Elements of one tensor or another by a condition. */
struct arcq_select_params {
    struct arcq_walk4 walk; // condition, where it is true, where it is not
};

/* Slices picked by index. */
struct arcq_gather_params {
    const void *in; // GATHER_IN
    const int32_t *indices; // GATHER_INDICES
    void *out; // GATHER_OUT: apart from in
    int32_t groups; // GATHER_GROUPS: of blocks that share indices
    int32_t blocks; // GATHER_BLOCKS: of a group
    int32_t picks; // GATHER_PICKS: indices of a group
    int32_t slices; // GATHER_SLICES: of a block
    int32_t bytes; // GATHER_BYTES: of a slice
};

/* Slices written over those of a copy, by index. */
struct arcq_scatter_params {
    const void *in; // SCATTER_IN
    const int32_t *indices; // SCATTER_INDICES
    const void *written; // SCATTER_WRITTEN: the slices, a block after the other
    void *out; // SCATTER_OUT: apart from the others
    int32_t blocks; // SCATTER_BLOCKS
    int32_t writes; // SCATTER_WRITES: slices written in a block
    int32_t slices; // SCATTER_SLICES: of a block
    int32_t bytes; // SCATTER_BYTES: of a slice
};

/* A tensor with a part replaced, at a place along one dimension. */
struct arcq_update_params {
    const void *in; // UPDATE_IN
    const void *part; // UPDATE_PART
    const int32_t *place; // UPDATE_PLACE: of the part, one for each dimension
    void *out; // UPDATE_OUT: apart from the others
    int32_t dimension; // UPDATE_DIMENSION: bytes to the place along the dimension
    int32_t blocks; // UPDATE_BLOCKS: of the dimensions before it
    int32_t last; // UPDATE_LAST: the greatest place
    int32_t slice; // UPDATE_SLICE: bytes from place to place
    int32_t part_bytes; // UPDATE_PART_BYTES: of a block
    int32_t block_bytes; // UPDATE_BLOCK_BYTES
};

/* Matrix product of bytes with offsets, then stages. Distances are in bytes. */
struct arcq_gemm_params {
    const void *lhs; // GEMM_LHS: rows x depth
    const void *rhs; // GEMM_RHS: depth x columns
    void *out; // GEMM_OUT: rows x columns, apart from both
    const struct arcq_gemm_stage *stages; // GEMM_STAGES: the last is a store
    int32_t stage_count; // GEMM_STAGE_COUNT
    const int32_t *lhs_offsets; // GEMM_LHS_OFFSETS: of signed bytes
    const int32_t *rhs_offsets; // GEMM_RHS_OFFSETS
    int32_t lhs_offset_step; // GEMM_LHS_OFFSET_STEP: 4 if every row has one, else 0
    int32_t rhs_offset_step; // GEMM_RHS_OFFSET_STEP: 4 if every column has one, else 0
    int32_t offsets; // GEMM_OFFSETS: 0 when all are 0
    uint32_t bias; // GEMM_BIAS: 0x80808080 for unsigned bytes, whose offsets are 128 more; else 0
    int32_t rows; // GEMM_ROWS
    int32_t columns; // GEMM_COLUMNS
    int32_t depth; // GEMM_DEPTH
    int32_t lhs_row_step; // GEMM_LHS_ROW_STEP
    int32_t lhs_depth_step; // GEMM_LHS_DEPTH_STEP
    int32_t rhs_column_step; // GEMM_RHS_COLUMN_STEP
    int32_t rhs_depth_step; // GEMM_RHS_DEPTH_STEP
    int32_t out_row_step; // GEMM_OUT_ROW_STEP
    int32_t out_column_step; // GEMM_OUT_COLUMN_STEP
    void *lhs_packed; // GEMM_LHS_PACKED: room for rows of depth rounded up to fours
    void *rhs_packed; // GEMM_RHS_PACKED: room for depth rounded up to fours
    int32_t *row_sums; // GEMM_ROW_SUMS: room for rows + 1
    int32_t *line; // GEMM_LINE: room for rows + 1
    int32_t *other_line; // GEMM_OTHER_LINE: room for rows + 1
};

/* An output stage. Codes: 0 bias, 1 bias of rows, 2 clamp, 3 legacy scale, 4 of rows, 5 scale to the right, 6 scale, 7 of rows, 8 tanh, 9 to 11 store 8, 16, 32 bits, 12 store float. Stages of rows have values for every row, the others one set or one for every column. */
struct arcq_gemm_stage {
    int32_t code; // STAGE_CODE
    const int32_t *values; // STAGE_VALUES
    int32_t step; // STAGE_STEP: bytes from column to column
}; // STAGE_SIZE

/* Rows of bytes divided by the root of the sum of their squares. */
struct arcq_l2_normalization_params {
    const int8_t *in; // L2_IN
    int8_t *out; // L2_OUT: apart from in, or the same
    int32_t rows; // L2_ROWS
    int32_t count; // L2_COUNT: elements of a row
    int32_t in_zero; // L2_IN_ZERO
    int32_t control; // L2_CONTROL: 0 to round twice, ARCQ_ONCE of no shift to round once
};

/* A gate of an LSTM. Starts are int32_t, for 16-bit data int64_t, one for each unit. */
struct arcq_gate {
    const int8_t *weights; // GATE_WEIGHTS: unit, input
    const void *starts; // GATE_STARTS: bias - in_zero * the sum of the weights
    int32_t multiplier; // GATE_MULTIPLIER
    int32_t shift; // GATE_SHIFT
    const int8_t *recurrent_weights; // GATE_RECURRENT_WEIGHTS: unit, unit
    const void *recurrent_starts; // GATE_RECURRENT_STARTS: - hidden_zero * the sum of the weights
    int32_t recurrent_multiplier; // GATE_RECURRENT_MULTIPLIER
    int32_t recurrent_shift; // GATE_RECURRENT_SHIFT
}; // GATE_SIZE

/* Long short-term memory over sequences. */
struct arcq_lstm_params {
    const void *in; // LSTM_IN
    const struct arcq_gate *gates; // LSTM_GATES: input, forget, cell, output
    void *hidden; // LSTM_HIDDEN: state: batch, unit
    int16_t *cell; // LSTM_CELL: state: batch, unit
    void *out; // LSTM_OUT
    int16_t *arguments; // LSTM_ARGUMENTS: scratch for 4 * units
    const uint16_t *table; // LSTM_TABLE: of the logistic function, 257 entries
    int32_t batches; // LSTM_BATCHES
    int32_t steps; // LSTM_STEPS
    int32_t inputs; // LSTM_INPUTS
    int32_t units; // LSTM_UNITS
    int32_t batch_in; // LSTM_BATCH_IN: from batch to batch of in
    int32_t step_in; // LSTM_STEP_IN: from step to step of in
    int32_t batch_out; // LSTM_BATCH_OUT
    int32_t step_out; // LSTM_STEP_OUT
    int32_t hidden_zero; // LSTM_HIDDEN_ZERO
    int32_t cell_least; // LSTM_CELL_LEAST
    int32_t cell_greatest; // LSTM_CELL_GREATEST
    int32_t keep_multiplier; // LSTM_KEEP_MULTIPLIER: of forget gate times cell
    int32_t keep_shift; // LSTM_KEEP_SHIFT
    int32_t take_multiplier; // LSTM_TAKE_MULTIPLIER: of input gate times cell gate
    int32_t take_shift; // LSTM_TAKE_SHIFT
    int32_t hidden_multiplier; // LSTM_HIDDEN_MULTIPLIER: of output gate times tanh of the cell
    int32_t hidden_shift; // LSTM_HIDDEN_SHIFT
    int32_t tanh_multiplier; // LSTM_TANH_MULTIPLIER: of the cell, to the steps of the table
    int32_t tanh_shift; // LSTM_TANH_SHIFT: down
};

/* Bytes to the two matrices of a batch: broadcast matrices come more than once. */
struct arcq_matrices {
    int32_t a;
    int32_t b;
};

/* Products of matrices: rows of a with columns of b. */
struct arcq_matmul_params {
    const void *a; // MATMUL_A
    const void *b; // MATMUL_B
    void *out; // MATMUL_OUT: apart from both
    const struct arcq_matrices *matrices; // MATMUL_PLACES: of every batch
    void *packed_a; // MATMUL_PACKED_A: scratch for rows * depth elements where a_step is not one element
    void *packed_b; // MATMUL_PACKED_B: scratch for depth elements where b_step is not one element
    int32_t *terms; // MATMUL_TERMS: scratch for rows words, 8-bit data only
    int32_t batches; // MATMUL_BATCHES
    int32_t rows; // MATMUL_ROWS
    int32_t depth; // MATMUL_DEPTH: products of a sum
    int32_t columns; // MATMUL_COLUMNS
    int32_t a_row; // MATMUL_A_ROW: from row to row of a
    int32_t a_step; // MATMUL_A_STEP: along a row
    int32_t b_column; // MATMUL_B_COLUMN: from column to column of b
    int32_t b_step; // MATMUL_B_STEP: along a column
    int32_t out_row; // MATMUL_OUT_ROW: from row to row of out
    int32_t out_step; // MATMUL_OUT_STEP: from matrix to matrix of out
    int32_t a_zero; // MATMUL_A_ZERO
    int32_t b_zero; // MATMUL_B_ZERO
    int32_t zeros; // MATMUL_ZEROS: depth * a_zero * b_zero
    int32_t multiplier; // MATMUL_MULTIPLIER
    int32_t shift; // MATMUL_SHIFT
    int32_t out_zero; // MATMUL_OUT_ZERO
    int32_t least; // MATMUL_LEAST: of an output element
    int32_t greatest; // MATMUL_GREATEST
    int32_t rare; // MATMUL_RARE: 0 when the shift is 1 to 31, 2 when it is ARCQ_ONCE, else 1
};

/* What the micro-DMA controller moves next, beside the core. */
struct arcq_fetch_params {
    const uint32_t *table; // FETCH_TABLE: at a multiple of 32, the address of the descriptor of channel 0; or, for a controller with registers, control word, source and destination for each channel
    uint32_t waits; // FETCH_WAITS: a bit for each channel that is waited for
    uint32_t starts; // FETCH_STARTS: a bit for each channel that is started, from channel 0 on; 0: the call only waits
};

/* Elements moved from tensors to tensors, one walk after the other. */
struct arcq_move_params {
    const struct arcq_walk2 *walks; // MOVE_WALKS
    int32_t count; // MOVE_COUNT: walks, at least 1
};

/* Two tensors of integers without a scale, element by element. */
struct arcq_integer_params {
    struct arcq_walk3 walk;
    int32_t least; // INTEGER_LEAST: of a sum, product or quotient
    int32_t greatest; // INTEGER_GREATEST
    int32_t control; // INTEGER_CONTROL: of a product that is shifted, or 1 to round a shift
};

/* Sum or difference of two tensors of bytes. */
struct arcq_add8_params {
    struct arcq_walk3 walk;
    const int32_t *terms1; // ADD8_TERMS1: of -128 to 127 of in1, in the common scale
    const int32_t *terms2; // ADD8_TERMS2
    int32_t multiplier; // ADD8_MULTIPLIER: of the sum
    int32_t shift; // ADD8_SHIFT
    int32_t out_zero; // ADD8_OUT_ZERO
    int32_t least; // ADD8_LEAST: of an output element
    int32_t greatest; // ADD8_GREATEST
    int32_t rare; // ADD8_RARE: 0 when the shift is 1 to 31
};

/* Sums of bytes with one scale: of several tensors, or along lines of one. */
struct arcq_accumulate_params {
    const void *const *in; // ACCUMULATE_IN: the first element of each tensor
    void *out; // ACCUMULATE_OUT: apart from in
    const int32_t *terms; // ACCUMULATE_TERMS: of -128 to 127, in the scale of the sum
    int32_t inputs; // ACCUMULATE_INPUTS: tensors, or elements of a line
    int32_t outer; // ACCUMULATE_OUTER: elements of a tensor, or blocks of lines
    int32_t inner; // ACCUMULATE_INNER: lines of a block, that lie side by side
    int32_t step; // ACCUMULATE_STEP: bytes from element to element of a line, below 0 from the last to the first
    int32_t first; // ACCUMULATE_FIRST: bytes to the first element of a block's first line
    int32_t block; // ACCUMULATE_BLOCK: bytes from block to block
    int32_t exclusive; // ACCUMULATE_EXCLUSIVE: 1 for sums without the element itself
    int32_t multiplier; // ACCUMULATE_MULTIPLIER: of a sum
    int32_t shift; // ACCUMULATE_SHIFT
    int32_t out_zero; // ACCUMULATE_OUT_ZERO
    int32_t least; // ACCUMULATE_LEAST: of an output element
    int32_t greatest; // ACCUMULATE_GREATEST
};

/* Real samples of spectra, in integer arithmetic. */
struct arcq_signal_irfft_params {
    const void *in; // IRFFT_IN: pairs of real and imaginary part
    void *out; // IRFFT_OUT: apart from in
    const uint16_t *places; // IRFFT_PLACES: of the numbers, so that every step works in place
    const void *roots; // IRFFT_ROOTS: cosine and sine of the powers of the root of unity, 3/4 of them
    const void *half_roots; // IRFFT_HALF_ROOTS: those that put two spectra together
    int32_t spectra; // IRFFT_SPECTRA
    int32_t numbers; // IRFFT_NUMBERS: complex numbers, half as many as samples
};

/* Frames of samples that overlap, added. */
struct arcq_signal_overlap_params {
    const int16_t *in; // OVERLAP_IN
    int16_t *rest; // OVERLAP_REST: of each line, what later frames are added to
    int16_t *out; // OVERLAP_OUT: apart from in
    int32_t lines; // OVERLAP_LINES
    int32_t frames; // OVERLAP_FRAMES: of a line
    int32_t size; // OVERLAP_SIZE: samples of a frame
    int32_t step; // OVERLAP_STEP: samples from frame to frame
};

/* Frames of samples that overlap, cut out of a stream. */
struct arcq_signal_frames_params {
    const int16_t *in; // FRAMES_IN
    int16_t *queue; // FRAMES_QUEUE: of each line
    int32_t *waiting; // FRAMES_WAITING: samples in the queues
    int16_t *out; // FRAMES_OUT: apart from in
    uint8_t *valid; // FRAMES_VALID: 1 when all frames are complete
    int32_t lines; // FRAMES_LINES
    int32_t frames; // FRAMES_FRAMES: of a line
    int32_t size; // FRAMES_SIZE: samples of a frame
    int32_t step; // FRAMES_STEP: samples from frame to frame
    int32_t room; // FRAMES_ROOM: samples of a queue
};

/* The channels of several frames behind each other. */
struct arcq_signal_stack_params {
    const int16_t *in; // STACK_IN
    int16_t *queue; // STACK_QUEUE
    int32_t *waiting; // STACK_WAITING: samples in the queue, and whether there was a frame
    int16_t *out; // STACK_OUT: apart from in
    uint8_t *valid; // STACK_VALID: 1 when there is a stack
    int32_t channels; // STACK_CHANNELS: samples of a frame
    int32_t size; // STACK_SIZE: samples of a stack
    int32_t step; // STACK_STEP: samples from stack to stack
    int32_t before; // STACK_BEFORE: how often the first frame comes before itself
};

/* The logarithm of softmax of rows of bytes. */
struct arcq_log_softmax_params {
    const int8_t *in; // LOG_SOFTMAX_IN
    int8_t *out; // LOG_SOFTMAX_OUT: apart from in, or the same
    const int32_t *exponentials; // LOG_SOFTMAX_EXPONENTIALS: of the distance 0 to the greatest element of a row; others lie before it
    const int32_t *distances; // LOG_SOFTMAX_DISTANCES: the same for the distances themselves, with 26 bits below the point
    int32_t rows; // LOG_SOFTMAX_ROWS
    int32_t count; // LOG_SOFTMAX_COUNT: elements of a row, at most 4095
    int32_t multiplier; // LOG_SOFTMAX_MULTIPLIER: from the fixed point to steps of elements
    int32_t shift; // LOG_SOFTMAX_SHIFT
    int32_t beyond; // LOG_SOFTMAX_BEYOND: the greatest distance that counts as nothing
};

/* The shape of two that broadcast, from shapes of 32 or 64 bits. */
struct arcq_broadcast_args_params {
    const void *longer; // BROADCAST_LONGER
    const void *shorter; // BROADCAST_SHORTER
    void *out; // BROADCAST_OUT: apart from the others
    int32_t more; // BROADCAST_MORE: dimensions that the shorter one does not have
    int32_t count; // BROADCAST_COUNT: dimensions of the shorter one
};

/* Two tensors of bytes, compared by their values. */
struct arcq_compare_params {
    struct arcq_walk3 walk;
    const int32_t *values1; // COMPARE_VALUES1: of -128 to 127 of in1, in a common scale
    const int32_t *values2; // COMPARE_VALUES2
};

/* Sum or difference of two tensors of halves. */
struct arcq_add16_params {
    struct arcq_walk3 walk;
    int32_t up1; // ADD16_UP1: bits up before the multiplier of in1
    int32_t multiplier1; // ADD16_MULTIPLIER1
    int32_t shift1; // ADD16_SHIFT1
    int32_t up2; // ADD16_UP2
    int32_t multiplier2; // ADD16_MULTIPLIER2
    int32_t shift2; // ADD16_SHIFT2
    int32_t multiplier; // ADD16_MULTIPLIER: of the sum
    int32_t shift; // ADD16_SHIFT
    int32_t least; // ADD16_LEAST: of an output element
    int32_t greatest; // ADD16_GREATEST
    int32_t rare; // ADD16_RARE: 0 when all shifts are 1 to 31
};

/* Product of two tensors. */
struct arcq_mul_params {
    struct arcq_walk3 walk;
    int32_t in1_zero; // MUL_IN1_ZERO
    int32_t in2_zero; // MUL_IN2_ZERO
    int32_t multiplier; // MUL_MULTIPLIER
    int32_t shift; // MUL_SHIFT
    int32_t out_zero; // MUL_OUT_ZERO
    int32_t least; // MUL_LEAST: of an output element
    int32_t greatest; // MUL_GREATEST
    int32_t rare; // MUL_RARE: 0 when the shift is 1 to 31
};

/* Negative elements of in1 times slopes, in2. */
struct arcq_prelu_params {
    struct arcq_walk3 walk;
    int32_t in1_zero; // PRELU_IN1_ZERO
    int32_t in2_zero; // PRELU_IN2_ZERO
    int32_t multiplier; // PRELU_MULTIPLIER: of elements that are not negative
    int32_t shift; // PRELU_SHIFT
    int32_t slope_multiplier; // PRELU_SLOPE_MULTIPLIER: of products with a slope
    int32_t slope_shift; // PRELU_SLOPE_SHIFT
    int32_t out_zero; // PRELU_OUT_ZERO
};

/* Pooling: maps are batch, row, column, channel. */
struct arcq_pool2d_params {
    const void *in; // POOL_IN
    void *out; // POOL_OUT: apart from in
    int32_t batches; // POOL_BATCHES
    struct arcq_axis rows; // POOL_ROWS
    struct arcq_axis columns;
    int32_t channels; // POOL_CHANNELS
    int32_t least; // POOL_LEAST: of an output element
    int32_t greatest; // POOL_GREATEST
    int32_t in_zero; // POOL_IN_ZERO: this and the next are for means
    int32_t out_zero; // POOL_OUT_ZERO
    const struct arcq_scale *scales; // POOL_SCALES: of windows with so many cells on the map:
    int32_t fewest; // POOL_FEWEST: the first one; the others follow
};

/* A factor: times multiplier / 2^31, then shifted. */
struct arcq_scale {
    int32_t multiplier;
    int32_t shift;
};

/* Elements along some dimensions reduced to one. */
struct arcq_reduce_params {
    struct arcq_walk2 walk; // over the outputs, and the first element of each
    int32_t counts[3]; // REDUCE_COUNTS: elements of an output, in three loops, outer first
    int32_t steps[3]; // REDUCE_STEPS: bytes
    int32_t multiplier; // REDUCE_MULTIPLIER: this and the next are for sums with a scale
    int32_t shift; // REDUCE_SHIFT
    int32_t offset; // REDUCE_OFFSET: what zero points add to a sum
    int32_t out_zero; // REDUCE_OUT_ZERO
};

/* The index of the first greatest element along a dimension. */
struct arcq_argmax_params {
    struct arcq_walk2 walk; // over the outputs, and the first element of each
    int32_t count; // ARGMAX_COUNT: elements of an output
    int32_t step; // ARGMAX_STEP: bytes
};

/* Elements with another scale, zero point or type. */
struct arcq_rescale_params {
    const void *in; // RESCALE_IN
    void *out; // RESCALE_OUT: apart from in, or the same when elements are as wide
    int32_t rows; // RESCALE_ROWS
    int32_t count; // RESCALE_COUNT: elements of a row
    const struct arcq_scale *scales; // RESCALE_SCALES: one, or one for each element of a row
    int32_t step; // RESCALE_STEP: 4 for one of each element, else -8
    int32_t in_zero; // RESCALE_IN_ZERO
    int32_t out_zero; // RESCALE_OUT_ZERO
    int32_t least; // RESCALE_LEAST: of an output element
    int32_t greatest; // RESCALE_GREATEST
    int32_t way; // RESCALE_WAY: 0 when all shifts are 1 to 31, 1 when all are controls, 2 for one with bits up, 3 for controls and nudges
};

/* A factor of a change of scale. */
struct arcq_factor {
    int32_t multiplier;
    int32_t nudge; // what a product is moved away from zero by where factors nudge
    int32_t shift; // down, up, or the control of its instruction
};

/* Samples times a window. */
struct arcq_signal_window_params {
    const int16_t *in; // WINDOW_IN
    const int16_t *weights; // WINDOW_WEIGHTS
    int16_t *out; // WINDOW_OUT
    int32_t frames; // WINDOW_FRAMES
    int32_t count; // WINDOW_COUNT: samples of a frame and of the window
    int32_t shift; // WINDOW_SHIFT: bits below the point of the window, 0 to 31
};

/* Samples shifted up until the greatest has 15 bits. */
struct arcq_signal_scale_params {
    const int16_t *in; // SCALE_IN
    int16_t *out; // SCALE_OUT
    int32_t *bits; // SCALE_BITS: output: the shift
    int32_t count; // SCALE_COUNT: samples, at least one
};

/* The spectrum of real samples, divided by the length. */
struct arcq_signal_rfft_params {
    const int16_t *in; // RFFT_IN
    int16_t *out; // RFFT_OUT: numbers + 1 real and imaginary parts
    uint32_t *work; // RFFT_WORK: scratch for numbers words
    const uint16_t *places; // RFFT_PLACES: of the pairs of samples: their numbers with the digits to the base 4 reversed
    const int16_t *roots; // RFFT_ROOTS: re, -im, im, re of exp(-2 pi i k / numbers), 15 bits below the point
    const int16_t *half_roots; // RFFT_HALF_ROOTS: the same of exp(-pi i (k / numbers + 1/2)), k from 1 to numbers / 2
    int32_t count; // RFFT_COUNT: samples; missing ones are 0
    int32_t numbers; // RFFT_NUMBERS: half the length, a power of 4
};

/* Squared magnitudes of a range of a spectrum; the rest becomes 0. */
struct arcq_signal_energy_params {
    const int16_t *in; // ENERGY_IN: real and imaginary parts
    uint32_t *out; // ENERGY_OUT
    int32_t first; // ENERGY_FIRST: element of the range
    int32_t count; // ENERGY_COUNT: elements of the range
    int32_t rest; // ENERGY_REST: elements behind it
};

/* Energies summed over overlapping triangles. */
struct arcq_signal_bank_params {
    const uint32_t *in; // BANK_IN
    const int16_t *falling; // BANK_FALLING: weights, not negative
    const int16_t *rising; // BANK_RISING: weights, not negative
    const int16_t *bins; // BANK_BINS: the first energy of each band
    const int16_t *first; // BANK_FIRST: the first weight of each band
    const int16_t *widths; // BANK_WIDTHS: energies of each band
    uint64_t *out; // BANK_OUT: one element less than bands
    int32_t bands; // BANK_BANDS
};

/* Rounded square roots, shifted down. */
struct arcq_signal_root_params {
    const uint64_t *in; // ROOT_IN
    uint32_t *out; // ROOT_OUT
    const int32_t *bits; // ROOT_BITS: the shift, 0 to 31
    int32_t count; // ROOT_COUNT
};

/* The estimated noise of each channel taken from the signal. */
struct arcq_signal_noise_params {
    const uint32_t *in; // NOISE_IN
    uint32_t *estimate; // NOISE_ESTIMATE: state
    uint32_t *out; // NOISE_OUT
    uint32_t *out_estimate; // NOISE_OUT_ESTIMATE: the state again
    int32_t channels; // NOISE_CHANNELS
    uint32_t smoothing; // NOISE_PRESENT: weight of the present, even channels
    uint32_t one_minus_smoothing; // NOISE_PAST
    uint32_t alternate_smoothing; // NOISE_ODD_PRESENT: odd channels
    uint32_t alternate_one_minus_smoothing; // NOISE_ODD_PAST
    uint32_t smoothing_bits; // NOISE_SMOOTHING_BITS: 0 to 31
    uint32_t spectral_subtraction_bits; // NOISE_WEIGHT_BITS: 0 to 31
    uint32_t min_signal_remaining; // NOISE_REMAINING
    uint32_t clamping; // NOISE_CLAMPING: 1: the estimate never exceeds the signal
};

/* The gain of each channel by its estimated noise. */
struct arcq_signal_gain_params {
    const uint32_t *in; // GAIN_IN
    const uint32_t *estimate; // GAIN_ESTIMATE
    const int16_t *gains; // GAIN_TABLE: 125
    uint32_t *out; // GAIN_OUT
    int32_t channels; // GAIN_CHANNELS
    int32_t snr_shift; // GAIN_SHIFT: 0 to 31
};

/* Scaled natural logarithms. */
struct arcq_signal_log_params {
    const uint32_t *in; // LOG_IN
    const uint16_t *table; // LOG_TABLE: 130: how much log2(1+i/128) exceeds i/128
    int16_t *out; // LOG_OUT
    int32_t count; // LOG_COUNT
    int32_t correction_bits; // LOG_BITS: left shift of an element, 0 to 31
    int32_t output_scale; // LOG_SCALE
};

/* Softmax of rows of bytes. */
struct arcq_softmax_params {
    const int8_t *in; // SOFTMAX_IN
    void *out; // SOFTMAX_OUT: apart from in, or the same when it has bytes
    int32_t rows; // SOFTMAX_ROWS
    int32_t count; // SOFTMAX_COUNT: elements of a row
    const int32_t *exponentials; // SOFTMAX_EXPONENTIALS: of the distance 0 below the greatest element; 255 others are before it
    int32_t shift; // SOFTMAX_SHIFT: 31 less the bits of an output element
    int32_t least; // SOFTMAX_LEAST: output element
    int32_t greatest; // SOFTMAX_GREATEST
};

/* Softmax of rows of halves. */
struct arcq_softmax16_params {
    const int16_t *in; // SOFTMAX16_IN
    int16_t *out; // SOFTMAX16_OUT: apart from in
    int32_t rows; // SOFTMAX16_ROWS
    int32_t count; // SOFTMAX16_COUNT: elements of a row, at most 65536
    const int16_t *exponentials; // SOFTMAX16_EXP: 513 entries, exp of -10 to 0
    const int16_t *inverses; // SOFTMAX16_INVERSE: 513 entries, 1/(1+x) of 0 to 1
    int32_t multiplier; // SOFTMAX16_MULTIPLIER: to the steps of the exponentials
    int32_t shift; // SOFTMAX16_SHIFT
};

/* Filters over features and time. */
struct arcq_svdf_params {
    const int8_t *in; // SVDF_IN
    const int8_t *weights_feature; // SVDF_FEATURES: filter, input
    const void *weights_time; // SVDF_TIMES: filter, cell
    const int32_t *feature_starts; // SVDF_FEATURE_STARTS: of every filter: - in_zero * the sum of its weights
    const int32_t *time_starts; // SVDF_TIME_STARTS: of every output: bias - state_zero * the sum of its weights
    void *state; // SVDF_STATE: batch, filter, cell
    int8_t *out; // SVDF_OUT
    int32_t batches; // SVDF_BATCHES
    int32_t inputs; // SVDF_INPUTS
    int32_t filters; // SVDF_FILTERS
    int32_t outputs; // SVDF_OUTPUTS
    int32_t output_cells; // SVDF_RUN: cells of the filters of an output
    int32_t memory_bytes; // SVDF_MEMORY: of the cells of a filter
    int32_t batch_bytes; // SVDF_MEMORIES: of the cells of a batch
    int32_t state_bytes; // SVDF_STATE_SIZE
    int32_t state_zero; // SVDF_STATE_ZERO
    int32_t out_zero; // SVDF_OUT_ZERO
    int32_t feature_multiplier; // SVDF_FEATURE_MULTIPLIER
    int32_t feature_shift; // SVDF_FEATURE_SHIFT
    int32_t time_multiplier; // SVDF_TIME_MULTIPLIER
    int32_t time_shift; // SVDF_TIME_SHIFT
};

/* Every byte replaced by what a table has for it. */
struct arcq_table_params {
    const int8_t *in; // TABLE_IN
    void *out; // TABLE_OUT: apart from in, or the same
    uint32_t count; // TABLE_COUNT: elements
    const int8_t *entries; // TABLE_ENTRIES: 256, of the elements -128 to 127; 0 for these with another uppermost bit
};

/* One tensor, element by element. */
struct arcq_map_params {
    const void *in; // MAP_IN
    void *out; // MAP_OUT: apart from in, or the same when elements are as wide
    int32_t count; // MAP_COUNT: elements
    const int16_t *table; // MAP_TABLE: 513 entries of TABLE, those of LOGISTIC and TANH without a sign
    int32_t numbers[5]; // MAP_NUMBERS: NEGATE: sum of the zero points, least, greatest; LEAKY_RELU: two factors, -1 to negate the second; LOGISTIC, TANH: multiplier, shift, last step
};

/* Where the windows of one row or column of outputs meet the map. */
struct arcf_taps {
    int32_t count; // TAPS_COUNT: cells of the window on the map
    int32_t in; // TAPS_IN: bytes to the first of them from the map's first row or column
    int32_t weights; // TAPS_WEIGHTS: bytes to the first of them in the window
}; // TAPS_SIZE

/* Sums of products of floating-point numbers: convolutions of maps, and products of matrices as windows of one cell. */
struct arcf_conv_params {
    const float *in; // F_CONV_IN
    const float *weights; // F_CONV_WEIGHTS
    const float *bias; // F_CONV_BIAS: null for none
    float *out; // F_CONV_OUT: apart from the others
    const struct arcf_taps *rows; // F_CONV_ROWS: of the output
    const struct arcf_taps *columns; // F_CONV_COLUMNS
    int32_t batches; // F_CONV_BATCHES
    int32_t out_rows; // F_CONV_OUT_ROWS
    int32_t out_columns; // F_CONV_OUT_COLUMNS
    int32_t channels; // F_CONV_CHANNELS: of the output
    int32_t in_size; // F_CONV_IN_SIZE: bytes of a map
    int32_t weight_size; // F_CONV_WEIGHT_SIZE: bytes to the weights of the next batch, 0 where they are the same
    int32_t in_row; // F_CONV_IN_ROW: bytes from one cell of the window to that of the next row
    int32_t in_column; // F_CONV_IN_COLUMN
    int32_t weight_row; // F_CONV_WEIGHT_ROW: the same in the weights
    int32_t weight_column; // F_CONV_WEIGHT_COLUMN
    int32_t weight_channel; // F_CONV_WEIGHT_CHANNEL: bytes to the weights of the next output channel
    int32_t depth; // F_CONV_DEPTH: products of a cell
    int32_t in_step; // F_CONV_IN_STEP: bytes from one to the next
    int32_t weight_step; // F_CONV_WEIGHT_STEP
    int32_t multiplier; // F_CONV_MULTIPLIER: output channels of an input channel, 0 where all have the whole map
    int32_t bias_step; // F_CONV_BIAS_STEP: 4, or 0 for one bias
};

/* Pooling of floating-point maps. */
struct arcf_pool_params {
    const float *in; // F_POOL_IN
    float *out; // F_POOL_OUT: apart from in
    const struct arcf_taps *rows; // F_POOL_ROWS: of the output
    const struct arcf_taps *columns; // F_POOL_COLUMNS
    int32_t batches; // F_POOL_BATCHES
    int32_t out_rows; // F_POOL_OUT_ROWS
    int32_t out_columns; // F_POOL_OUT_COLUMNS
    int32_t channels; // F_POOL_CHANNELS
    int32_t in_size; // F_POOL_IN_SIZE: bytes of a map
    int32_t in_row; // F_POOL_IN_ROW: bytes of a row
    int32_t in_column; // F_POOL_IN_COLUMN: bytes of a cell
};

/* A run of elements of two operands that broadcast. */
struct arcf_run {
    int32_t in1; // RUN_IN1: bytes to the first element of the run
    int32_t in2; // RUN_IN2
}; // RUN_SIZE

/* Two floating-point operands, element by element. */
struct arcf_pair_params {
    const float *in1; // F_PAIR_IN1
    const float *in2; // F_PAIR_IN2
    float *out; // F_PAIR_OUT
    const struct arcf_run *runs; // F_PAIR_RUNS
    int32_t count; // F_PAIR_COUNT: runs
    int32_t length; // F_PAIR_LENGTH: elements of a run
    int32_t step1; // F_PAIR_STEP1: bytes from element to element, 0 for one element
    int32_t step2; // F_PAIR_STEP2
};

/* One floating-point tensor, element by element. */
struct arcf_map_params {
    const float *in; // F_MAP_IN
    float *out; // F_MAP_OUT: apart from in, or the same
    int32_t count; // F_MAP_COUNT: elements
    int32_t least; // F_MAP_LEAST: of a clamp, the bits of a number
    int32_t greatest; // F_MAP_GREATEST: the same
};

/* Floating-point elements folded along a dimension. */
struct arcf_reduce_params {
    const float *in; // F_REDUCE_IN
    float *out; // F_REDUCE_OUT: apart from in
    int32_t outer; // F_REDUCE_OUTER: the product of the dimensions before
    int32_t count; // F_REDUCE_COUNT: elements that are folded
    int32_t inner; // F_REDUCE_INNER: the product of the dimensions behind
};
