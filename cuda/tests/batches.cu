// Several copies by one call: of bytes, and of boxes between memory and arrays, at once and as a graph; which of them is
// wrong.  Says PASS.
// SPDX-License-Identifier: Apache-2.0
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <cuda.h>
#include <cuda_runtime.h>

static int failures;
static void expect(const char *what, bool ok)
{
    if (!ok && failures++ < 20) printf("FAIL %s: %s\n", what, cudaGetErrorName(cudaPeekAtLastError()));
    cudaGetLastError();
}
#define OK(call) expect(#call, (call) == cudaSuccess)
enum { W = 6, H = 4, D = 3 };

static cudaMemcpy3DOperand memory(void *p, size_t row = 0, size_t rows = 0)
{
    cudaMemcpy3DOperand o = {};
    o.type = cudaMemcpyOperandTypePointer;
    o.op.ptr.ptr = p, o.op.ptr.rowLength = row, o.op.ptr.layerHeight = rows;
    return o;
}
static cudaMemcpy3DOperand part(cudaArray_t a, size_t x, size_t y, size_t z)
{
    cudaMemcpy3DOperand o = {};
    o.type = cudaMemcpyOperandTypeArray;
    o.op.array.array = a, o.op.array.offset = { x, y, z };
    return o;
}
static cudaMemcpy3DBatchOp copy(cudaMemcpy3DOperand to, cudaMemcpy3DOperand from, size_t w, size_t h, size_t d)
{
    cudaMemcpy3DBatchOp op = {};
    op.src = from, op.dst = to, op.extent = make_cudaExtent(w, h, d);
    op.srcAccessOrder = cudaMemcpySrcAccessOrderStream;
    return op;
}

static void boxes()
{
    static int host[D][H][W], back[D][H][W], small[2][2][2];
    cudaArray_t a = nullptr, b = nullptr, half = nullptr;
    cudaChannelFormatDesc words = cudaCreateChannelDesc<int>(), shorts = cudaCreateChannelDesc<short>();
    int *d;
    cudaStream_t s;
    for (int k = 0; k < D * H * W; k++) (&host[0][0][0])[k] = k + 1;
    OK(cudaMalloc3DArray(&a, &words, make_cudaExtent(W, H, D)));
    OK(cudaMalloc3DArray(&b, &words, make_cudaExtent(W, H, D)));
    OK(cudaMalloc3DArray(&half, &shorts, make_cudaExtent(W, H, D)));
    OK(cudaMalloc(&d, sizeof host));
    OK(cudaMemset(d, 0, sizeof host));
    OK(cudaStreamCreate(&s));
    // Elements are words where an array has a part in it, and bytes where it has none.
    cudaMemcpy3DBatchOp fill[] = { copy(part(a, 0, 0, 0), memory(host), W, H, D),
                                   copy(memory(d + 1, W * sizeof(int), H), memory(host[0][1], W * sizeof(int)), 3 * sizeof(int), 2, 1) };
    size_t failed = 7;
    OK(cudaMemcpy3DBatchAsync(2, fill, &failed, 0, s));
    cudaMemcpy3DBatchOp more[] = { copy(part(b, 1, 2, 1), part(a, 2, 1, 0), 2, 2, 2), copy(memory(small), part(a, 4, 2, 1), 2, 2, 2) };
    OK(cudaMemcpy3DBatchAsync(2, more, 0, s));
    cudaMemcpy3DBatchOp out = copy(memory(back), part(b, 0, 0, 0), W, H, D);
    OK(cudaMemcpy3DBatchAsync(1, &out, 0, s));
    expect("a part of an array", back[1][2][1] == host[0][1][2] && back[2][3][2] == host[1][2][3]);
    expect("a part in memory", small[0][0][0] == host[1][2][4] && small[1][1][1] == host[2][3][5]);
    OK(cudaMemcpy(back, d, sizeof back, cudaMemcpyDefault));
    expect("rows of memory", back[0][0][1] == host[0][1][0] && back[0][0][3] == host[0][1][2] && back[0][1][1] == host[0][2][0] && !back[0][0][4]);
    // Steps of whole layers.
    cudaMemcpy3DBatchOp thin = copy(memory(d, W, H), part(a, 0, 0, 0), W, 1, D);
    OK(cudaMemcpy3DBatchAsync(1, &thin, 0, s));
    OK(cudaMemcpy(back, d, sizeof back, cudaMemcpyDefault));
    expect("layers of memory", !memcmp(back[2][0], host[2][0], sizeof host[2][0]) && back[1][0][0] == host[1][0][0]);

    // Which one is wrong.
    const cudaMemcpy3DBatchOp fine = copy(memory(d), part(a, 0, 0, 0), 1, 1, 1);
    cudaMemcpy3DBatchOp wrong[] = {
        copy(memory(d), part(a, 1, 0, 0), W, 1, 1), copy(memory(d), part(a, 0, 0, D), 1, 1, 1), copy(memory(d, 3), part(a, 0, 0, 0), 4, 1, 1),
        copy(memory(nullptr), part(a, 0, 0, 0), 1, 1, 1), copy(part(half, 0, 0, 0), part(a, 0, 0, 0), 1, 1, 1), copy(memory(d), memory(host), 0, 1, 1),
        fine, fine, fine };
    wrong[6].srcAccessOrder = cudaMemcpySrcAccessOrderInvalid;
    wrong[7].src.type = (cudaMemcpy3DOperandType)3;
    wrong[8].src.op.array.array = (cudaArray_t)d;
    for (auto &w : wrong) {
        cudaMemcpy3DBatchOp two[] = { fine, w };
        failed = 7;
        expect("a wrong box", cudaMemcpy3DBatchAsync(2, two, &failed, 0, s) == cudaErrorInvalidValue && failed == 1);
    }
    expect("no boxes", cudaMemcpy3DBatchAsync(0, fill, &failed, 0, s) == cudaErrorInvalidValue && failed == SIZE_MAX);

    // Recorded: done when the graph is launched.
    cudaGraph_t g;
    cudaGraphExec_t e;
    memset(back, 0, sizeof back), memset(small, 0, sizeof small);
    cudaMemcpy3DBatchOp later[] = { copy(memory(small), part(a, 0, 0, 0), 2, 2, 2), copy(memory(back), memory(d), sizeof(int), 1, 1) };
    OK(cudaStreamBeginCapture(s, cudaStreamCaptureModeGlobal));
    OK(cudaMemcpy3DBatchAsync(2, later, 0, s));
    OK(cudaStreamEndCapture(s, &g));
    expect("not yet", !small[0][0][0]);
    OK(cudaGraphInstantiate(&e, g, 0));
    OK(cudaGraphLaunch(e, s));
    OK(cudaStreamSynchronize(s));
    expect("a graph of boxes", small[1][1][1] == host[1][1][1] && back[0][0][0] == host[0][0][0]);
    OK(cudaStreamDestroy(s));
    cudaFreeArray(a), cudaFreeArray(b), cudaFreeArray(half), cudaFree(d);
}

