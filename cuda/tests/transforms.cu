// cuFFT against sums of the host: every kind, in sizes of several factors, in place, in batches, apart.
// SPDX-License-Identifier: Apache-2.0
#include <cmath>
#include <complex>
#include <cstdio>
#include <cstring>
#include <vector>
#include <cuda_runtime.h>
#include <cufftXt.h>

typedef std::complex<double> num;
static int bad;
static void expect(const char *what, bool ok)
{
    if (!ok) printf("wrong: %s\n", what), bad = 1;
}
#define OK(call) expect(#call, (call) == CUFFT_SUCCESS)

static double value(int k) { return std::sin(k * 1.7) + (k % 5) * 0.25; }

// By the definition, along each dimension.
static std::vector<num> sums(std::vector<num> v, const int *n, int sign)
{
    const int all = n[0] * n[1] * n[2];
    for (int d = 0, inner = all; d < 3; d++) {
        inner /= n[d];
        std::vector<num> w(v.size());
        for (size_t at = 0; at < v.size(); at++) {
            const int i = (int)(at / inner % n[d]);
            for (int k = 0; k < n[d]; k++)
                w[at] += v[at + (k - i) * inner] * std::polar(1.0, sign * 2 * M_PI * ((long)i * k % n[d]) / n[d]);
        }
        v = w;
    }
    return v;
}

template <class R> static void all(int batch, int n0, int n1, int n2, cufftType cc, cufftType rc, cufftType cr, double most)
{
    const int n[] = { n0, n1, n2 }, size = n0 * n1 * n2, half = n2 / 2 + 1, rows = batch * n0 * n1;
    const int rank = n0 > 1 ? 3 : n1 > 1 ? 2 : 1;
    typedef std::complex<R> C;
    std::vector<C> in(size * batch), out(size * batch), h(rows * half);
    std::vector<R> real(size * batch), back(size * batch);
    for (int k = 0; k < size * batch; k++) in[k] = C((R)value(k), (R)value(k + 3)), real[k] = (R)value(2 * k);
    C *d, *e;
    cudaMalloc(&d, 2 * sizeof(C) * size * batch);
    cudaMalloc(&e, 2 * sizeof(C) * size * batch);
    auto plan = [&](cufftType t) {
        cufftHandle p;
        if (batch > 1) OK(cufftPlanMany(&p, rank, (int *)n + 3 - rank, nullptr, 1, 0, nullptr, 1, 0, t, batch));
        else if (rank == 1) OK(cufftPlan1d(&p, n2, t, 1));
        else if (rank == 2) OK(cufftPlan2d(&p, n1, n2, t));
        else OK(cufftPlan3d(&p, n0, n1, n2, t));
        return p;
    };
    const bool two = sizeof(R) == 8;
    double worst = 0;
    for (int sign = -1; sign <= 1; sign += 2) {         // in place
        cufftHandle p = plan(cc);
        cudaMemcpy(d, in.data(), sizeof(C) * in.size(), cudaMemcpyHostToDevice);
        OK(two ? cufftExecZ2Z(p, (cufftDoubleComplex *)d, (cufftDoubleComplex *)d, sign)
               : cufftExecC2C(p, (cufftComplex *)d, (cufftComplex *)d, sign));
        cudaMemcpy(out.data(), d, sizeof(C) * out.size(), cudaMemcpyDeviceToHost);
        const std::vector<num> want = sums(std::vector<num>(in.begin(), in.end()), n, sign);
        for (size_t k = 0; k < out.size(); k++) worst = std::fmax(worst, std::abs(num(out[k]) - want[k]));
        OK(cufftDestroy(p));
    }
    const std::vector<num> want = sums(std::vector<num>(real.begin(), real.end()), n, -1);
    for (int inside = 0; inside < 2; inside++) {        // and there and back
        cufftHandle p = plan(rc), q = plan(cr);
        const int row = inside ? 2 * half : n2;
        R *from = (R *)(inside ? e : d);
        cudaMemcpy2D(from, row * sizeof(R), real.data(), n2 * sizeof(R), n2 * sizeof(R), rows, cudaMemcpyHostToDevice);
        OK(two ? cufftExecD2Z(p, (double *)from, (cufftDoubleComplex *)e) : cufftExecR2C(p, (float *)from, (cufftComplex *)e));
        cudaMemcpy(h.data(), e, sizeof(C) * h.size(), cudaMemcpyDeviceToHost);
        for (int r = 0; r < rows; r++)
            for (int k = 0; k < half; k++) worst = std::fmax(worst, std::abs(num(h[r * half + k]) - want[r * n2 + k]));
        OK(two ? cufftExecZ2D(q, (cufftDoubleComplex *)e, (double *)from) : cufftExecC2R(q, (cufftComplex *)e, (float *)from));
        cudaMemcpy2D(back.data(), n2 * sizeof(R), from, row * sizeof(R), n2 * sizeof(R), rows, cudaMemcpyDeviceToHost);
        for (int k = 0; k < size * batch; k++) worst = std::fmax(worst, std::fabs(back[k] / size - real[k]));
        OK(cufftDestroy(p)), OK(cufftDestroy(q));
    }
    if (!(worst < most)) printf("wrong: %d times %d x %d x %d: off by %g\n", batch, n0, n1, n2, worst), bad = 1;
    cudaFree(d), cudaFree(e);
}

