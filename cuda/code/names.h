/* Names as sources have them.  SPDX-License-Identifier: Apache-2.0 */
#ifndef NAMES_H
#define NAMES_H
#include <stddef.h>
/* The sentence with the names of C++ in it as their source has them: `_Z1fi' is `f(int)'. */
void names_plain(const char *sentence, char *buf, size_t n);
#endif
