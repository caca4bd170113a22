/* PTX of any size, in the shapes that compilers find hard.
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef PTX_SHAPES_H
#define PTX_SHAPES_H
enum { PTX_SHAPES = 9 };
extern const char *const ptx_shape_names[PTX_SHAPES];
/* A module of `n` units of a shape, in malloc'ed memory; *lines: its lines. */
char *ptx_shape(int shape, int n, int *lines);
#endif
