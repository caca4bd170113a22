/* A launch as written on the command line: kernel, grid, block, parameters, what to print and dump.
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef LAUNCH_ARGS_H
#define LAUNCH_ARGS_H
#include "cmodel/heddle.h"
#include "cmodel/image/image.h"

enum arg_kind { ARG_INT, ARG_UINT, ARG_FLOAT, ARG_BYTES };

/* One kernel parameter.  An array is a device buffer whose address is passed; a scalar, or bytes[N]
 * (a struct), is passed by value. */
struct arg {
    char *name;
    enum arg_kind kind;
    unsigned width;              /* bytes an element */
    bool array;
    bool raw;                    /* of a file, or =zero: bytes that are of any type */
    size_t count;                /* elements; 1 for a scalar */
    uint8_t *data;               /* count * width bytes: the initial value */
    uint64_t addr;               /* device address of an array, after args_place */
};
struct arg_view {
    char *name;
    size_t from, to;
    bool whole;
    char *file;                  /* NULL: print */
    struct outfile *out;         /* the file, from args_place to args_show */
};

/* --bus-error: elements of a parameter's buffer, bytes of an area of the image or of the launch
 * (`.text`), or (name empty) bytes from an address. */
struct arg_bus { char *name; uint64_t from, to; bool whole; unsigned how; };

struct launch_args {
    char *kernel;                /* NULL: the only one */
    struct hd_dim3 grid, block;  /* x == 0: not given */
    uint32_t shared;
    uint64_t clock;
    struct arg *args; size_t nargs;
    struct arg_view *views; size_t nviews;
    struct arg_bus *bus; size_t nbus;
    const char *order;           /* --order; NULL: identity */
    bool ordered;                /* the last of args is D of a redirected kernel */
};

/* The next number of rand:SEED, whose state begins as the seed. */
uint64_t args_random(uint64_t *state);
/* The next word of mixed:SEED: small numbers, any bits, and floats. */
uint32_t args_mixed(uint64_t *state);
/* Every parser returns false with a sentence in err. */
bool args_dim(const char *text, struct hd_dim3 *out, struct hd_err *err);
bool args_number(const char *text, uint64_t *out, struct hd_err *err);
bool args_add(struct launch_args *la, const char *text, struct hd_err *err);
bool args_print(struct launch_args *la, const char *text, struct hd_err *err);
bool args_dump(struct launch_args *la, const char *text, struct hd_err *err);
bool args_bus(struct launch_args *la, const char *text, struct hd_err *err);
/* Replaces every @file among argv by the words of the file; `#` starts a comment there.  Returns a
 * NULL-ended vector to be freed with args_free_argv, or NULL. */
char **args_expand(int argc, char **argv, int *out_argc, struct hd_err *err);
void args_free_argv(char **argv);
void args_free(struct launch_args *la);

/* launch_order.c: adds D, the last parameter of a redirected kernel, as --order says or (not NULL)
 * from d[i] = whose work thread i does; once a launch. */
struct redirect;
bool args_order(struct launch_args *la, const struct redirect *r, const uint32_t *d,
                struct hd_err *err);

/* Checks the parameters against the kernel's, copies buffers to the device and lays out the
 * parameter block (to be freed). */
bool args_place(struct launch_args *la, hd_device *d, const struct hd_kernel *k, uint8_t **params,
                struct hd_err *err);
/* Tells the device which addresses answer with errors: of buffers that are placed. */
bool args_place_bus(const struct launch_args *la, hd_device *d, struct hd_err *err);
/* Prints and dumps what was asked for, from the device's memory; json: as members of an object. */
bool args_show(struct launch_args *la, hd_device *d, FILE *out, bool json, struct hd_err *err);
/* Prints one element as its type says. */
void args_print_value(FILE *out, const struct arg *a, const uint8_t *value);
#endif
