/* Whether the core makes its planted mistake (plant.sh): the page leaves a file for such a run.
 * SPDX-License-Identifier: Apache-2.0 */
#include <unistd.h>

int page_planted(void);
int page_planted(void) { return access("/planted", F_OK) == 0; }
