// f32 in integers: the remainder, and arguments of sine and cosine that are far out.
// SPDX-License-Identifier: Apache-2.0
#define INFINITE 0x7f800000u
#define NO_NUMBER 0x7fffffffu

// Both as whole numbers of units of the smaller one; a step of eight bits keeps within 32.
DEVICE float __nv_fmodf(float x, float y)
{
    u32 a = to_bits32(x) & 0x7fffffff, b = to_bits32(y) & 0x7fffffff;
    if (b - 1 >= INFINITE || a >= INFINITE) return from_bits32(NO_NUMBER);
    if (a < b) return x;
    s32 ea = a >> 23 ? (s32)(a >> 23) : 1, eb = b >> 23 ? (s32)(b >> 23) : 1;
    u32 n = b >> 23 ? (b & 0x7fffff) | 0x800000 : b;
    u32 m = (a >> 23 ? (a & 0x7fffff) | 0x800000 : a) % n;
    for (s32 left = ea - eb; left > 0 && m; left -= 8) m = (m << (left < 8 ? left : 8)) % n;
    float size = (float)m * 0x1p-23f * from_bits32((u32)eb << 23);
    return from_bits32(to_bits32(size) | (to_bits32(x) & 0x80000000));
}

// x = q pi / 2 + r, |r| <= pi / 4, for |x| from 2^-1 on: q's two low bits above those of r.  Of x 2 / pi the bits
// from 2 to 2^-62 are multiplied out.
DEVICE u64 __hd_over_pi(float x)
{
    u32 a = to_bits32(x) & 0x7fffffff, at = (a >> 23) - 88;
    if (a >= INFINITE) return NO_NUMBER;
    u64 m = (a & 0x7fffff) | 0x800000, high;
    multiply(m, window(at + 64), &high);
    u64 p = m * window(at) + high, f = p << 2, q = p >> 62;
    bool up = f >> 63, below = to_bits32(x) >> 31;   // the nearer quadrant
    if (up) q++, f = 0 - f;
    if (below) q = 0 - q;
    multiply(f, 0xc90fdaa22168c235ull, &high);       // pi / 2
    float r = (float)high * 0x1p-63f;
    return (q & 3) << 32 | to_bits32(up != below ? -r : r);
}
