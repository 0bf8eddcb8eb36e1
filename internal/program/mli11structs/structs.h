struct mli_conv2d_cfg {
    struct mli_relu_cfg relu; // CONV_RELU
    uint8_t stride_width; // CONV_STRIDE_W
    uint8_t stride_height; // CONV_STRIDE_H
    uint8_t padding_left; // CONV_PAD_L
    uint8_t padding_right; // CONV_PAD_R
    uint8_t padding_top; // CONV_PAD_T
    uint8_t padding_bottom; // CONV_PAD_B
};

struct mli_rnn_cell_cfg {
    enum mli_rnn_mode mode; // RNN_MODE
    enum mli_rnn_out_activation act; // RNN_ACT
    mli_tensor *ir_tsr; // RNN_IR: scratch: outputs elements for a basic cell, 4 x outputs for LSTM
};

struct mli_padding2d_cfg {
    uint8_t padding_left; // PAD_L
    uint8_t padding_right; // PAD_R
    uint8_t padding_top; // PAD_T
    uint8_t padding_bottom; // PAD_B
};

struct mli_concat_cfg {
    uint8_t tensors_num; // CONCAT_NUM
    uint8_t axis; // CONCAT_AXIS
};
