/* Streams of warp events as Heddle reads them: the reader, the text form, the monitor, the diff.
 * SPDX-License-Identifier: Apache-2.0
 *
 * heddle_stream.h is what a core needs; this is what is done with what it wrote.  Nothing here
 * knows an instruction set, or any other part of Heddle. */
#ifndef STREAM_H
#define STREAM_H
#include <stdbool.h>
#include "stream/heddle_stream.h"
#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)     /* what libheddle.so shows */

/* What a stream says of its core before its first event. */
struct hs_header {
    char core[HS_NAME], isa[HS_NAME];
    unsigned lanes, warps; /* of a warp, at most HS_LANES; slots, at most HS_WARPS */
    unsigned beat;         /* lanes that execute in a cycle; 0: not said */
    unsigned step;         /* bytes of an instruction; 0: each `next' is said */
    unsigned word_bytes;   /* of a reported instruction word, at most HS_WORD */
    unsigned pc_bits, register_bits;
    bool ordered_memory;             /* `mem' events come in the order in which they act */
    bool schedule, placement, clock; /* choices of the core that nobody can compute */
    /* Where in the core each kind of event is taken; "": it is not reported. */
    char place[HS_KINDS][HS_NAME];
};

struct hs_reader;
/* Reads from `in', which stays the caller's; a stream in its binary or text form.  NULL: it is
 * none, or of another version; error says why, with the offset (or line). */
enum { HS_ERROR = 300 };
struct hs_reader *hs_open(FILE *in, char error[HS_ERROR]);
void hs_close(struct hs_reader *r);
const struct hs_header *hs_header_of(const struct hs_reader *r);
/* The next event: 1; 0: the stream has ended as it should; -1: it is damaged, cut off, or says what
 * it has not declared, and error says where.  Nothing is kept but the chunk that is read. */
int hs_read(struct hs_reader *r, struct hs_event *e, char error[HS_ERROR]);
/* After the last event: whether the file ends there, too. */
bool hs_ends(struct hs_reader *r, char error[HS_ERROR]);
uint64_t hs_events_read(const struct hs_reader *r); /* so far; the number of the last one, from 1 */

/* One event alone, as bytes that are equal where the events are (its cycle, warp and number are
 * left out): at most HS_ALONE bytes; and back, as far as `word_bytes' of the word. */
enum { HS_ALONE = 4096 };
size_t hs_pack(struct hs_event *e, uint8_t to[HS_ALONE], unsigned word_bytes);
void hs_unpack(const uint8_t *from, size_t bytes, struct hs_event *e, unsigned word_bytes);

/* text.c: the same content for people and for tests. */
const char *hs_kind_name(unsigned kind);
enum hs_form hs_form_of(unsigned member);
const char *hs_member_name(unsigned member);
/* A member that is one number. */
void hs_store(struct hs_event *e, unsigned member, uint64_t value);
uint64_t hs_load(const struct hs_event *e, unsigned member);
/* A member that is a number for each lane. */
uint64_t *hs_lanes_of(const struct hs_event *e, unsigned member);
/* The tables of events and members, as Markdown. */
void hs_print_contract(FILE *out);
void hs_print_header(const struct hs_header *h, FILE *out);
void hs_print(const struct hs_header *h, const struct hs_event *e, FILE *out);
bool hs_parse_header(struct hs_header *h, const char *line, char error[HS_ERROR]);
bool hs_parse(const struct hs_header *h, char *line, struct hs_event *e, char error[HS_ERROR]);
/* Whether an event can be one of this core: declared, its warp and lanes there. */
bool hs_legal(const struct hs_header *h, const struct hs_event *e, char error[HS_ERROR]);

/* diff.c: two streams of one program.  Prints the first difference of each warp, at most `most' of
 * them.  Returns how many warps differ; -1: a stream cannot be read, and error says which. */
struct hs_diff {
    uint64_t instructions, warps, differ;
    /* The place of a PC in its source, which is printed beside it; NULL: no lines are known. */
    const char *(*where)(void *user, uint64_t pc);
    void *user;
};
int hs_compare(struct hs_reader *a, struct hs_reader *b, const char *name[2], unsigned most,
               FILE *out, struct hs_diff *sum, char error[HS_ERROR]);
#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif
#endif
