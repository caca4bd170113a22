/* The divergence timeline of a launch: commits gathered warp by warp, then drawn as a page or as
 * text.
 * SPDX-License-Identifier: Apache-2.0
 *
 * What the page needs of a commit is small (place, time, PC, masks, where the other lanes wait), so
 * a record takes about eight bytes before it is compressed.  Records lie in chunks that decode
 * alone; each warp also has at most TIMELINE_BUCKETS equal spans of time, for views that show more
 * than a screen can. */
#ifndef TIMELINE_H
#define TIMELINE_H
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include "cmodel/base/err.h"
#include "cmodel/image/image.h"
#include "harness/view/view_commit.h"

enum { TIMELINE_BUCKETS = 512,           /* spans of a warp, at most */
       TIMELINE_CHUNK = 32768 };         /* records of a chunk */

/* What happened at a commit, beside its instruction: bits. */
enum timeline_event { TL_BARRIER = 1, TL_RELEASE = 2, TL_GAVEWAY = 4, TL_FAULT = 8, TL_PUSH = 16,
                      TL_POP = 32,
                      TL_SPILL = 64, TL_FILL = 128,
                      TL_DIVERGED = 256 /* a group split */ };

/* commits, their active lanes, enum timeline_event */
struct timeline_bucket { uint32_t n, lanes, events; };

struct timeline_warp {
    uint32_t block, warp;
    bool wide;                           /* more than 32 lanes: masks of 8 bytes, not of 4 */
    uint64_t n, lanes;                   /* commits; sum of their active lanes */
    uint64_t first, last;                /* cycles */
    uint64_t width;           /* cycles of a bucket, a power of two; bucket k begins at k * width */
    struct timeline_bucket *bucket;
    /* the open chunk, and those that are done: each as base64 of raw deflate */
    uint8_t *open; size_t open_bytes, open_room; uint32_t open_n; uint64_t open_first;
    struct timeline_chunk { uint32_t n; bool wide; uint64_t first; char *text; } *chunk;
    size_t nchunks;
    /* of the commit before: what the next one is compared with */
    uint64_t time, active; uint32_t pc;
    struct timeline_group { uint64_t mask; uint32_t pc; uint8_t wait; } group[VIEW_LANES];
    unsigned ngroups;
    /* after the last commit: lanes that live, where they go on, and what they wait for */
    struct { uint64_t live; uint32_t npc[VIEW_LANES]; uint8_t wait[VIEW_LANES]; } left;
};

struct timeline {
    struct timeline_warp *warp; size_t nwarps, room;
    size_t *slot; size_t nslots;         /* hash of (block, warp): index + 1 */
    uint64_t n, diverged;                /* commits; branches that split a group */
    bool no_memory;
};

/* Takes the next commit.  False: no memory. */
bool timeline_add(struct timeline *t, const struct view_commit *c);
/* After the last commit. */
bool timeline_end(struct timeline *t);
void timeline_free(struct timeline *t);
/* The lanes that still live after the last commit, by place and reason; they are as many groups. */
unsigned timeline_left(const struct timeline_warp *w, struct timeline_group g[VIEW_LANES]);
const struct timeline_warp *timeline_warp(const struct timeline *t, uint32_t block, unsigned warp);

/* An instruction as the page names it.  Where the commits come from a log, there is no image.
 * function: of code without a line (the compiler's library) in a program that has lines; else
 * empty. */
struct timeline_insn { uint32_t pc, line; char *text, *file, *function; };
struct profile;
struct profile_gains;
struct source_lines;
struct timeline_page {
    const char *title, *status;          /* words of the launch; how it ended */
    struct timeline_insn *insn; size_t ninsns;   /* ascending pc, once all are known */
    uint32_t step;                               /* bytes of an instruction; 0: HD_INSN_BYTES */
    uint32_t base;                               /* no instruction lies below */
    uint32_t lanes;                              /* of a warp; 0: HD_LANES */
    const struct source_lines *lines;            /* of a stream: NULL: no PC has a line */
    uint32_t *place; size_t nplaces;             /* by timeline_index: index + 1; 0: none */
    /* lockstep, where RTL and model differ: both records, and in which field; else NULL */
    const struct hd_commit *rtl, *model;
    const char *field;
    /* how it came to a bad end: who waits for whom, a fault; accesses that race; NULL: nothing */
    const char *report, *race;
    /* what stands beside the listing; NULL: nothing */
    const struct profile *profile;
    const struct profile_gains *gains;
};
static inline uint32_t timeline_step(const struct timeline_page *p)
{
    return p->step ? p->step : HD_INSN_BYTES;
}
static inline uint32_t timeline_lanes(const struct timeline_page *p)
{
    return p->lanes ? p->lanes : HD_LANES;
}
static inline size_t timeline_index(const struct timeline_page *p, uint32_t pc)
{
    return (pc - p->base) / timeline_step(p);
}
/* The program of an image; false: no memory.  Free with timeline_program_free. */
bool timeline_program(const struct hd_image *img, struct timeline_page *p);
void timeline_program_free(struct timeline_page *p);
/* struct timeline_insn's function. */
const char *timeline_function(const struct hd_image *img, uint32_t pc);
/* The instruction at pc; NULL: the program has none. */
const struct timeline_insn *timeline_insn_at(const struct timeline_page *p, uint32_t pc);
/* A program that grows: the instruction at pc, a new one without words where there is none yet;
 * NULL: no memory.  room: 0 at first.  When all are there, they are sorted. */
struct timeline_insn *timeline_learn(struct timeline_page *p, size_t *room, uint32_t pc);
void timeline_sort(struct timeline_page *p);
/* Reads a saved log; its program, which grows as it goes, is what its commits name.  take returns
 * false where it has no memory.  False: `path:line: why' in err. */
typedef bool timeline_take(void *user, const struct view_commit *);
bool timeline_log(FILE *in, const char *path, struct timeline_page *p, timeline_take *take,
                  void *user, struct hd_err *err);
/* The same of a stream of warp events, of any core (docs/stream.md). */
bool timeline_stream(FILE *in, const char *path, struct timeline_page *p, timeline_take *take,
                     void *user, struct hd_err *err);
/* The whole page; source files are read from where the image names them, and left out where they
 * are gone. */
bool timeline_html(const struct timeline *t, const struct timeline_page *p, FILE *out);
/* One warp in so many columns: a letter for each PC group that runs, a sign for why a lane does
 * not. */
void timeline_text(const struct timeline_page *p, const struct timeline_warp *w,
                   unsigned columns, FILE *out);

/* The commits [from, to) of a warp, counted from its first, as a drawing of at most TIMELINE_SVG
 * columns.  False: more, or no memory, or `out' refuses. */
enum { TIMELINE_SVG = 200 };
bool timeline_svg(const struct timeline_page *p, const struct timeline_warp *w, uint64_t from,
                  uint64_t to, FILE *out);

/* A chunk read back, record by record, as the page does it; for the text and for tests. */
struct timeline_reader {
    uint8_t *bytes; size_t n, at; bool wide;
    uint64_t time, active, exec; uint32_t pc, events;
    uint8_t bx; uint64_t before, after, released; uint8_t fault; uint32_t depth;
    struct timeline_group group[VIEW_LANES]; unsigned ngroups;
};
bool timeline_read(struct timeline_reader *r, const struct timeline_chunk *c);
bool timeline_next(struct timeline_reader *r);   /* false: no more */
void timeline_done(struct timeline_reader *r);
#endif
