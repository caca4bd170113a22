/* The list of temporary files and folders that a process has now.
 * SPDX-License-Identifier: Apache-2.0
 *
 * Subtle: a handler may look at the list at any instruction.  It changes only while every signal is
 * held, together with the folder that it is about, so a file is in the list if and only if it is
 * there. */
#include "cmodel/base/scratch.h"
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Newest first, so that a folder comes after the files in it. */
struct scratch { struct scratch *next; pid_t owner; char name[]; };
static struct scratch *volatile list;

static sigset_t hold(void)
{
    sigset_t all, old;
    sigfillset(&all);
    sigprocmask(SIG_BLOCK, &all, &old);
    return old;
}

/* errno is the caller's. */
static void release(const sigset_t *old)
{
    int why = errno;
    sigprocmask(SIG_SETMASK, old, NULL);
    errno = why;
}

static void delete_it(const char *name)
{
    if (unlink(name))
        rmdir(name);
}

void scratch_remove_all(void)
{
    pid_t self = getpid();
    for (const struct scratch *s = list; s; s = s->next)
        if (s->owner == self)
            delete_it(s->name);
}

/* What has just been made.  Called with signals held. */
static bool add(const char *name)
{
    static bool at_exit;
    struct scratch *s = malloc(sizeof *s + strlen(name) + 1);
    if (!s) {
        delete_it(name);
        return false;
    }
    if (!at_exit)
        at_exit = atexit(scratch_remove_all) == 0;
    *s = (struct scratch){ .next = list, .owner = getpid() };
    strcpy(s->name, name);
    list = s;
    return true;
}

/* Called with signals held. */
static void take_out(const char *name)
{
    struct scratch *before = NULL, *s = list;
    while (s && strcmp(s->name, name))
        before = s, s = s->next;
    if (!s)
        return;
    if (before)
        before->next = s->next;
    else
        list = s->next;
    free(s);
}

bool scratch_add(const char *name)
{
    sigset_t old = hold();
    bool ok = add(name);
    release(&old);
    return ok;
}

int scratch_file(char *name)
{
    sigset_t old = hold();
    int fd = mkstemp(name);
    if (fd >= 0 && !add(name)) {
        close(fd);
        fd = -1;
        errno = ENOMEM;
    }
    release(&old);
    return fd;
}

bool scratch_folder(char *name)
{
    sigset_t old = hold();
    bool ok = mkdtemp(name) && add(name);
    release(&old);
    return ok;
}

void scratch_remove(const char *name)
{
    sigset_t old = hold();
    delete_it(name);
    take_out(name);
    release(&old);
}

bool scratch_rename(const char *name, const char *to)
{
    sigset_t old = hold();
    bool ok = rename(name, to) == 0;
    if (ok)
        take_out(name);
    release(&old);
    return ok;
}
