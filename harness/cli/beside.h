/* Programs `heddle-NAME` that lie beside heddle are its commands `heddle NAME`, as git has them.
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef BESIDE_H
#define BESIDE_H
#include <stdbool.h>
#include <stddef.h>

enum { BESIDE_NAME = 64, BESIDE_MOST = 32 };
/* The folder in which the program lies; false: it is not known. */
bool beside_folder(char *folder, size_t room);
/* Their names, in order; how many there are. */
unsigned beside_list(char name[BESIDE_MOST][BESIDE_NAME]);
/* Becomes `heddle-ARGV[1]`, with the arguments after it.  Returns where there is none. */
void beside_run(char **argv);
#endif
