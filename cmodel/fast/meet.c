/* Notes of which block touched which word, and pages as they were before.
 * SPDX-License-Identifier: Apache-2.0 */
#include "cmodel/fast/meet.h"
#include "cmodel/base/reserve.h"
#include <sched.h>
#include <stdlib.h>
#include <string.h>

/* A note is a class and who: a block of this worker, or for atomics which one. */
enum { READ = 1, WRITE, ATOM, CLASS = 3 };
enum { KIND_READ = 1, KIND_WRITE = 2, KIND_ATOM = 4 };
static const uint32_t MANY = ~(uint32_t)CLASS | READ;       /* read by several blocks */
enum { SLACK = 2 * HD_LANES };          /* words around the notes: lanes that do not take part */

enum { UNTOUCHED, SAVING, SAVED };

/* ---- pages ---------------------------------------------------------------------------------- */

bool meet_pages_open(struct meet_pages *p, uint8_t *mem, uint64_t space)
{
    *p = (struct meet_pages){ .mem = mem, .space = space,
                              .state = calloc(space / WINDOW_PAGE, 1) };
    pthread_mutex_init(&p->lock, NULL);
    return p->state;
}

void meet_pages_close(struct meet_pages *p)
{
    if (!p->state)
        return;
    meet_pages_end(p, false);
    pthread_mutex_destroy(&p->lock);
    free((void *)p->state);
    free(p->saved);
}

void meet_pages_end(struct meet_pages *p, bool back)
{
    for (size_t i = 0; i < p->n; i++) {
        struct meet_page *s = &p->saved[i];
        if (back)
            memcpy(p->mem + (uint64_t)s->page * WINDOW_PAGE, s->bytes, WINDOW_PAGE);
        atomic_store(&p->state[s->page], UNTOUCHED);
        free(s->bytes);
    }
    p->n = 0;
    p->lost = false;
}

/* Keeps a copy; false: no memory. */
static bool keep(struct meet_pages *p, uint32_t page)
{
    uint8_t *copy = malloc(WINDOW_PAGE);
    bool ok = copy != NULL;
    if (ok)
        memcpy(copy, p->mem + (uint64_t)page * WINDOW_PAGE, WINDOW_PAGE);
    pthread_mutex_lock(&p->lock);
    if (ok && p->n == p->room) {
        size_t room = p->room ? 2 * p->room : 64;
        struct meet_page *more = realloc(p->saved, room * sizeof *more);
        ok = more;
        if (ok) {
            p->saved = more;
            p->room = room;
        }
    }
    if (ok)
        p->saved[p->n++] = (struct meet_page){ page, copy };
    pthread_mutex_unlock(&p->lock);
    if (!ok)
        free(copy);
    return ok;
}

/* Before a page is written. */
static bool save(struct meet_pages *p, uint32_t page)
{
    uint8_t expected = UNTOUCHED;
    if (atomic_compare_exchange_strong(&p->state[page], &expected, SAVING)) {
        bool ok = keep(p, page);
        if (!ok)
            p->lost = true;
        atomic_store_explicit(&p->state[page], ok ? SAVED : UNTOUCHED, memory_order_release);
        return ok;
    }
    while (atomic_load_explicit(&p->state[page], memory_order_acquire) != SAVED) {
        if (p->lost)
            return false;
        sched_yield();
    }
    return true;
}

/* ---- a worker ------------------------------------------------------------------------------- */

enum { WORDS_BYTES = WINDOW_SIZE + 2 * SLACK * 4 };  /* of notes, after those of physical memory */

bool meet_open(struct meet *t, struct meet_pages *pages, uint64_t window)
{
    *t = (struct meet){ .pages = pages, .window = window };
    t->word = reserve(pages->space + WORDS_BYTES);
    t->page = calloc((pages->space + WINDOW_SIZE) / WINDOW_PAGE, 1);
    return t->word && t->page;
}

void meet_close(struct meet *t)
{
    reserve_end(t->word, t->pages->space + WORDS_BYTES);
    free(t->page);
    free(t->list);
}

