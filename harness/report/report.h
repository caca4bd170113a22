/* The text printed about a launch: differences, faults, which lanes wait for which.
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef REPORT_H
#define REPORT_H
#include "harness/device/device.h"

/* report.c */
void report_write(hd_device *d, FILE *out);
void report_fault(const hd_device *d, const struct hd_commit *c, FILE *out);
void report_insn(const hd_device *d, const struct hd_commit *c, FILE *out);
/* FILE:LINE of an instruction, without folders; empty where nothing is known. */
void report_source(const hd_device *d, uint32_t pc, char *buf, size_t n);
/* noprogress.c */
void noprogress_write(hd_device *d, FILE *out);
#endif
