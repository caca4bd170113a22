/* SPDX-License-Identifier: Apache-2.0 */
#ifndef PARTS_H
#define PARTS_H
/* y = x * by + 7, for n numbers on the device. */
void scale(const float *x, float *y, float by, int n);
#endif
