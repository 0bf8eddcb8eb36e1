/* SHA-256 (FIPS 180-4) of "abc" and of 4096 bytes. */
#include "guest.h"

#define N 4096

static const u32 K[64] = {
	0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
	0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
	0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
	0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
	0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
	0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
	0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
	0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2,
};

static u8 data[N];

static inline u32 rotate(u32 v, int n) { return v >> n | v << (32 - n); }

static void block(u32 h[8], const u8 *p)
{
	u32 w[64], s[8];
	for (int i = 0; i < 16; i++, p += 4)
		w[i] = (u32)p[0] << 24 | (u32)p[1] << 16 | (u32)p[2] << 8 | p[3];
	for (int i = 16; i < 64; i++) {
		u32 x = w[i - 15], y = w[i - 2];
		w[i] = w[i - 16] + w[i - 7] + (rotate(x, 7) ^ rotate(x, 18) ^ x >> 3) +
		       (rotate(y, 17) ^ rotate(y, 19) ^ y >> 10);
	}
	for (int i = 0; i < 8; i++)
		s[i] = h[i];
	for (int i = 0; i < 64; i++) {
		u32 e = s[4], a = s[0];
		u32 t1 = s[7] + (rotate(e, 6) ^ rotate(e, 11) ^ rotate(e, 25)) +
			 ((e & s[5]) ^ (~e & s[6])) + K[i] + w[i];
		u32 t2 = (rotate(a, 2) ^ rotate(a, 13) ^ rotate(a, 22)) +
			 ((a & s[1]) ^ (a & s[2]) ^ (s[1] & s[2]));
		s[7] = s[6];
		s[6] = s[5];
		s[5] = e;
		s[4] = s[3] + t1;
		s[3] = s[2];
		s[2] = s[1];
		s[1] = a;
		s[0] = t1 + t2;
	}
	for (int i = 0; i < 8; i++)
		h[i] += s[i];
}

static void sha256(u32 h[8], const u8 *p, u32 n)
{
	static const u32 start[8] = {
		0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a, 0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19,
	};
	u8 last[128];
	u32 rest = n % 64, size = rest < 56 ? 64 : 128;
	for (int i = 0; i < 8; i++)
		h[i] = start[i];
	for (u32 i = 0; i + 64 <= n; i += 64)
		block(h, p + i);
	for (u32 i = 0; i < size; i++)
		last[i] = i < rest ? p[n - rest + i] : i == rest ? 0x80 : 0;
	for (u32 i = 0; i < 4; i++)
		last[size - 1 - i] = n * 8 >> (8 * i);
	for (u32 i = 0; i < size; i += 64)
		block(h, last + i);
}

int main(void)
{
	u32 abc[8], h[8], seed = 256;
	sha256(abc, (const u8 *)"abc", 3);
	for (int i = 0; i < 8; i++)
		print("abc", abc[i]);
	for (int i = 0; i < N; i++)
		data[i] = noise(&seed) >> 24;
	bench_begin();
	sha256(h, data, N);
	bench_end();
	for (int i = 0; i < 8; i++)
		print("data", h[i]);
	return 0;
}
