/* What kernels print: the buffer between the library's vprintf and __assertfail (softlib/print.cu)
 * and the host.
 * SPDX-License-Identifier: Apache-2.0
 *
 * An image whose kernels print has a `.global` variable PRINT_SYMBOL, a struct hd_print.  A record
 * is reserved by an atomic addition to `used`, so records lie in the order in which lanes committed
 * it.  When `used` passes PRINT_BYTES, the record that did it, and all after it, are lost: the ones
 * before it are whole.  The host prints records after a launch, whatever its end, and sets `used`
 * to 0.
 *
 * A record: struct hd_print_record; its values, 8 bytes each; then texts that end in NUL, the
 * format the first.  A value that is a text is its offset in the record, 0 for a null pointer.  A
 * value of 4 bytes has an undefined upper half.
 *   PRINT_FORMAT  values: one for each argument that the format asks for, `*` included
 *   PRINT_ASSERT  values: enum hd_print_assert; the format is the condition's text
 * The header is for C, and for CUDA C without an SDK. */
#ifndef PRINT_H
#define PRINT_H
#define PRINT_SYMBOL "__hd_print"
enum { PRINT_BYTES = 1 << 20 };
struct hd_print {
    unsigned used, unused;
    unsigned long long data[PRINT_BYTES / 8];
};
/* bytes: a multiple of 8, this included */
struct hd_print_record { unsigned bytes; unsigned short kind, nvalues; };
enum { PRINT_FORMAT, PRINT_ASSERT };
enum hd_print_assert { PRINT_LINE, PRINT_BLOCK, PRINT_THREAD = PRINT_BLOCK + 3,
                       PRINT_FILE = PRINT_THREAD + 3, PRINT_FUNCTION, PRINT_ASSERT_VALUES };
#endif
