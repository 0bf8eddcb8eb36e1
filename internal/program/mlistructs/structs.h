/* The structures that the interfaces of all versions of MLI have in common. */

struct mli_relu_cfg {
    enum mli_relu_type type;
};

struct mli_pool_cfg {
    uint8_t kernel_width; // POOL_KERNEL_W
    uint8_t kernel_height; // POOL_KERNEL_H
    uint8_t stride_width; // POOL_STRIDE_W
    uint8_t stride_height; // POOL_STRIDE_H
    uint8_t padding_left; // POOL_PAD_L
    uint8_t padding_right; // POOL_PAD_R
    uint8_t padding_top; // POOL_PAD_T
    uint8_t padding_bottom; // POOL_PAD_B
};

struct mli_permute_cfg {
    uint8_t perm_dim[4];
};

struct mli_point_to_subtsr_cfg {
    uint32_t start_coord[4];
    uint8_t coord_num; // POINT_COORDS
    uint8_t first_out_dim_size; // POINT_FIRST
};

struct mli_sub_tensor_cfg {
    uint32_t offset[4];
    uint32_t size[4]; // SUB_EXTENT
    uint32_t sub_tensor_rank; // SUB_RANK
};

/* The part of a tensor that a move takes, and its place. An extent of 0 is all there is, a stride of 0 the one of the output. */
struct mli_mov_cfg_t {
    uint32_t offset[4]; // MOV_OFFSET
    uint32_t size[4]; // MOV_EXTENT
    uint32_t sub_sample_step[4]; // MOV_STEP
    uint32_t dst_offset[4]; // MOV_DST_OFFSET
    int32_t dst_mem_stride[4]; // MOV_DST_STRIDE
    uint8_t perm_dim[4]; // MOV_PERM: of the source, by dimension of the output
    uint8_t padding_pre[4]; // MOV_PAD_PRE
    uint8_t padding_post[4]; // MOV_PAD_POST
}; // MOV_SIZE

struct mli_mov_handle_t {
    int dma_ch; // HANDLE_CHANNEL
    int num_ch; // HANDLE_CHANNELS
    enum mli_mov_state state; // HANDLE_STATE
};
