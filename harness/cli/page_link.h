/* A failing kernel as an address of the page (docs/page.md), to be sent to others.
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef PAGE_LINK_H
#define PAGE_LINK_H
#include "harness/cli/cli.h"

/* The address: that of heddle.html where it lies, and in its fragment the kernel (PTX or a
 * listing), the launch (words of `heddle lockstep') and the mode, as page/web/link.js reads them;
 * of a kernel too large, a sentence that says so.  To be freed; NULL: no memory, or this is the
 * page. */
char *page_link(const char *source, const char *launch, bool stack_mode);
/* The same of a session's launch, or why the page cannot run it. */
char *session_link(const struct session *s);
#endif
