/* CRC-32 (reflected, 0xedb88320) of 4096 bytes, by bits and by table, and of the check string. */
#include "guest.h"

#define N 4096

static u8 data[N];
static u32 table[256];

static u32 by_bits(const u8 *p, u32 n)
{
	u32 crc = ~0u;
	while (n--) {
		crc ^= *p++;
		for (int k = 0; k < 8; k++)
			crc = crc & 1 ? crc >> 1 ^ 0xedb88320u : crc >> 1;
	}
	return ~crc;
}

static void make_table(void)
{
	for (u32 i = 0; i < 256; i++) {
		u32 v = i;
		for (int k = 0; k < 8; k++)
			v = v & 1 ? v >> 1 ^ 0xedb88320u : v >> 1;
		table[i] = v;
	}
}

static u32 by_table(const u8 *p, u32 n)
{
	u32 crc = ~0u;
	while (n--)
		crc = crc >> 8 ^ table[(crc ^ *p++) & 255];
	return ~crc;
}

int main(void)
{
	u32 seed = 32;
	for (int i = 0; i < N; i++)
		data[i] = noise(&seed) >> 24;
	bench_begin();
	u32 bits = by_bits(data, N);
	make_table();
	u32 fast = by_table(data, N);
	bench_end();
	print("check", by_table((const u8 *)"123456789", 9));
	print("bits", bits);
	print("table", fast);
	return 0;
}
