// Code that is linked while the program runs: two parts of PTX, one of which calls the other's
// function; one that lacks it; a library.  Says PASS.
// SPDX-License-Identifier: Apache-2.0
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <cuda.h>

#define OK(call) \
    do { \
        int e = (int)(call); \
        if (e) printf("%s: error %d\n", #call, e), exit(1); \
    } while (0)

#define HEAD ".version 8.0\n.target sm_70\n.address_size 64\n"
static char caller[] = HEAD
    ".extern .func (.param .b32 r) twice(.param .b32 x);\n"
    ".visible .global .u32 base = 5;\n"
    ".visible .entry k(.param .u64 p)\n{\n.reg .b64 %a; .reg .b32 %x, %y;\n"
    ".param .b32 x; .param .b32 r;\n"
    "ld.param.u64 %a, [p]; ld.global.u32 %x, [base]; st.param.b32 [x], %x;\n"
    "call.uni (r), twice, (x); ld.param.b32 %y, [r]; st.global.u32 [%a], %y; ret;\n}\n";
static char called[] = HEAD ".visible .func (.param .b32 r) twice(.param .b32 x)\n"
    "{\n.reg .b32 %x; ld.param.b32 %x, [x]; add.u32 %x, %x, %x; st.param.b32 [r], %x; ret;\n}\n";

static int wrong;
static void want(bool is, const char *what)
{
    if (!is) printf("not so: %s\n", what), wrong++;
}

static int run(CUfunction f)
{
    CUdeviceptr p;
    int got = 0;
    OK(cuMemAlloc(&p, sizeof got));
    void *args[] = { &p };
    OK(cuLaunchKernel(f, 1, 1, 1, 1, 1, 1, 0, 0, args, nullptr));
    OK(cuMemcpyDtoH(&got, p, sizeof got));
    return got;
}

int main()
{
    CUcontext context;
    CUlinkState link, lacks;
    CUmodule module;
    CUfunction f;
    CUlibrary lib;
    CUkernel kernel;
    CUdeviceptr base;
    void *cubin;
    size_t bytes;
    int seven = 7;
    char log[500] = "?";
    CUjit_option options[] = { CU_JIT_ERROR_LOG_BUFFER, CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES };
    void *values[] = { log, (void *)sizeof log };
    OK(cuInit(0));
    OK(cuCtxCreate(&context, 0, 0));
    OK(cuLinkCreate(2, options, values, &link));
    // Without the 0 at its end.
    OK(cuLinkAddData(link, CU_JIT_INPUT_PTX, caller, strlen(caller), "caller", 0, nullptr,
                     nullptr));
    FILE *out = fopen("called.ptx", "w");
    want(out && fputs(called, out) >= 0 && !fclose(out), "called.ptx is written");
    OK(cuLinkAddFile(link, CU_JIT_INPUT_PTX, "called.ptx", 0, nullptr, nullptr));
    want(cuLinkAddFile(link, CU_JIT_INPUT_PTX, "nowhere.ptx", 0, nullptr, nullptr) ==
             CUDA_ERROR_FILE_NOT_FOUND, "a file that is not there");
    if (cuLinkComplete(link, &cubin, &bytes)) return puts(log), 1;
    OK(cuModuleLoadData(&module, cubin));
    OK(cuLibraryLoadData(&lib, cubin, nullptr, nullptr, 0, nullptr, nullptr, 0));
    OK(cuLinkDestroy(link));
    OK(cuModuleGetFunction(&f, module, "k"));
    want(run(f) == 10, "twice 5");
    OK(cuLibraryGetKernel(&kernel, lib, "k"));
    OK(cuLibraryGetGlobal(&base, &bytes, lib, "base"));
    OK(cuMemcpyHtoD(base, &seven, sizeof seven));
    want(run((CUfunction)kernel) == 14, "twice 7, in the library");
    want(run(f) == 10, "and still 5 in the module");
    OK(cuLinkCreate(2, options, values, &lacks));
    OK(cuLinkAddData(lacks, CU_JIT_INPUT_PTX, caller, sizeof caller, "a", 0, nullptr, nullptr));
    want(cuLinkComplete(lacks, &cubin, &bytes) == CUDA_ERROR_INVALID_PTX, "a function lacks");
    want(strstr(log, "twice"), "the log names it");
    OK(cuLinkDestroy(lacks));
    puts(wrong ? "FAIL" : "PASS");
    return wrong != 0;
}
