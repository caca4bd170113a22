/* Runs the launches of a plan through the driver API, and writes what each left in memory.
 * SPDX-License-Identifier: Apache-2.0
 *
 * use: judge PLAN RESULTS [SECONDS [PART PARTS [EXPECTED]]]
 *
 * Linked with NVIDIA's libcuda it runs on a GPU, with ours on Heddle; judge_compare.pl compares the
 * results.  A line of the plan (judge_plan.pl) is a launch: identity, PTX file, kernel, grid,
 * block, dynamic shared memory, seed, bytes of parameters, and what these are: OFFSET:KIND=VALUE
 * (u8 u16 u32 u64 f32 f64), or OFFSET:pKIND[BYTES] for a buffer of its own, whose bytes follow from
 * seed, kind and offset.  A buffer of kind P holds addresses of one more, of kind i32.
 *
 * JUDGE_ALONE=1: each launch has a process of its own, and so finds shared memory as no launch
 * before left it.  Launches run in a child, as a fault ends a context: after one, or after SECONDS
 * without an end, the next child goes on with the next launch.  A line of RESULTS: identity, `ok'
 * or the error, the sum of what buffers and variables hold, and the first words that the launch
 * changed, BUFFER+OFFSET=VALUE; more of them where the sum is another one than EXPECTED, results of
 * a run elsewhere, has. */
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>
#include <signal.h>
#include "cuda.h"

enum { BUFFERS = 64, PARAMS = 4096, WORDS = 400, ALL_WORDS = 40000 };
static const char *expected = "";

struct buffer { CUdeviceptr at; uint32_t *before, *after; size_t bytes; bool compare; };
struct launch {
    char id[64], file[512], kernel[2048];
    unsigned grid[3], block[3], shared;
    uint64_t seed;
    size_t params_size;
    const char *params;                     /* the rest of the line */
};

static uint64_t mix(uint64_t *s)
{
    uint64_t z = *s += 0x9e3779b97f4a7c15u;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
    z = (z ^ z >> 27) * 0x94d049bb133111ebu;
    return z ^ z >> 31;
}

static uint64_t sum(uint64_t h, const void *data, size_t n)
{
    for (const uint8_t *p = data; n--; p++)
        h = (h ^ *p) * 0x100000001b3u;
    return h;
}

static void stop(const char *what)
{
    fprintf(stderr, "judge: %s\n", what);
    exit(2);
}

static void *room(size_t n)
{
    void *p = calloc(1, n + 8);
    if (!p)
        stop("no memory");
    return p;
}

/* Indices are small and rise now and then; numbers are moderate, of both signs. */
static void fill(void *to, size_t bytes, const char *kind, uint64_t seed)
{
    unsigned size = strtoul(kind + 1, NULL, 10) / 8, most = 2u << (mix(&seed) & 7);
    bool rising = mix(&seed) % 4 == 0;
    for (size_t k = 0; k + size <= bytes; k += size) {
        uint64_t r = mix(&seed);
        uint64_t v = rising ? k / size * 2 : r % most;
        uint32_t half = 0x3000u | (uint32_t)(r & 0x8fff), bf = 0x3f00u | (uint32_t)(r & 0x80ff);
        float f = (float)((int64_t)(r >> 40) - (1 << 23)) / 4194304.0f;
        double d = (double)((int64_t)(r >> 11) - ((int64_t)1 << 52)) / 2251799813685248.0;
        memcpy((char *)to + k, kind[0] == 'f' ? size == 8 ? (void *)&d
                                                : size == 4 ? (void *)&f : (void *)&half
                             : kind[0] == 'b' ? (void *)&bf : (void *)&v, size);
    }
}

static CUdeviceptr place(struct buffer *b, size_t bytes)
{
    *b = (struct buffer){ .bytes = bytes & ~(size_t)3, .compare = true };
    b->before = room(bytes);
    b->after = room(bytes);
    if (cuMemAlloc(&b->at, bytes) != CUDA_SUCCESS)
        stop("no device memory");
    return b->at;
}

static unsigned params(const struct launch *l, uint8_t *block, struct buffer *b)
{
    unsigned n = 0;
    char *text = strdup(l->params), *save = NULL;
    for (char *p = strtok_r(text, " \n", &save); p; p = strtok_r(NULL, " \n", &save)) {
        size_t off = strtoul(p, &p, 10), bytes = 0;
        char *kind = p + 1, *eq = strchr(kind, '=');
        if (kind[0] == 'p' && n + 2 <= BUFFERS) {
            char *open = strchr(kind, '[');
            bytes = strtoul(open + 1, NULL, 10);
            *open = 0;
            CUdeviceptr at = place(&b[n], bytes);
            memcpy(block + off, &at, 8);
            if (kind[1] == 'P') {
                CUdeviceptr to = place(&b[n + 1], bytes);
                for (size_t k = 0; k + 8 <= bytes; k += 8)
                    memcpy((char *)b[n].before + k, &to, 8);
                b[n++].compare = false;
                fill(b[n].before, bytes, "i32", l->seed + off);
            } else {
                fill(b[n].before, bytes, kind + 1, l->seed + off);
            }
            n++;
        } else if (kind[0] == 'f') {
            double d = strtod(eq + 1, NULL);
            float f = (float)d;
            memcpy(block + off, kind[1] == '6' ? (void *)&d : (void *)&f, kind[1] == '6' ? 8 : 4);
        } else {
            uint64_t v = strtoull(eq + 1, NULL, 10);
            memcpy(block + off, &v, strtoul(kind + 1, NULL, 10) / 8);
        }
    }
    free(text);
    return n;
}