static void bytes()
{
    char from[16] = "0123456789abcde", to[16] = "", *d;
    OK(cudaMalloc(&d, 16));
    void *dst[] = { d, d + 8 }, *src[] = { from + 8, from }, *none[] = { d, nullptr };
    size_t n[] = { 8, 8 }, first[] = { 0, 1 }, late[] = { 1, 0 }, failed = 7;
    cudaMemcpyAttributes how[2] = {};
    how[0].srcAccessOrder = how[1].srcAccessOrder = cudaMemcpySrcAccessOrderAny;
    OK(cudaMemcpyBatchAsync(dst, src, n, 2, how, first, 2, &failed, 0));
    OK(cudaMemcpy(to, d, 16, cudaMemcpyDefault));
    expect("two copies", !memcmp(to, "89abcde\0" "01234567", 16));
    expect("attributes out of order", cudaMemcpyBatchAsync(dst, src, n, 2, how, late, 2, &failed, 0) == cudaErrorInvalidValue && failed == SIZE_MAX);
    expect("the second goes nowhere", cudaMemcpyBatchAsync(none, src, n, 2, how, first, 1, &failed, 0) != cudaSuccess && failed == 1);
    how[1].srcAccessOrder = cudaMemcpySrcAccessOrderInvalid;
    expect("no order", cudaMemcpyBatchAsync(dst, src, n, 2, how, first, 2, &failed, 0) == cudaErrorInvalidValue);

    // The same by the driver API.
    CUdeviceptr at[] = { (CUdeviceptr)d, (CUdeviceptr)d + 8 }, of[] = { (CUdeviceptr)from, (CUdeviceptr)(from + 8) };
    CUmemcpyAttributes order = {};
    order.srcAccessOrder = CU_MEMCPY_SRC_ACCESS_ORDER_STREAM;
    expect("the driver's copies", cuMemcpyBatchAsync(at, of, n, 2, &order, first, 1, &failed, 0) == CUDA_SUCCESS);
    CUDA_MEMCPY3D_BATCH_OP op = {};
    op.src.type = op.dst.type = CU_MEMCPY_OPERAND_TYPE_POINTER;
    op.src.op.ptr.ptr = (CUdeviceptr)d, op.src.op.ptr.rowLength = 4;
    op.dst.op.ptr.ptr = (CUdeviceptr)to, op.extent = { 2, 4, 1 }, op.srcAccessOrder = CU_MEMCPY_SRC_ACCESS_ORDER_ANY;
    expect("the driver's boxes", cuMemcpy3DBatchAsync(1, &op, &failed, 0, 0) == CUDA_SUCCESS && !memcmp(to, "014589cd", 8));
    cudaFree(d);
}

int main()
{
    boxes(), bytes();
    puts(failures ? "FAIL" : "PASS");
    return failures != 0;
}
