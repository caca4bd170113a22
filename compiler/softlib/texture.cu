// Textures and surfaces: what tex, tld4, txq, suld and sust call.
// SPDX-License-Identifier: Apache-2.0
//
// As CUDA's programming guide defines fetching: coordinates of nearest texels are rounded down, linear
// filtering weighs neighbours by the coordinate less a half, in fixed point with eight bits of
// fraction.  Weights are exact, products of them too; the sum is by fma, in ascending x, then y, then
// z, and a texel whose weight is zero does not count.
#include "softlib/types.cuh"
#include "texture.h"

struct __attribute__((aligned(16))) quad { u32 v[4]; };
typedef const hd_texture *texture;
#define UNROLL _Pragma("unroll")    // arrays stay in registers

INLINE float as_float(u32 v) { return __nvvm_bitcast_i2f((int)v); }
INLINE u32 as_bits(float v) { return (u32)__nvvm_bitcast_f2i(v); }
INLINE float down(float v) { return __nvvm_floor_f(v); }
INLINE s32 round_down(float v) { return __nvvm_f2i_rm(v); }       // saturates
INLINE s32 round_near(float v) { return __nvvm_f2i_rn(v); }
INLINE float log2_near(float v) { return __nvvm_lg2_approx_f(v); }
INLINE float fused(float a, float b, float c) { return __nvvm_fma_rn_f(a, b, c); }
INLINE float half_to_float(u32 h)
{
    float f;
    asm("{.reg .b16 h;\n\tcvt.u16.u32 h, %1;\n\tcvt.f32.f16 %0, h;}" : "=f"(f) : "r"(h));
    return f;
}

// The texel that stands for number i of n; *inside: false if the border does.
INLINE s32 in_range(s32 i, s32 n, u32 mode, bool *inside)
{
    if ((u32)i < (u32)n) return i;
    if (mode == HD_TEX_BORDER) *inside = false;
    if (mode == HD_TEX_WRAP) {
        s32 r = i % n;
        return r < 0 ? r + n : r;
    }
    if (mode == HD_TEX_MIRROR) {
        s32 r = i % (2 * n);
        if (r < 0) r += 2 * n;
        return r < n ? r : 2 * n - 1 - r;
    }
    return i < 0 ? 0 : n - 1;
}

// A coordinate in texels.
INLINE float position(texture t, float c, u32 n, u32 mode)
{
    if (!t->normalized) return c;
    float whole = down(c), part = c - whole;
    if (mode == HD_TEX_WRAP) c = part;
    if (mode == HD_TEX_MIRROR) c = round_down(whole) & 1 ? 1.0f - part : part;
    return c * (float)n;
}

// Bits of channel k: a float's, or an integer of 32 bits.  Of sRGB the fourth is even.
INLINE u32 channel(texture t, u32 k, u64 at)
{
    u32 raw, bits = t->bits;
    if (bits == 8) raw = *(const unsigned char *)at;
    else if (bits == 16) raw = *(const unsigned short *)at;
    else raw = *(const u32 *)at;
    if (t->kind == HD_TEX_FLOAT) return bits == 16 ? as_bits(half_to_float(raw)) : raw;
    if (t->kind == HD_TEX_SIGNED && bits < 32) raw =
        (u32)((s32)(raw << (32 - bits)) >> (32 - bits));
    if (!t->fraction) return raw;
    if (t->srgb && k < 3) return ((const u32 *)t->srgb)[raw & 255];
    if (t->kind == HD_TEX_UNSIGNED) return as_bits((float)raw / (bits == 8 ? 255.0f : 65535.0f));
    float f = (float)(s32)raw / (bits == 8 ? 127.0f : 32767.0f);
    return as_bits(f < -1.0f ? -1.0f : f);
}

INLINE bool gives_floats(texture t) { return t->kind == HD_TEX_FLOAT || t->fraction; }

