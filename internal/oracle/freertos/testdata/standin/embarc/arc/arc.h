#define AUX_ECR 0x403
#define AUX_IRQ_CAUSE 0x40a