static CUresult launch(CUfunction fn, const struct launch *l, uint8_t *block, struct buffer *b,
                       unsigned n)
{
    size_t size = l->params_size;
    void *extra[] = { CU_LAUNCH_PARAM_BUFFER_POINTER, block, CU_LAUNCH_PARAM_BUFFER_SIZE, &size,
                      CU_LAUNCH_PARAM_END };
    for (unsigned k = 0; k < n; k++)
        cuMemcpyHtoD(b[k].at, b[k].before, b[k].bytes);
    if (l->shared > 48 << 10)
        cuFuncSetAttribute(fn, CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES, (int)l->shared);
    CUresult e = cuLaunchKernel(fn, l->grid[0], l->grid[1], l->grid[2], l->block[0], l->block[1],
                                l->block[2], l->shared, NULL, NULL, extra);
    if (e == CUDA_SUCCESS)
        e = cuCtxSynchronize();
    for (unsigned k = 0; k < n && e == CUDA_SUCCESS; k++)
        e = cuMemcpyDtoH(b[k].after, b[k].at, b[k].bytes);
    return e;
}

static void write_result(FILE *out, const struct launch *l, const struct buffer *b, unsigned n)
{
    uint64_t h = 0xcbf29ce484222325u;
    unsigned words = 0, changed = 0, most = WORDS;
    for (unsigned k = 0; k < n; k++)
        if (b[k].compare)
            h = sum(h, b[k].after, b[k].bytes);
    char head[128], *there;
    snprintf(head, sizeof head, "%s ok ", l->id);
    there = strstr(expected, head);
    fprintf(out, "%s%016llx", head, (unsigned long long)h);
    if (there && strtoull(there + strlen(head), NULL, 16) != h)
        most = ALL_WORDS;
    for (unsigned k = 0; k < n; k++)
        for (size_t w = 0; b[k].compare && w < b[k].bytes / 4; w++)
            if (b[k].before[w] != b[k].after[w] && ++changed && words < most) {
                words++;
                fprintf(out, " %u+%zu=%08x", k, 4 * w, b[k].after[w]);
            }
    fprintf(out, " changed=%u\n", changed);
}

/* False: the context is of no more use. */
static bool run(const struct launch *l, CUmodule m, FILE *out)
{
    struct buffer b[BUFFERS];
    uint8_t block[PARAMS + 8] = { 0 };
    CUfunction fn;
    CUresult e = cuModuleGetFunction(&fn, m, l->kernel);
    unsigned n = 0;
    if (e == CUDA_SUCCESS) {
        n = params(l, block, b);
        e = launch(fn, l, block, b, n);
    }
    if (e == CUDA_SUCCESS)
        write_result(out, l, b, n);
    else
        fprintf(out, "%s error %d\n", l->id, (int)e);
    fflush(out);
    for (unsigned k = 0; k < n; k++) {
        cuMemFree(b[k].at);
        free(b[k].before);
        free(b[k].after);
    }
    return e == CUDA_SUCCESS || e == CUDA_ERROR_NOT_FOUND || e == CUDA_ERROR_INVALID_VALUE;
}

static char *slurp(const char *path)
{
    FILE *f = fopen(path, "rb");
    char *text = NULL;
    size_t n = 0;
    if (!f || getdelim(&text, &n, 0, f) < 0)
        stop(path);
    fclose(f);
    return text;
}

/* Whether launches find what earlier ones left in variables: libraries' tags and strings are
 * none. */
static bool has_variables(const char *text)
{
    static const char *none[] = { "thrust", "cuda3std", "cuda4std", "$str", "_ZTV", "__unnamed",
                                  "printfFormat", "curand" };
    for (const char *p = text; (p = strstr(p, ".global .align")); p++) {
        size_t n = strcspn(p, "\n[=;"), k = 0;
        char line[256];
        snprintf(line, sizeof line, "%.*s", (int)(n < sizeof line ? n : sizeof line - 1), p);
        while (k < sizeof none / sizeof *none && !strstr(line, none[k]))
            k++;
        if (k == sizeof none / sizeof *none && (p == text || p[-1] == '\n' || p[-1] == ' '))
            return true;
    }
    return false;
}