// What a channel holds that is not there: 0, of the fourth 1.
INLINE u32 missing(texture t, u32 k) { return k < 3 ? 0 : gives_floats(t) ? 0x3f800000 : 1; }

INLINE quad texel(texture t, s32 x, s32 y, s32 z, bool inside)
{
    quad q;
    u32 bytes = t->bits / 8;
    u64 at = t->base + (u64)(u32)z * t->slice + (u64)(u32)y * t->row + (u64)(u32)x *
        (bytes * t->channels);
    UNROLL
    for (u32 k = 0; k < 4; k++) {
        if (k >= t->channels) q.v[k] = missing(t, k);
        else if (inside) q.v[k] = channel(t, k, at + k * bytes);
        else q.v[k] = gives_floats(t) ? as_bits(t->border[k]) : (u32)round_down(t->border[k]);
    }
    return q;
}

// The face of a cube that a direction meets, and where: *s and *t go from -*m to *m.
INLINE float size(float v) { return __nvvm_fabs_f(v); }
INLINE s32 size(s32 v) { return v < 0 ? -v : v; }
template <class T> INLINE u32 face(T x, T y, T z, T *s, T *t, T *m)
{
    T ax = size(x), ay = size(y), az = size(z);
    if (ax >= ay && ax >= az) {
        *m = ax, *s = x < 0 ? z : -z, *t = -y;
        return x < 0;
    }
    if (ay >= az) {
        *m = ay, *s = x, *t = y < 0 ? -z : z;
        return 2 + (y < 0);
    }
    *m = az, *s = z < 0 ? -x : x, *t = -y;
    return 4 + (z < 0);
}

// Layers are numbered without a sign, and past the last one is the last one, as on an H100
// (tests/silicon/layers.txt).
INLINE s32 layer_of(u32 layer, u32 layers)
{
    return (s32)(layer < layers ? layer : layers - 1);
}

struct place {
    float c[3];               // coordinates in texels
    s32 z;                    // layer or face
    u32 dims;
    bool seamless;            // texels past the edge of a face are those of its neighbour
};

INLINE place find(texture t, u32 x, u32 y, u32 z, u32 layer, u32 how)
{
    place p;
    p.dims = how & HD_TEX_DIMS;
    p.z = 0;
    p.seamless = p.dims == HD_TEX_CUBE && t->seamless;
    p.c[0] = as_float(x), p.c[1] = as_float(y), p.c[2] = as_float(z);
    if (p.dims == HD_TEX_CUBE) {
        float u, v, m;
        p.z = (s32)face(p.c[0], p.c[1], p.c[2], &u, &v, &m);
        p.c[0] = (u / m + 1.0f) * 0.5f * (float)t->width;
        p.c[1] = (v / m + 1.0f) * 0.5f * (float)t->height;
        p.dims = 2;
        if (how & HD_TEX_LAYERED) p.z += 6 * layer_of(layer, t->depth / 6);
        return p;
    }
    p.c[0] = position(t, p.c[0], t->width, t->address[0]);
    p.c[1] = position(t, p.c[1], t->height, t->address[1]);
    p.c[2] = position(t, p.c[2], t->depth, t->address[2]);
    if (how & HD_TEX_LAYERED) p.z = layer_of(layer, t->depth);
    return p;
}

// The texel with these numbers, each of which may be out of range.
INLINE quad texel_at(texture t, u32 dims, s32 x, s32 y, s32 z)
{
    bool inside = true;
    x = in_range(x, (s32)t->width, t->address[0], &inside);
    y = dims > 1 ? in_range(y, (s32)t->height, t->address[1], &inside) : 0;
    if (dims > 2) z = in_range(z, (s32)t->depth, t->address[2], &inside);
    return texel(t, x, y, z, inside);
}