static uint32_t *notes(const struct meet *t, uint64_t at)
{
    return t->word + SLACK + at / 4;
}

void meet_begin(struct meet *t, bool checked)
{
    for (size_t i = 0; i < t->n; i++) {
        t->page[t->list[i]] = 0;
        if (t->checked)
            memset(notes(t, (uint64_t)t->list[i] * WINDOW_PAGE), 0, WINDOW_PAGE);
    }
    t->n = 0;
    t->checked = checked;
    t->block = 0;
    t->lost = false;
    t->meeting = (struct meeting){ 0 };
}

/* The first access of its kind to a page. */
static bool first_touch(struct meet *t, uint32_t page, unsigned kind)
{
    if (!t->page[page]) {
        if (t->n == t->room) {
            size_t room = t->room ? 2 * t->room : 64;
            uint32_t *more = realloc(t->list, room * sizeof *more);
            if (!more) {
                t->lost = true;
                return false;
            }
            t->list = more;
            t->room = room;
        }
        t->list[t->n++] = page;
    }
    if (kind != KIND_READ && page < t->pages->space / WINDOW_PAGE && !save(t->pages, page))
        return false;
    t->page[page] |= (uint8_t)kind;
    return true;
}

static bool touch(struct meet *t, uint64_t at, unsigned kind)
{
    uint32_t page = (uint32_t)(at / WINDOW_PAGE);
    return (t->page[page] & kind) || first_touch(t, page, kind);
}

static void met(struct meet *t, const char *what, uint64_t off, uint32_t pc)
{
    if (!t->meeting.what)
        t->meeting = (struct meeting){ what, off, pc, true };
}

static const char both[] = "two blocks meet",
                  unwritten[] = "a block reads shared or local memory that it has not written";

/* What is in its own memory is only the running block's. */
static const char *note_own(uint32_t *w, uint32_t block, bool write)
{
    const uint32_t mine = block << 2 | WRITE;
    if (!write)
        return *w == mine ? NULL : unwritten;
    *w = mine;
    return NULL;
}

static uint32_t after_read(uint32_t w, uint32_t block)
{
    const uint32_t mine = block << 2 | READ;
    return !w ? mine : (w & CLASS) == READ && w != mine ? MANY : w;
}

/* Whether a block may read what has this note, or write it. */
static bool may_read(uint32_t w, uint32_t block)
{
    return !w | ((w & CLASS) == READ) | (w == (block << 2 | WRITE));
}

static bool may_write(uint32_t w, uint32_t block)
{
    return !w | (w == (block << 2 | READ)) | (w == (block << 2 | WRITE));
}

static const char *note(uint32_t *w, uint32_t block, bool write, uint32_t atom)
{
    const uint32_t old = *w, mark = atom << 2 | ATOM;
    *w = atom ? mark : write ? block << 2 | WRITE : after_read(old, block);
    bool ok = atom ? !old || old == mark : write ? may_write(old, block) : may_read(old, block);
    return ok ? NULL : both;
}

/* A row of words: vector code, and lanes that do not take part keep their notes. */
static bool note_row(uint32_t *w, uint32_t exec, uint32_t block, bool write)
{
    uint32_t bad = 0;
    const uint32_t written = block << 2 | WRITE;
    for (unsigned l = 0; l < HD_LANES; l++) {
        uint32_t old = w[l], on = 0u - (exec >> l & 1);
        uint32_t ok = write ? may_write(old, block) : may_read(old, block);
        bad |= on & !ok;
        w[l] = (on & (write ? written : after_read(old, block))) | (old & ~on);
    }
    return !bad;
}

static bool note_own_row(uint32_t *w, uint32_t exec, uint32_t block, bool write)
{
    uint32_t differ = 0;
    const uint32_t mine = block << 2 | WRITE;
    for (unsigned l = 0; l < HD_LANES; l++) {
        uint32_t old = w[l], on = 0u - (exec >> l & 1);
        differ |= on & (old ^ mine);
        w[l] = write ? (on & mine) | (old & ~on) : old;
    }
    return write || !differ;
}