static bool parse(const char *line, struct launch *l)
{
    int at = 0;
    unsigned long long seed;
    if (sscanf(line, "%63s %511s %2047s %u,%u,%u %u,%u,%u %u %llu %zu %n", l->id, l->file,
               l->kernel, &l->grid[0], &l->grid[1],
               &l->grid[2], &l->block[0], &l->block[1], &l->block[2], &l->shared, &seed,
               &l->params_size, &at) < 12)
        return false;
    l->seed = seed;
    l->params = line + at;
    return l->params_size <= PARAMS;
}

/* From launch `from` on; tells the parent, by a byte each, that one is about to begin. */
static void child(char **lines, size_t from, size_t n, FILE *out, int tell)
{
    char file[512] = "";
    /* a launch finds them as the last one left them: each gets a child */
    bool variables = false;
    CUmodule m = NULL;
    CUdevice d;
    CUcontext c;
    if (cuInit(0) != CUDA_SUCCESS || cuDeviceGet(&d, 0) != CUDA_SUCCESS
        || cuDevicePrimaryCtxRetain(&c, d) != CUDA_SUCCESS ||
        cuCtxSetCurrent(c) != CUDA_SUCCESS)
        stop("no device");
    for (size_t k = from; k < n; k++) {
        struct launch l;
        if (write(tell, "", 1) != 1 || !parse(lines[k], &l))
            stop("a line of the plan is wrong");
        fprintf(stderr, "judge: %s\n", l.id);          /* what is said next is of this launch */
        if (strcmp(file, l.file)) {
            char *text = slurp(l.file);
            CUresult e = cuModuleLoadData(&m, text);
            variables = getenv("JUDGE_ALONE") || has_variables(text);
            free(text);
            snprintf(file, sizeof file, "%s", l.file);
            if (e != CUDA_SUCCESS) {
                m = NULL;
                fprintf(stderr, "judge: %s: error %d\n", l.file, (int)e);
            }
        }
        if (!m)
            fprintf(out, "%s error module\n", l.id), fflush(out);
        else if (!run(&l, m, out) || variables)
            _exit(1);
    }
    _exit(0);
}

/* How far a child came. */
static size_t attend(pid_t pid, int told, size_t from, unsigned seconds, FILE *out, char **lines)
{
    char buf[256];
    size_t begun = from;
    time_t since = time(NULL);
    int status = 0;
    while (waitpid(pid, &status, WNOHANG) == 0) {
        ssize_t got = read(told, buf, sizeof buf);
        if (got > 0) {
            begun += (size_t)got;
            since = time(NULL);
        } else if (time(NULL) - since > seconds) {
            kill(pid, SIGKILL);
        }
        nanosleep(&(struct timespec){ .tv_nsec = 5000000 }, NULL);
    }
    for (ssize_t got; (got = read(told, buf, sizeof buf)) > 0;)
        begun += (size_t)got;
    if (WIFEXITED(status) && WEXITSTATUS(status) == 2)
        exit(2);
    if (WIFSIGNALED(status) && begun > from) {
        fprintf(out, "%.*s error signal %d\n", (int)strcspn(lines[begun - 1], " "),
                lines[begun - 1], WTERMSIG(status));
        fflush(out);
    }
    return begun;
}

#include <fcntl.h>
int main(int argc, char **argv)
{
    if (argc < 3)
        stop("use: judge PLAN RESULTS [SECONDS [PART PARTS [EXPECTED]]]");
    unsigned seconds = argc > 3 ? (unsigned)atoi(argv[3]) : 10;
    size_t part = argc > 5 ? (size_t)atoi(argv[4]) : 0,
           parts = argc > 5 ? (size_t)atoi(argv[5]) : 1, n = 0, room_for = 0;
    char **lines = NULL, *save = NULL, *text = slurp(argv[1]);
    if (argc > 6)
        expected = slurp(argv[6]);
    FILE *out = fopen(argv[2], "a");
    if (!out)
        stop(argv[2]);
    for (char *p = strtok_r(text, "\n", &save); p; p = strtok_r(NULL, "\n", &save)) {
        struct launch l;
        if (n == room_for
            && !(lines = realloc(lines, (room_for = 2 * room_for + 64) * sizeof *lines)))
            stop("no memory");
        if (parse(p, &l)
            && sum(0xcbf29ce484222325u, l.file, strlen(l.file)) % 1000003 % parts == part)
            lines[n++] = p;
    }
    for (size_t k = 0; k < n;) {
        int pipes[2];
        if (pipe(pipes))
            stop("no pipe");
        pid_t pid = fork();
        if (!pid)
            child(lines, k, n, out, pipes[1]);
        close(pipes[1]);
        fcntl(pipes[0], F_SETFL, O_NONBLOCK);
        size_t next = attend(pid, pipes[0], k, seconds, out, lines);
        close(pipes[0]);
        if (next == k)
            stop("a child began nothing");
        k = next;
    }
    return fclose(out) ? 2 : 0;
}
