/* Launches a kernel with trace points twice on an NVIDIA GPU of sm_90: `heddle silicon record`.
 * SPDX-License-Identifier: Apache-2.0
 *
 *     gpu MODULE KERNEL GX GY GZ BX BY BZ SHARED LOG_BYTES PARAMETER...
 *
 * A parameter: `value:FILE`, passed by value, or `buffer:FILE`, copied to the GPU; after them
 * stands the address of the log.  Run n leaves FILE.n of every buffer, log.n of the log, and
 * gpu.txt, which says what ran it.  The driver is opened at run time: this needs a C compiler and
 * no header of CUDA.  Exit status 2: there is no such GPU; 1: the launch failed; 3: it hangs. */
#include <dlfcn.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { MAX_PARAMS = 64, SECONDS = 60, MAJOR = 75, MINOR = 76 };     /* of CUdevice_attribute */

static struct {
    int (*init)(unsigned), (*version)(int *), (*device)(int *, int), (*name)(char *, int, int);
    int (*attribute)(int *, int, int), (*context)(void **, int), (*current)(void *);
    int (*load)(void **, const void *), (*function)(void **, void *, const char *);
    int (*alloc)(uint64_t *, size_t), (*fill)(uint64_t, unsigned char, size_t);
    int (*release)(uint64_t), (*write)(uint64_t, const void *, size_t);
    int (*read)(void *, uint64_t, size_t), (*sync)(void);
    int (*shared)(void *, int, int);
    int (*launch)(void *, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned,
                  void *, void **, void **);
} cu;

struct param { const char *file; int buffer; uint8_t *data; size_t n; uint64_t at; };

static void die(int status, const char *what, const char *with)
{
    fprintf(stderr, "heddle silicon record: %s: %s\n", what, with);
    exit(status);
}

static void ok(int code, const char *what)
{
    char text[32];
    snprintf(text, sizeof text, "error %d of the driver", code);
    if (code)
        die(1, what, text);
}

static void hangs(int sig)
{
    static const char text[] = "heddle silicon record: the GPU has not ended the kernel in 60 s\n";
    (void)sig;
    _exit(write(2, text, sizeof text - 1) == sizeof text - 1 ? 3 : 1);
}

static void *symbol(void *lib, const char *name)
{
    void *f = dlsym(lib, name);
    if (!f)
        die(2, "the NVIDIA driver lacks", name);
    return f;
}

#define SYMBOL(field, name) *(void **)&cu.field = symbol(lib, name)
static void open_driver(void)
{
    void *lib = dlopen("libcuda.so.1", RTLD_NOW);
    if (!lib)
        die(2, "needs an NVIDIA driver", "libcuda.so.1 is not found");
    SYMBOL(init, "cuInit");
    SYMBOL(version, "cuDriverGetVersion");
    SYMBOL(device, "cuDeviceGet");
    SYMBOL(name, "cuDeviceGetName");
    SYMBOL(attribute, "cuDeviceGetAttribute");
    SYMBOL(context, "cuDevicePrimaryCtxRetain");
    SYMBOL(current, "cuCtxSetCurrent");
    SYMBOL(load, "cuModuleLoadData");
    SYMBOL(function, "cuModuleGetFunction");
    SYMBOL(alloc, "cuMemAlloc_v2");
    SYMBOL(fill, "cuMemsetD8_v2");
    SYMBOL(release, "cuMemFree_v2");
    SYMBOL(write, "cuMemcpyHtoD_v2");
    SYMBOL(read, "cuMemcpyDtoH_v2");
    SYMBOL(sync, "cuCtxSynchronize");
    SYMBOL(shared, "cuFuncSetAttribute");
    SYMBOL(launch, "cuLaunchKernel");
}

static void open_gpu(void)
{
    int device, major, minor, version;
    char name[128], arch[160];
    void *context;
    open_driver();
    if (cu.init(0) || cu.device(&device, 0))
        die(2, "needs an NVIDIA GPU", "the driver finds none");
    ok(cu.name(name, sizeof name, device), "cuDeviceGetName");
    ok(cu.attribute(&major, MAJOR, device), "cuDeviceGetAttribute");
    ok(cu.attribute(&minor, MINOR, device), "cuDeviceGetAttribute");
    ok(cu.version(&version), "cuDriverGetVersion");
    snprintf(arch, sizeof arch, "this one, %s, is of sm_%d%d", name, major, minor);
    if (major != 9 || minor != 0)
        die(2, "needs a GPU of sm_90, whose order is known", arch);
    ok(cu.context(&context, device), "cuDevicePrimaryCtxRetain");
    ok(cu.current(context), "cuCtxSetCurrent");
    FILE *f = fopen("gpu.txt", "w");
    if (!f || fprintf(f, "%s, sm_90, driver %d.%d\n", name, version / 1000,
                      version % 1000 / 10) < 0 || fclose(f))
        die(1, "cannot write", "gpu.txt");
}