// The texel x, y of a face, one of which may be out of range by one: then it lies on the next face.
// In halves of texels, from the middle of a cube whose faces are n from it, the centre of a texel at
// the edge is n - 1 from the middle of its face and so from the edge of the next one.
INLINE quad texel_around(texture t, s32 x, s32 y, s32 z)
{
    s32 n = (s32)t->width, f = z % 6;
    if ((u32)x >= (u32)n || (u32)y >= (u32)n) {
        s32 u = 2 * x + 1 - n, v = 2 * y + 1 - n, m = n - 1;
        u = u < -n ? -n : u > n ? n : u;
        v = v < -n ? -n : v > n ? n : v;
        s32 side = f & 1 ? -m : m, a = f & 1 ? -u : u, b = f & 1 ? -v : v;
        z += (s32)(f < 2 ? face(side, -v, -a, &u, &v, &m)
                   : f < 4 ? face(u, side, b, &u, &v, &m) : face(a, -v, side, &u, &v, &m)) - f;
        x = (u + n - 1) >> 1, y = (v + n - 1) >> 1;
    }
    return texel(t, x, y, z, true);
}

// Where three faces meet there is no fourth texel: each of the others counts a third more of it.
INLINE bool at_corner(texture t, s32 x, s32 y)
{
    return (u32)x >= t->width && (u32)y >= t->height;
}

// Of neighbour k, whose bits say in which directions it is the second of two.
INLINE float weight(const u32 part[3], u32 k)
{
    u32 wx = k & 1 ? part[0] : 256 - part[0], wy = k & 2 ? part[1] : 256 - part[1],
        wz = k & 4 ? part[2] : 256 - part[2];
    return (float)(wx * wy) * (1.0f / 65536) * ((float)wz * (1.0f / 256));
}

INLINE quad filter(texture t, place p)
{
    s32 first[3];
    u32 part[3];
    float sum[4] = { 0, 0, 0, 0 };
    quad q;
    UNROLL
    for (u32 k = 0; k < 3; k++) {
        s32 fixed = round_near((p.c[k] - 0.5f) * 256.0f);
        bool used = k < p.dims;
        first[k] = used ? fixed >> 8 : k == 2 ? p.z : 0;
        part[k] = used ? (u32)fixed & 255 : 0;
    }
    float shared = 0;
    if (p.seamless)
        for (u32 k = 0; k < 4; k++)
            if (at_corner(t, first[0] + (s32)(k & 1), first[1] + (s32)(k >> 1)))
                shared = weight(part, k) * (1.0f / 3);
    for (u32 k = 0; k < 1u << p.dims; k++) {
        float w = weight(part, k) + shared;
        s32 x = first[0] + (s32)(k & 1), y = first[1] + (s32)(k >> 1 & 1),
            z = first[2] + (s32)(k >> 2);
        if (w == 0 || (p.seamless && at_corner(t, x, y))) continue;
        quad one = p.seamless ? texel_around(t, x, y, z) : texel_at(t, p.dims, x, y, z);
        UNROLL
        for (u32 c = 0; c < 4; c++) sum[c] = fused(w, as_float(one.v[c]), sum[c]);
    }
    UNROLL
    for (u32 c = 0; c < 4; c++) q.v[c] = c < t->channels ? as_bits(sum[c]) : missing(t, c);
    return q;
}

INLINE quad fetch(texture t, u32 x, u32 y, u32 z, u32 layer, u32 how)
{
    if (how & HD_TEX_TEXELS)
        return texel_at(t, how & HD_TEX_DIMS, (s32)x, (s32)y,
                        how & HD_TEX_LAYERED ? layer_of(layer, t->depth) : (s32)z);
    place p = find(t, x, y, z, layer, how);
    if (t->linear) return filter(t, p);
    return texel_at(t, p.dims, round_down(p.c[0]), round_down(p.c[1]),
                    p.dims > 2 ? round_down(p.c[2]) : p.z);
}

DEVICE quad __hd_tex(u64 object, u32 x, u32 y, u32 z, u32 layer, u32 how)
{
    return fetch((texture)object, x, y, z, layer, how);
}