// Columns of a matrix: elements a row apart, transforms side by side.
static void columns()
{
    enum { ROWS = 12, COLUMNS = 5 };
    int n[] = { ROWS }, embed[] = { ROWS };
    std::vector<cufftComplex> m(ROWS * COLUMNS), got(ROWS * COLUMNS);
    for (int k = 0; k < ROWS * COLUMNS; k++) m[k] = make_cuComplex((float)value(k), 0);
    cufftComplex *d;
    cudaMalloc(&d, sizeof *d * m.size());
    cudaMemcpy(d, m.data(), sizeof *d * m.size(), cudaMemcpyHostToDevice);
    cufftHandle p;
    size_t work = 0;
    OK(cufftCreate(&p));
    OK(cufftMakePlanMany(p, 1, n, embed, COLUMNS, 1, embed, COLUMNS, 1, CUFFT_C2C, COLUMNS, &work));
    OK(cufftExecC2C(p, d, d, CUFFT_FORWARD));
    cudaMemcpy(got.data(), d, sizeof *d * m.size(), cudaMemcpyDeviceToHost);
    double worst = 0;
    for (int c = 0; c < COLUMNS; c++)
        for (int k = 0; k < ROWS; k++) {
            num want = 0;
            for (int r = 0; r < ROWS; r++) want += (double)m[r * COLUMNS + c].x * std::polar(1.0, -2 * M_PI * (r * k % ROWS) / ROWS);
            worst = std::fmax(worst, std::abs(num(got[k * COLUMNS + c].x, got[k * COLUMNS + c].y) - want));
        }
    expect("columns", worst < 1e-5 && work);
    expect("another type", cufftExecZ2Z(p, nullptr, nullptr, 1) == CUFFT_INVALID_TYPE);
    OK(cufftDestroy(p));
    // The same by the types of numbers, sizes of 64 bits; then by the rows of real numbers.
    long long rows[] = { ROWS }, around[] = { ROWS }, huge[] = { 1ll << 40 };
    std::vector<cufftComplex> again(m.size());
    cudaMemcpy(d, m.data(), sizeof *d * m.size(), cudaMemcpyHostToDevice);
    OK(cufftCreate(&p));
    expect("too many", cufftXtMakePlanMany(p, 1, huge, nullptr, 1, 1, CUDA_C_32F, nullptr, 1, 1, CUDA_C_32F, 1, &work,
                                           CUDA_C_32F) == CUFFT_INVALID_SIZE);
    expect("halves", cufftXtMakePlanMany(p, 1, rows, nullptr, 1, 1, CUDA_C_16F, nullptr, 1, 1, CUDA_C_16F, 1, &work,
                                         CUDA_C_16F) == CUFFT_NOT_SUPPORTED);
    OK(cufftXtMakePlanMany(p, 1, rows, around, COLUMNS, 1, CUDA_C_32F, around, COLUMNS, 1, CUDA_C_32F, COLUMNS, &work,
                           CUDA_C_32F));
    OK(cufftXtExec(p, d, d, CUFFT_FORWARD));
    cudaMemcpy(again.data(), d, sizeof *d * m.size(), cudaMemcpyDeviceToHost);
    expect("the same columns", !memcmp(again.data(), got.data(), sizeof *d * m.size()));
    OK(cufftDestroy(p));
    const float wave[4] = { 1, 2, 3, 4 };
    long long four[] = { 4 };
    cudaMemcpy(d, wave, sizeof wave, cudaMemcpyHostToDevice);
    OK(cufftCreate(&p));
    OK(cufftXtMakePlanMany(p, 1, four, nullptr, 1, 1, CUDA_R_32F, nullptr, 1, 1, CUDA_C_32F, 1, &work, CUDA_C_32F));
    OK(cufftXtExec(p, d, d + 8, CUFFT_INVERSE));
    cudaMemcpy(again.data(), d + 8, 3 * sizeof *d, cudaMemcpyDeviceToHost);
    const float want[] = { 10, 0, -2, 2, -2, 0 };
    worst = 0;
    for (int k = 0; k < 6; k++) worst = std::fmax(worst, std::fabs((k % 2 ? again[k / 2].y : again[k / 2].x) - want[k]));
    expect("a row", worst < 1e-5);
    void *load[1] = {};
    expect("no callbacks", cufftXtSetCallback(p, load, CUFFT_CB_LD_COMPLEX, nullptr) == CUFFT_NOT_SUPPORTED);
    OK(cufftDestroy(p));
    expect("no plan", cufftDestroy(p) == CUFFT_INVALID_PLAN && cufftPlan1d(&p, 0, CUFFT_C2C, 1) == CUFFT_INVALID_SIZE);
    cudaFree(d);
}

int main()
{
    all<float>(1, 1, 1, 64, CUFFT_C2C, CUFFT_R2C, CUFFT_C2R, 1e-4);
    all<float>(3, 1, 1, 30, CUFFT_C2C, CUFFT_R2C, CUFFT_C2R, 1e-4);
    all<float>(1, 1, 1, 37, CUFFT_C2C, CUFFT_R2C, CUFFT_C2R, 1e-4);
    all<float>(1, 1, 1, 1, CUFFT_C2C, CUFFT_R2C, CUFFT_C2R, 1e-6);
    all<float>(1, 1, 12, 9, CUFFT_C2C, CUFFT_R2C, CUFFT_C2R, 1e-4);
    all<double>(2, 1, 6, 8, CUFFT_Z2Z, CUFFT_D2Z, CUFFT_Z2D, 1e-12);
    all<double>(1, 4, 5, 6, CUFFT_Z2Z, CUFFT_D2Z, CUFFT_Z2D, 1e-12);
    columns();
    expect("no error is left", cudaDeviceSynchronize() == cudaSuccess);
    printf("%s\n", bad ? "FAIL" : "PASS");
    return bad;
}
