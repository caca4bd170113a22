/* What a texture or surface object is: its value is the address of one of these in device memory.
 * SPDX-License-Identifier: Apache-2.0
 *
 * The run time writes it, the library's routines (softlib/texture.cu) read it; they are all that
 * knows of textures: the machine has nothing for them.  Numbers are CUDA's. */
#ifndef HD_TEXTURE_H
#define HD_TEXTURE_H

/* Of cudaChannelFormatKind, cudaTextureAddressMode. */
enum { HD_TEX_SIGNED, HD_TEX_UNSIGNED, HD_TEX_FLOAT };
enum { HD_TEX_WRAP, HD_TEX_CLAMP, HD_TEX_MIRROR, HD_TEX_BORDER };

struct hd_texture {
    unsigned long long base;
    unsigned width, height, depth;        /* texels; depth: of 3D, else layers, faces; at least 1 */
    unsigned row, slice;                  /* bytes to the next row, to the next layer */
    unsigned channels, bits, kind;        /* 1, 2, 4 of 8, 16, 32 bits each */
    unsigned address[3];                  /* out of range in x, y, z */
    unsigned linear, normalized;
    unsigned fraction;                    /* integers are read as fractions of their range */
    float border[4];
    unsigned levels;                      /* of a mipmap: so many of these descriptions, or 1 */
    unsigned blends;                      /* two levels, by how far the asked one is from each */
    float bias, least, most;              /* what is added to a level, and where it is kept */
    unsigned seamless;                    /* a cube is filtered across the edges of its faces */
    unsigned long long srgb;              /* where floats for all bytes lie; 0: they are even */
};

/* How a fetch is meant: `how' of the routines. */
enum { HD_TEX_1D = 1, HD_TEX_2D, HD_TEX_3D, HD_TEX_CUBE, HD_TEX_DIMS = 7, HD_TEX_LAYERED = 8,
       HD_TEX_TEXELS = 16 /* coordinates are numbers of texels */,
           HD_TEX_COMPONENT = 5 /* shift */ };
/* Of a surface: what to do out of range, whether z is a layer, bytes of a component, how many. */
enum { HD_SURF_TRAP, HD_SURF_CLAMP, HD_SURF_ZERO, HD_SURF_RANGE = 3, HD_SURF_LAYERED = 4,
       HD_SURF_BYTES = 8, HD_SURF_COUNT = 16 };
enum { HD_TXQ_WIDTH, HD_TXQ_HEIGHT, HD_TXQ_DEPTH, HD_TXQ_LAYERS, HD_TXQ_NORMALIZED };
#endif
