/* SPDX-License-Identifier: Apache-2.0 */
static inline void from_header(int *p) { add<100><< < 1, 8 >> > (p); }
