/* A kernel by what its source calls it: `scale<int>(int*, int)', as much of that as no other kernel
 * begins with, or the name in PTX.  SPDX-License-Identifier: Apache-2.0 */
#include "harness/cli/cli.h"
#include <stdlib.h>
#include <string.h>

/* of the C++ library */
char *__cxa_demangle(const char *mangled, char *buf, size_t *n, int *status);

char *plain_name(const char *mangled)
{
    int status = -1;
    bool cplusplus = !strncmp(mangled, "_Z", 2); /* a function of C's name `i' is not a type's */
    char *plain = cplusplus ? __cxa_demangle(mangled, NULL, NULL, &status) : NULL;
    if (!plain)
        return strdup(mangled);
    if (!strncmp(plain, "void ", 5)) /* what a template returns */
        memmove(plain, plain + 5, strlen(plain + 5) + 1);
    return plain;
}

enum fit { FIT_WHOLE, FIT_CALLED, FIT_BEGIN, FIT_LEVELS };

static bool fits(const char *plain, const char *mangled, const char *name, enum fit how)
{
    size_t n = strlen(name);
    if (strncmp(plain, name, n))
        return how == FIT_BEGIN && !strncmp(mangled, name, n);
    return how == FIT_BEGIN || !plain[n] || (how == FIT_CALLED && plain[n] == '(');
}

int kernel_fit(const char *mangled, const char *name)
{
    char *plain = plain_name(mangled);
    int how = !strcmp(mangled, name) ? 0 : plain ? 1 : 1 + FIT_LEVELS;
    while (how && how <= FIT_LEVELS && !fits(plain, mangled, name, (enum fit)(how - 1))) how++;
    free(plain);
    return how <= FIT_LEVELS ? how : -1;
}

/* Appends `, NAME' where there is room. */
static void list_add(char *list, size_t room, const char *name)
{
    size_t n = strlen(list);
    snprintf(list + n, room - n, "%s%s", n ? ", " : "", name);
}

const struct hd_kernel *kernel_by_name(const struct hd_image *img, const char *name,
                                       struct hd_err *err)
{
    char all[512] = "", some[512];
    const struct hd_kernel *found = NULL;
    unsigned n = 0;
    struct hd_err unseen = { 0 };
    const struct hd_kernel *exact = hd_image_kernel(img, name, &unseen);
    if (exact || !img->nkernels)
        return exact ? exact : hd_image_kernel(img, name, err);
    for (enum fit how = FIT_WHOLE; name && how < FIT_LEVELS && !n; how++) {
        *some = 0;
        for (uint32_t i = 0; i < img->nkernels; i++) {
            char *plain = plain_name(img->kernels[i].name);
            if (plain && fits(plain, img->kernels[i].name, name, how)) {
                found = &img->kernels[i];
                list_add(some, sizeof some, plain);
                n++;
            }
            free(plain);
        }
    }
    if (n == 1)
        return found;
    for (uint32_t i = 0; i < img->nkernels; i++) {
        char *plain = plain_name(img->kernels[i].name);
        list_add(all, sizeof all, plain ? plain : img->kernels[i].name);
        free(plain);
    }
    if (n)
        hd_err_set(err, 2, "`%s` is how several kernels begin: %s", name, some);
    else if (name)
        hd_err_set(err, 2, "no kernel %s; the image has %s", name, all);
    else
        hd_err_set(err, 2, "the image has %u kernels, name one: %s", img->nkernels, all);
    return NULL;
}