// A mipmap's levels are described one after the other.  Between two of them the weight has eight
// bits, as between two texels.
INLINE quad at_level(texture t, u32 x, u32 y, u32 z, u32 layer, u32 how, float level)
{
    float last = (float)(t->levels - 1), most = t->most < last ? t->most : last;
    level += t->bias;
    if (!(level > t->least)) level = t->least;
    if (!(level < most)) level = most;
    if (!(level > 0)) level = 0;
    s32 fixed = t->blends ? round_near(level * 256.0f) : round_down(level + 0.5f) << 8;
    u32 part = (u32)fixed & 255;
    quad q;
    float weight = (float)(256 - part) * (1.0f / 256);
    t += fixed >> 8;
#pragma unroll 1
    for (u32 k = 0;; k++, t++) {
        quad one = fetch(t, x, y, z, layer, how);
        if (!part) return one;
        UNROLL
        for (u32 c = 0; c < 4; c++)
            q.v[c] = k ? as_bits(fused((float)part * (1.0f / 256), as_float(one.v[c]),
                                       as_float(q.v[c])))
                       : as_bits(weight * as_float(one.v[c]));
        if (k) break;
    }
    return q;
}

DEVICE quad __hd_tex_level(u64 object, u32 x, u32 y, u32 z, u32 layer, u32 how, u32 level)
{
    return at_level((texture)object, x, y, z, layer, how, as_float(level));
}

// How far the coordinates go from one pixel to the next, in texels, squared.
INLINE float distance(texture t, u32 x, u32 y, u32 z)
{
    float d[3] = { as_float(x), as_float(y), as_float(z) };
    if (t->normalized)
        d[0] *= (float)t->width, d[1] *= (float)t->height, d[2] *= (float)t->depth;
    return fused(d[0], d[0], fused(d[1], d[1], d[2] * d[2]));
}

// The same on the face of a cube that direction x, y, z meets: s / m and t / m change with it.
INLINE float distance_on_face(texture t, u32 x, u32 y, u32 z, u32 dx, u32 dy, u32 dz)
{
    float d[3] = { as_float(x), as_float(y), as_float(z) }, e[3] = { as_float(dx), as_float(dy),
        as_float(dz) }, s, u, m, ds, du, dm;
    u32 f = face(d[0], d[1], d[2], &s, &u, &m);
    float sign = f & 1 ? -1.0f : 1.0f;
    if (f < 2) dm = e[0], ds = -e[2] * sign, du = -e[1];
    else if (f < 4) dm = e[1], ds = e[0], du = e[2] * sign;
    else dm = e[2], ds = e[0] * sign, du = -e[1];
    float half = 0.5f * (float)t->width / m;
    dm *= sign;
    ds = (ds - s / m * dm) * half, du = (du - u / m * dm) * half;
    return fused(ds, ds, du * du);
}

// The level whose texels are as far apart as pixels: the logarithm of the longer way.
DEVICE quad __hd_tex_grad(u64 object, u32 x, u32 y, u32 z, u32 layer, u32 how, u32 ax, u32 ay, u32 az,
                          u32 bx, u32 by, u32 bz)
{
    texture t = (texture)object;
    bool cube = (how & HD_TEX_DIMS) == HD_TEX_CUBE;
    float a = cube ? distance_on_face(t, x, y, z, ax, ay, az) : distance(t, ax, ay, az),
          b = cube ? distance_on_face(t, x, y, z, bx, by, bz) : distance(t, bx, by, bz);
    return at_level(t, x, y, z, layer, how, 0.5f * log2_near(a > b ? a : b));
}

