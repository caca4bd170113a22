/* Whether a core is made of the sources that lie in its tree.
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef SOURCES_H
#define SOURCES_H
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* What a core's library says of its sources (build.mk writes it), in fields that end with `;':
 *     sources SUM   of all of them together
 *     TREE          the tree that it was built in, from the library's folder
 *     COMMAND       what builds it again, in the tree
 *     CRC SIZE FILE of each, as cksum prints it; FILE from the tree */
const char *sources_text(void *lib);
/* SUM of two are the same. */
bool sources_equal(const char *a, const char *b);
/* False: what lies in its tree is something else now.  `what' names the file, `command' builds it
 * again.  A library without its tree has nothing to be compared with. */
bool sources_current(const char *text, const char *library, char *what, size_t what_size,
                     char *command, size_t command_size);
/* The checksum of POSIX' cksum. */
uint32_t sources_cksum(const uint8_t *data, size_t n);
#endif