/* One lane's words. */
static bool note_lane(struct meet *t, const struct access *x, unsigned l, unsigned kind,
                      uint32_t atom, uint32_t pc)
{
    const uint64_t space = t->pages->space;
    for (uint32_t k = 0; k < (x->size + 3) / 4; k++) {
        uint64_t off = x->off[l] + (uint64_t)k * access_stride(x, l);
        bool own = off >= space;
        uint64_t at = own ? off - t->window + space : off;
        if (!touch(t, at, kind))
            return false;
        if (!t->checked)
            continue;
        uint32_t *w = notes(t, at);
        const char *what = own && x->atomic ? note_own(w, t->block, false) : NULL;
        if (!what)
            what = own ? note_own(w, t->block, x->write) : note(w, t->block, x->write, atom);
        if (what)
            met(t, what, off, pc);
    }
    return true;
}

/* All lanes at once: words from `base` on, which lie in physical memory, or none of them does. */
static bool note_all(struct meet *t, const struct access *x, uint32_t exec, uint64_t base,
                     uint32_t pc)
{
    const unsigned kind = x->write ? KIND_WRITE : KIND_READ;
    const unsigned last = 31u - (unsigned)__builtin_clz(exec);
    const uint64_t space = t->pages->space;
    const bool own = x->off[last] >= space;
    const uint64_t shift = own ? space - t->window : 0;
    if (!touch(t, x->off[__builtin_ctz(exec)] + shift, kind) ||
        !touch(t, x->off[last] + shift, kind))
        return false;
    uint32_t *w = notes(t, base + shift);
    if (t->checked && !(own ? note_own_row : note_row)(w, exec, t->block, x->write))
        met(t, own ? unwritten : both, base, pc);
    return true;
}

bool meet_access(struct meet *t, const struct access *x, uint32_t exec, uint32_t atom, uint32_t pc)
{
    const unsigned kind = atom ? KIND_ATOM : x->write ? KIND_WRITE : KIND_READ;
    uint64_t base;
    if (x->space == SPACE_CONST || !exec)
        return true;
    if (!x->atomic && access_row(x, exec, &base))
        return note_all(t, x, exec, base, pc);
    for (uint32_t left = exec; left; left &= left - 1)
        if (!note_lane(t, x, (unsigned)__builtin_ctz(left), kind, atom, pc))
            return false;
    return true;
}

/* ---- what workers noted ---- */

/* Words of a page in which two workers' blocks met: the first, or NULL. */
static const uint32_t *page_meets(const uint32_t *a, const uint32_t *b)
{
    uint32_t bad = 0;
    for (unsigned i = 0; i < WINDOW_PAGE / 4; i++)
        bad |= (a[i] && b[i]) & !((a[i] & CLASS) == READ && (b[i] & CLASS) == READ) &
               !(a[i] == b[i] && (a[i] & CLASS) == ATOM);
    for (unsigned i = 0; bad && i < WINDOW_PAGE / 4; i++)
        if (a[i] && b[i] && !((a[i] & CLASS) == READ && (b[i] & CLASS) == READ) &&
            !(a[i] == b[i] && (a[i] & CLASS) == ATOM))
            return a + i;
    return NULL;
}

bool meet_apart(const struct meet *const *t, unsigned n, struct meeting *m)
{
    for (unsigned i = 0; i < n; i++)
        for (size_t k = 0; k < t[i]->n; k++) {
            const uint32_t page = t[i]->list[k];
            const uint64_t at = (uint64_t)page * WINDOW_PAGE;
            for (unsigned j = i + 1; j < n && at < t[i]->pages->space; j++) {
                if (!t[j]->page[page] || (t[i]->page[page] | t[j]->page[page]) == KIND_READ)
                    continue;
                const uint32_t *w = page_meets(notes(t[i], at), notes(t[j], at));
                if (w) {
                    *m = (struct meeting){ both, 4 * (uint64_t)(w - notes(t[i], 0)), 0, false };
                    return false;
                }
            }
        }
    return true;
}
