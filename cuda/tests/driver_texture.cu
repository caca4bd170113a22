// The driver API's arrays, textures and surfaces: references of a module and objects, copies of
// boxes between host, device and arrays.  Says PASS.
// SPDX-License-Identifier: Apache-2.0
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <cuda.h>

#define CHECK(call) \
    do { \
        CUresult e = (call); \
        const char *name; \
        if (e != CUDA_SUCCESS) cuGetErrorName(e, &name), printf("%s: %s\n", #call, name), exit(1); \
    } while (0)

enum { W = 8, H = 4, N = W * H };
static int wrong;
static void check(const char *what, int k, float got, float want)
{
    if (got != want && wrong++ < 5) printf("%s %d: %g, should be %g\n", what, k, got, want);
}

// Rows of w floats, out of the host's into an array, or back.
static CUDA_MEMCPY2D rows(CUarray a, float *host, bool back)
{
    CUDA_MEMCPY2D c;
    memset(&c, 0, sizeof c);
    c.srcMemoryType = back ? CU_MEMORYTYPE_ARRAY : CU_MEMORYTYPE_HOST;
    c.dstMemoryType = back ? CU_MEMORYTYPE_HOST : CU_MEMORYTYPE_ARRAY;
    (back ? c.srcArray : c.dstArray) = a;
    if (back) c.dstHost = host;
    else c.srcHost = host;
    c.srcPitch = c.dstPitch = c.WidthInBytes = W * sizeof(float);
    c.Height = H;
    return c;
}

// What is refused: sizes whose product wraps around, formats that there are not, missing arguments.
static void refusals(CUmodule m, CUarray a, CUtexref bytes, CUdeviceptr p)
{
    enum { ALL = 1u << 31 };
    size_t pitch, huge = (size_t)1 << 62;
    float f[W];
    CUarray none;
    CUtexref t;
    CUdeviceptr q;
    CUDA_ARRAY_DESCRIPTOR d = { W, H, CU_AD_FORMAT_FLOAT, 1 };
    CUDA_ARRAY_DESCRIPTOR odd = { W, H, (CUarray_format)5, 1 },
                          wide = { huge, H, CU_AD_FORMAT_FLOAT, 1 },
                          wraps = { 1u << 30, 1, CU_AD_FORMAT_FLOAT, 1 };
    CUDA_MEMCPY2D c = rows(a, f, false);
    c.dstMemoryType = CU_MEMORYTYPE_DEVICE, c.dstDevice = p;
    c.srcPitch = c.dstPitch = c.WidthInBytes = 16, c.Height = huge / 4;
    CUDA_MEMCPY3D empty;
    memset(&empty, 0, sizeof empty);
    empty.srcMemoryType = CU_MEMORYTYPE_HOST, empty.srcHost = f;
    empty.dstMemoryType = CU_MEMORYTYPE_DEVICE, empty.dstDevice = p;
    empty.WidthInBytes = 4, empty.Depth = huge;
    const CUresult got[] = {
        cuArrayCreate(&none, &odd), cuArrayCreate(NULL, &d), cuArrayCreate(&none, NULL),
        cuArray3DCreate(&none, NULL), cuArrayGetDescriptor(NULL, a),
        cuArray3DGetDescriptor(NULL, a), cuMemcpy2D(NULL), cuMemcpy3D(NULL), cuMemcpy2D(&c),
        cuMemAllocPitch(NULL, &pitch, W, H, 4), cuMemAllocPitch(&q, NULL, W, H, 4),
        cuModuleGetTexRef(NULL, m, "bytes"), cuModuleGetTexRef(&t, m, NULL),
        cuModuleGetSurfRef(NULL, m, "board"), cuTexRefSetFormat(bytes, (CUarray_format)6, 1),
        cuTexRefSetAddress2D(bytes, &wraps, p, 32), cuTexRefSetAddress2D(bytes, &d, p, huge)
    };
    for (int k = 0; k < (int)(sizeof got / sizeof *got); k++)
        check("refusal", k, got[k], CUDA_ERROR_INVALID_VALUE);
    check("array", 0, cuArrayCreate(&none, &wide), CUDA_ERROR_OUT_OF_MEMORY);
    check("pitch", 0, cuMemAllocPitch(&q, &pitch, ALL, huge, 4), CUDA_ERROR_OUT_OF_MEMORY);
    check("pitch", 1, cuMemAllocPitch(&q, &pitch, ~(size_t)0, 1, 4), CUDA_ERROR_OUT_OF_MEMORY);
    check("managed", 0, cuMemAllocManaged(&q, ~(size_t)0, 1), CUDA_ERROR_OUT_OF_MEMORY);
    check("empty", 0, cuMemcpy3D(&empty), CUDA_SUCCESS);
}

int main(int argc, char **argv)
{
    CUcontext context;
    CUmodule module;
    CUfunction references, objects;
    CUdeviceptr out, data;
    float f[N], got[N], cube[2 * N];
    unsigned char b[N];
    int w = W;
    if (argc < 2) return 2;
    for (int i = 0; i < N; i++) f[i] = 1.5f * i, b[i] = i % 2 ? 255 : 0;
    CHECK(cuInit(0));
    CHECK(cuCtxCreate(&context, 0, 0));
    CHECK(cuModuleLoad(&module, argv[1]));
    CHECK(cuModuleGetFunction(&references, module, "references"));
    CHECK(cuModuleGetFunction(&objects, module, "objects"));
    CHECK(cuMemAlloc(&out, sizeof f));
    CHECK(cuMemAlloc(&data, sizeof b));
    CHECK(cuMemcpyHtoD(data, b, sizeof b));

    // References.
    CUDA_ARRAY_DESCRIPTOR d = { W, H, CU_AD_FORMAT_FLOAT, 1 }, same;
    CUarray a, s;
    CHECK(cuArrayCreate(&a, &d));
    CUDA_ARRAY3D_DESCRIPTOR d3 = { W, H, 0, CU_AD_FORMAT_FLOAT, 1, CUDA_ARRAY3D_SURFACE_LDST };
    CHECK(cuArray3DCreate(&s, &d3));
    CHECK(cuArrayGetDescriptor(&same, a));
    wrong += memcmp(&same, &d, sizeof d) != 0;
    CUDA_MEMCPY2D c = rows(a, f, false);
    CHECK(cuMemcpy2D(&c));
    CUtexref plane, bytes, none;
    CUsurfref board;
    CHECK(cuModuleGetTexRef(&plane, module, "plane"));
    CHECK(cuModuleGetTexRef(&bytes, module, "bytes"));
    CHECK(cuModuleGetSurfRef(&board, module, "board"));
    wrong += cuModuleGetTexRef(&none, module, "nothing") != CUDA_ERROR_NOT_FOUND;
    refusals(module, a, bytes, out);
    CHECK(cuModuleGetTexRef(&none, module, "bytes"));
    wrong += none != bytes;
    CHECK(cuTexRefSetArray(plane, a, CU_TRSA_OVERRIDE_FORMAT));
    CHECK(cuTexRefSetFilterMode(plane, CU_TR_FILTER_MODE_POINT));
    CHECK(cuTexRefSetAddressMode(plane, 0, CU_TR_ADDRESS_MODE_CLAMP));
    CHECK(cuTexRefSetFormat(bytes, CU_AD_FORMAT_UNSIGNED_INT8, 1));
    CHECK(cuTexRefSetAddress(NULL, bytes, data, sizeof b));
    CHECK(cuSurfRefSetArray(board, s, 0));
    // What was set.
    CUarray bound, other;
    CUdeviceptr address;
    CUaddress_mode address_mode;
    CUfilter_mode filter_mode;
    CUarray_format kind;
    int channels;
    unsigned flags = 7;
    CHECK(cuTexRefGetArray(&bound, plane));
    CHECK(cuTexRefGetAddressMode(&address_mode, plane, 0));
    CHECK(cuTexRefGetFilterMode(&filter_mode, plane));
    CHECK(cuTexRefGetFormat(&kind, &channels, bytes));
    CHECK(cuTexRefGetAddress(&address, bytes));
    CHECK(cuTexRefGetFlags(&flags, bytes));
    wrong += bound != a || address_mode != CU_TR_ADDRESS_MODE_CLAMP || filter_mode != CU_TR_FILTER_MODE_POINT ||
             kind != CU_AD_FORMAT_UNSIGNED_INT8 || channels != 1 || address != data || flags;
    wrong += cuTexRefGetArray(&bound, bytes) != CUDA_ERROR_INVALID_VALUE || cuTexRefGetAddress(&address, plane) != CUDA_ERROR_INVALID_VALUE;
    CHECK(cuSurfRefGetArray(&bound, board));
    wrong += bound != s;
    // From array to array, and by a stream.
    CHECK(cuArrayCreate(&other, &d));
    CHECK(cuMemcpyAtoA(other, 0, a, W * sizeof(float), W * sizeof(float)));
    CHECK(cuMemcpyHtoAAsync(other, W * sizeof(float), f + 5, 4, 0));
    CHECK(cuMemcpyAtoHAsync(got, other, 0, (W + 1) * sizeof(float), 0));
    for (int i = 0; i < W; i++) check("row", i, got[i], f[W + i]);
    check("row", W, got[W], f[5]);
    CHECK(cuArrayDestroy(other));
    void *args[] = { &out, &w };
    CHECK(cuLaunchKernel(references, 1, 1, 1, N, 1, 1, 0, 0, args, NULL));
    CHECK(cuMemcpyDtoH(got, out, sizeof got));
    for (int i = 0; i < N; i++) check("reference", i, got[i], f[i] + i % 2);
    c = rows(s, got, true);
    CHECK(cuMemcpy2D(&c));
    for (int i = 0; i < N; i++) check("surface", i, got[i], 2 * (f[i] + i % 2));

    // Objects: the second slice of a box, put there by a copy of boxes.
    CUarray box;
    CUDA_ARRAY3D_DESCRIPTOR deep = { W, H, 2, CU_AD_FORMAT_FLOAT, 1, 0 };
    CHECK(cuArray3DCreate(&box, &deep));
    CUDA_MEMCPY3D b3;
    memset(&b3, 0, sizeof b3);
    b3.srcMemoryType = CU_MEMORYTYPE_ARRAY, b3.srcArray = a;
    b3.dstMemoryType = CU_MEMORYTYPE_ARRAY, b3.dstArray = box, b3.dstZ = 1;
    b3.WidthInBytes = W * sizeof(float), b3.Height = H, b3.Depth = 1;
    CHECK(cuMemcpy3D(&b3));
    b3.dstZ = 2;
    wrong += cuMemcpy3D(&b3) != CUDA_ERROR_INVALID_VALUE;
    memset(&b3, 0, sizeof b3);
    b3.srcMemoryType = CU_MEMORYTYPE_ARRAY, b3.srcArray = box;
    b3.dstMemoryType = CU_MEMORYTYPE_HOST, b3.dstHost = cube;
    b3.dstPitch = W * sizeof(float), b3.dstHeight = H;
    b3.WidthInBytes = W * sizeof(float), b3.Height = H, b3.Depth = 2;
    CHECK(cuMemcpy3D(&b3));
    for (int i = 0; i < N; i++) check("box", i, cube[N + i], f[i]);
    CUDA_RESOURCE_DESC from;
    CUDA_TEXTURE_DESC how;
    memset(&from, 0, sizeof from);
    memset(&how, 0, sizeof how);
    from.resType = CU_RESOURCE_TYPE_ARRAY, from.res.array.hArray = box;
    how.flags = CU_TRSF_NORMALIZED_COORDINATES;
    CUtexObject t;
    CUsurfObject o;
    CHECK(cuTexObjectCreate(&t, &from, &how, NULL));
    from.res.array.hArray = s;
    CHECK(cuSurfObjectCreate(&o, &from));
    void *more[] = { &t, &o, &out, &w };
    CHECK(cuLaunchKernel(objects, 1, 1, 1, N, 1, 1, 0, 0, more, NULL));
    CHECK(cuMemcpyAtoH(got, s, 0, sizeof got));
    for (int i = 0; i < N; i++) check("object", i, got[i], f[2 * W + i % W]);
    CHECK(cuTexObjectDestroy(t));
    wrong += cuTexObjectDestroy(t) == CUDA_SUCCESS;
    CHECK(cuSurfObjectDestroy(o));
    CHECK(cuArrayDestroy(box));
    wrong += cuArrayDestroy(box) == CUDA_SUCCESS;
    puts(wrong ? "FAIL" : "PASS");
    return wrong != 0;
}