static uint8_t *read_file(const char *path, size_t *n)
{
    FILE *f = fopen(path, "rb");
    if (!f || fseek(f, 0, SEEK_END))
        die(1, "cannot open", path);
    long size = ftell(f);
    uint8_t *data = calloc(1, (size_t)size + 8);
    rewind(f);
    if (!data || fread(data, 1, (size_t)size, f) != (size_t)size)
        die(1, "cannot read", path);
    fclose(f);
    *n = (size_t)size;
    return data;
}

static void write_file(const char *path, int run, const void *data, size_t n)
{
    char name[512];
    snprintf(name, sizeof name, "%s.%d", path, run);
    FILE *f = fopen(name, "wb");
    if (!f || fwrite(data, 1, n, f) != n || fclose(f))
        die(1, "cannot write", name);
}

/* One run: buffers as at the start, a log of zeros. */
static void run(void *kernel, const unsigned d[7], struct param *p, int n, size_t log_bytes, int k)
{
    void *params[MAX_PARAMS + 1];
    uint64_t log;
    uint8_t *out = malloc(log_bytes);
    ok(cu.alloc(&log, log_bytes), "cuMemAlloc");
    ok(cu.fill(log, 0, log_bytes), "cuMemsetD8");
    for (int i = 0; i < n; i++) {
        params[i] = p[i].buffer ? (void *)&p[i].at : p[i].data;
        if (!p[i].buffer)
            continue;
        ok(cu.alloc(&p[i].at, p[i].n + 1), "cuMemAlloc");
        ok(cu.write(p[i].at, p[i].data, p[i].n), "cuMemcpyHtoD");
    }
    params[n] = &log;
    ok(cu.launch(kernel, d[0], d[1], d[2], d[3], d[4], d[5], d[6], NULL, params, NULL),
       "cuLaunchKernel");
    alarm(SECONDS);
    ok(cu.sync(), "the launch");
    alarm(0);
    if (!out)
        die(1, "no memory", "for the log");
    ok(cu.read(out, log, log_bytes), "cuMemcpyDtoH");
    write_file("log", k, out, log_bytes);
    for (int i = 0; i < n; i++) {
        if (!p[i].buffer)
            continue;
        uint8_t *data = malloc(p[i].n + 1);
        if (!data)
            die(1, "no memory", p[i].file);
        ok(cu.read(data, p[i].at, p[i].n), "cuMemcpyDtoH");
        write_file(p[i].file, k, data, p[i].n);
        ok(cu.release(p[i].at), "cuMemFree");
        free(data);
    }
    ok(cu.release(log), "cuMemFree");
    free(out);
}

int main(int argc, char **argv)
{
    static struct param p[MAX_PARAMS];
    unsigned d[7];
    void *module, *kernel;
    size_t n;
    int params = argc - 11;
    if (params < 0 || params > MAX_PARAMS)
        die(2, "use", "gpu MODULE KERNEL GX GY GZ BX BY BZ SHARED LOG_BYTES PARAMETER...");
    for (int i = 0; i < 7; i++)
        d[i] = (unsigned)strtoul(argv[3 + i], NULL, 10);
    for (int i = 0; i < params; i++) {
        p[i].buffer = !strncmp(argv[11 + i], "buffer:", 7);
        p[i].file = strchr(argv[11 + i], ':') + 1;
        p[i].data = read_file(p[i].file, &p[i].n);
    }
    signal(SIGALRM, hangs);
    open_gpu();
    uint8_t *text = read_file(argv[1], &n);
    ok(cu.load(&module, text), "cuModuleLoadData");
    ok(cu.function(&kernel, module, argv[2]), "cuModuleGetFunction");
    if (d[6] > 48 << 10)                    /* more has to be asked for: attribute 8 */
        ok(cu.shared(kernel, 8, (int)d[6]), "cuFuncSetAttribute");
    for (int k = 1; k <= 2; k++)
        run(kernel, d, p, params, strtoull(argv[10], NULL, 10), k);
    return 0;
}
