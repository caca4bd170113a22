// Device code that is compiled while the program runs (NVRTC): a header by name, a macro, names of
// templates and of variables, functions without a word for where they run, objects in place and by
// new, and what is said about a mistake.  Says PASS.
// SPDX-License-Identifier: Apache-2.0
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <cuda.h>
#include <nvrtc.h>
#include <string>

#define OK(call) \
    do { \
        int e = (int)(call); \
        if (e) printf("%s: error %d\n", #call, e), exit(1); \
    } while (0)

static const char source[] = R"(
#include "parts/twice.h"
namespace n {
template <class T> __global__ void fill(T *p)
{
    p[threadIdx.x] = twice<T>(threadIdx.x) + BASE + bias;
}
}
struct item { int a; item(int n) : a(n) {} };
extern "C" __global__ void plain(int *p)
{
    __shared__ long room[8];
    item *placed = new (&room[threadIdx.x]) item(-2), *own = new item(1);
    assert(p);
    p[0] = placed->a + own->a;
    delete own;
    if (!p) printf("no place\\n");
}
)";
static const char header[] = "__constant__ int bias = 3;\n"
                             "template <class T> T twice(T x) { return x + x; }\n";

static int wrong;
static void want(bool is, const char *what)
{
    if (!is) printf("not so: %s\n", what), wrong++;
}

static std::string ptx_of(nvrtcProgram p)
{
    size_t n;
    OK(nvrtcGetPTXSize(p, &n));
    std::string s(n, 0);
    OK(nvrtcGetPTX(p, &s[0]));
    return s;
}

int main()
{
    const char *headers[] = { header }, *names[] = { "parts/twice.h" }, *fill, *bias;
    const char *options[] = { "--gpu-architecture=compute_80", "-DBASE=100", "-default-device" };
    nvrtcProgram p, broken;
    size_t n;
    OK(nvrtcCreateProgram(&p, source, "source.cu", 1, headers, names));
    OK(nvrtcAddNameExpression(p, "n::fill<int>"));
    OK(nvrtcAddNameExpression(p, "&bias"));
    want(nvrtcGetLoweredName(p, "&bias", &bias) == NVRTC_ERROR_NO_LOWERED_NAMES_BEFORE_COMPILATION,
         "no name before it is compiled");
    if (nvrtcCompileProgram(p, 3, options)) {
        nvrtcGetProgramLogSize(p, &n);
        std::string log(n, 0);
        nvrtcGetProgramLog(p, &log[0]);
        return puts(log.c_str()), 1;
    }
    OK(nvrtcGetLoweredName(p, "n::fill<int>", &fill));
    OK(nvrtcGetLoweredName(p, "&bias", &bias));
    want(nvrtcGetLoweredName(p, "plain", &bias) == NVRTC_ERROR_NAME_EXPRESSION_NOT_VALID,
         "a name that nobody added");
    OK(nvrtcGetLoweredName(p, "&bias", &bias));

    CUcontext context;
    CUmodule module;
    CUfunction f;
    CUdeviceptr d, b;
    int got[32], five = 5;
    OK(cuInit(0));
    OK(cuCtxCreate(&context, 0, 0));
    OK(cuModuleLoadData(&module, ptx_of(p).c_str()));
    OK(cuModuleGetFunction(&f, module, "plain"));
    OK(cuModuleGetFunction(&f, module, fill));
    OK(cuModuleGetGlobal(&b, &n, module, bias));
    OK(cuMemcpyHtoD(b, &five, n));
    OK(cuMemAlloc(&d, sizeof got));
    void *args[] = { &d };
    OK(cuLaunchKernel(f, 1, 1, 1, 32, 1, 1, 0, 0, args, nullptr));
    OK(cuMemcpyDtoH(got, d, sizeof got));
    for (int k = 0; k < 32; k++) want(got[k] == 2 * k + 105, "what the kernel stores");
    OK(nvrtcDestroyProgram(&p));

    const char *strange[] = { "--no-such-option" };
    OK(nvrtcCreateProgram(&broken, "__global__ void k() { nothing(); }\n", "broken.cu", 0, nullptr,
                          nullptr));
    want(nvrtcCompileProgram(broken, 0, nullptr) == NVRTC_ERROR_COMPILATION, "a mistake");
    OK(nvrtcGetProgramLogSize(broken, &n));
    std::string log(n, 0);
    OK(nvrtcGetProgramLog(broken, &log[0]));
    want(strstr(log.c_str(), "broken.cu:1") && strstr(log.c_str(), "nothing"), "the log names it");
    want(nvrtcGetPTXSize(broken, &n) != NVRTC_SUCCESS, "no PTX of it");
    want(nvrtcCompileProgram(broken, 1, strange) == NVRTC_ERROR_INVALID_OPTION, "a strange option");
    d = 0;                                   // which plain asserts is not; only what waits sees it
    OK(cuModuleGetFunction(&f, module, "plain"));
    OK(cuLaunchKernel(f, 1, 1, 1, 1, 1, 1, 0, 0, args, nullptr));
    want(cuCtxSynchronize() == CUDA_ERROR_ASSERT, "the assertion failed");
    puts(wrong ? "FAIL" : "PASS");
    return wrong != 0;
}
