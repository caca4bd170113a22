/* What build systems ask of nvcc.  SPDX-License-Identifier: Apache-2.0
 *
 * CMake knows nvcc by a line of its --version, and reads where the SDK is, which headers and
 * libraries are implied, and the default machine out of what -v prints.  The lines are those that
 * its module CMakeDetermineCUDACompiler looks for; cuda/ beside `heddle` has an SDK's shape. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "compiler/all.h"
#include "cuda/nvcc/nvcc.h"

void nvcc_version(void)
{
    puts("heddle nvcc, in place of\n"
         "nvcc: NVIDIA (R) Cuda compiler driver\n"
         "Cuda compilation tools, release 12.0, V12.0.0");
}

void nvcc_list_machines(const char *kind)
{
    static const int machines[] = { 70, 72, 75, 80, 86, 87, 89, 90 };
    for (size_t k = 0; k < sizeof machines / sizeof *machines; k++)
        printf("%s_%d\n", kind, machines[k]);
}

/* The last line is how others link: by the libraries of the SDK's shape, which need no -rpath. */
void nvcc_say_places(const struct nvcc *n, const char *linker, const char *folder)
{
    const char *path = getenv("PATH");
    fprintf(stderr, "#$ PATH=%s\n", path ? path : "");
    fprintf(stderr, "#$ TOP=%s/cuda\n", folder);
    fprintf(stderr, "#$ NVVMIR_LIBRARY_DIR=%s/cuda/nvvm/libdevice\n", folder);
    fprintf(stderr, "#$ INCLUDES=-I%s/include\n", folder);
    fprintf(stderr, "#$ LIBRARIES=-L%s/cuda/lib64\n", folder);
    fprintf(stderr, "#$ MACHINE=-arch compute_%u\n", n->arch);
    fprintf(stderr, "%s -L%s/cuda/lib64 -lheddle_cudart\n", linker, folder);
}

char *nvcc_next_word(char **line)
{
    char *from = *line + strspn(*line, " \t\r\n"), *to = from, *word = from, quote = 0;
    if (!*from)
        return NULL;
    for (; *from && (quote || !strchr(" \t\r\n", *from)); from++) {
        if (*from == '\\' && quote != '\'' && from[1])
            *to++ = *++from;
        else if (quote ? *from == quote : *from == '"' || *from == '\'')
            quote = quote ? 0 : *from;
        else
            *to++ = *from;
    }
    *line = *from ? from + 1 : from;
    *to = 0;
    return word;
}

bool nvcc_options_file(struct words *to, const char *path)
{
    struct hd_err err = { 0 };
    size_t length;
    char *text = cc_read(path, &length, &err);
    if (!text)
        fprintf(stderr, "heddle nvcc: %s\n", err.text);
    for (char *rest = text, *w; text && (w = nvcc_next_word(&rest));)
        words_add(to, w);
    return text != NULL;
}