// One component of the four texels that linear filtering would weigh, counter-clockwise from
// the lower left.
DEVICE quad __hd_tld4(u64 object, u32 x, u32 y, u32 layer, u32 how)
{
    texture t = (texture)object;
    place p = find(t, x, y, 0, layer, how);
    quad q;
    u32 c = how >> HD_TEX_COMPONENT & 3;
    s32 i = round_near((p.c[0] - 0.5f) * 256.0f) >> 8,
        j = round_near((p.c[1] - 0.5f) * 256.0f) >> 8;
    UNROLL
    for (u32 k = 0; k < 4; k++) q.v[k] = texel_at(t, 2, i + (k == 1 || k == 2), j + (k < 2),
                                                  p.z).v[c];
    return q;
}

DEVICE u32 __hd_txq(u64 object, u32 what)
{
    texture t = (texture)object;
    if (what == HD_TXQ_WIDTH) return t->width;
    if (what == HD_TXQ_HEIGHT) return t->height;
    return what == HD_TXQ_NORMALIZED ? t->normalized : t->depth;
}

// Where an access lies; 0: out of range, and it counts for nothing.
INLINE u64 cell(texture t, s32 x, s32 y, s32 z, u32 how)
{
    u32 bytes = (how / HD_SURF_BYTES & 15) * (how / (HD_SURF_BYTES * HD_SURF_COUNT));
    s32 last[3] = { (s32)(t->width * t->channels * (t->bits / 8) - bytes), (s32)t->height - 1,
                    (s32)t->depth - 1 };
    if (how & HD_SURF_LAYERED) z &= 0xffff;        // measured, too
    bool out = (u32)x > (u32)last[0] || (u32)y > (u32)last[1] || (u32)z > (u32)last[2];
    if (out && (how & HD_SURF_RANGE) == HD_SURF_TRAP) asm volatile("trap;");
    if (out && (how & HD_SURF_RANGE) == HD_SURF_ZERO) return 0;
    x = x < 0 ? 0 : x > last[0] ? last[0] : x;
    y = y < 0 ? 0 : y > last[1] ? last[1] : y;
    z = z < 0 ? 0 : z > last[2] ? last[2] : z;
    return t->base + (u64)(u32)z * t->slice + (u64)(u32)y * t->row + (u32)x;
}

// Components, each in a word; those of eight bytes in two.
DEVICE quad __hd_suld(u64 object, u32 x, u32 y, u32 z, u32 how)
{
    quad q = { { 0, 0, 0, 0 } };
    u32 bytes = how / HD_SURF_BYTES & 15, n = how / (HD_SURF_BYTES * HD_SURF_COUNT);
    u64 at = cell((texture)object, (s32)x, (s32)y, (s32)z, how);
    if (!at) return q;
    if (bytes == 8) bytes = 4, n *= 2;
    UNROLL
    for (u32 k = 0; k < 4; k++, at += bytes)
        if (k < n) q.v[k] = bytes == 1 ? *(unsigned char *)at
            : bytes == 2 ? *(unsigned short *)at : *(u32 *)at;
    return q;
}

DEVICE void __hd_sust(u64 object, u32 x, u32 y, u32 z, u32 how, u32 a, u32 b, u32 c, u32 d)
{
    u32 bytes = how / HD_SURF_BYTES & 15, n = how / (HD_SURF_BYTES * HD_SURF_COUNT), v[4] = { a,
        b, c, d };
    u64 at = cell((texture)object, (s32)x, (s32)y, (s32)z, how);
    if (!at) return;
    if (bytes == 8) bytes = 4, n *= 2;
    UNROLL
    for (u32 k = 0; k < 4; k++, at += bytes) {
        if (k >= n) continue;
        if (bytes == 1) *(unsigned char *)at = (unsigned char)v[k];
        else if (bytes == 2) *(unsigned short *)at = (unsigned short)v[k];
        else *(u32 *)at = v[k];
    }
}
DEVICE void __hd_sust64(u64 object, u32 x, u32 y, u32 z, u32 how, u64 a, u64 b)
{
    __hd_sust(object, x, y, z, how, (u32)a, (u32)(a >> 32), (u32)b, (u32)(b >> 32));
}
