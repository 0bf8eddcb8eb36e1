struct mli_fully_connected_cfg {
    struct mli_relu_cfg relu;
};

struct mli_prelu_cfg {
    int32_t axis;
};

struct mli_softmax_cfg {
    int32_t axis;
};

struct mli_l2_normalize_cfg {
    int32_t axis;
};

struct mli_conv2d_cfg {
    struct mli_relu_cfg relu; // CONV_RELU
    uint8_t stride_width; // CONV_STRIDE_W
    uint8_t stride_height; // CONV_STRIDE_H
    uint8_t padding_left; // CONV_PAD_L
    uint8_t padding_right; // CONV_PAD_R
    uint8_t padding_top; // CONV_PAD_T
    uint8_t padding_bottom; // CONV_PAD_B
    uint8_t dilation_width; // CONV_DILATION_W
    uint8_t dilation_height; // CONV_DILATION_H
};

struct mli_rnn_dense_cfg {
    uint8_t inputs_num;
};

struct mli_argmax_cfg {
    int32_t axis; // ARGMAX_AXIS
    int32_t topk; // ARGMAX_TOPK
};
