/* A failing kernel as an address of the page (docs/page.md), to be sent to others.
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef PAGE_LINK_H
#define PAGE_LINK_H
#include <stdbool.h>

/* The address: that of heddle.html, beside folder (of heddle, or of its library; NULL: not known),
 * and in its fragment the kernel (PTX or a listing), the launch (words of `heddle lockstep') and
 * the mode, as page/web/link.js reads them; of what is too large, a sentence that says so.  To be
 * freed; NULL: no memory, or this is the page. */
char *page_link(const char *source, const char *launch, bool stack_mode, const char *folder);
#endif
