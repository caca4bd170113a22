/* A device function that a kernel of another file calls.  SPDX-License-Identifier: Apache-2.0 */
__device__ float offset(float x) { return x + 7; }
