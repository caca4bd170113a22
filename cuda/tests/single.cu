// f32's functions against the host's in f64, within the errors that CUDA documents.
// SPDX-License-Identifier: Apache-2.0
#include <cmath>
#include <cstdio>
#include <cstring>
struct one { const char *name; double most, from, to; };
#define FUNCTIONS(X) \
    X(expf, exp, (a), 2, -105, 95) X(exp2f, exp2, (a), 2, -150, 130) X(logf, log, (a), 1, 0, 10) \
    X(log2f, log2, (a), 1, 0, 10) X(log10f, log10, (a), 2, 0, 10) X(sinf, sin, (a), 2, -1e5, 1e5) \
    X(cosf, cos, (a), 2, -1e5, 1e5) X(tanf, tan, (a), 4, -200, 200) X(tanhf, tanh, (a), 2, -5, 5) \
    X(powf, pow, (a, b), 4, 0, 10) X(fmodf, fmod, (a, b), 0, -1e5, 1e5) \
    X(rcbrtf, 1 / cbrt, (a), 1, -8, 8) X(erfinvf, erf_inverse, (a), 2, -1, 1) \
    X(rhypotf, 1 / hypot, (a, b), 2, -8, 8) X(nextafterf, after, (a, b), 0, -8, 8)
static double after(double a, double b) { return std::nextafter((float)a, (float)b); }
static double erf_inverse(double x)                  // by halving
{
    if (!(fabs(x) < 1) || x == 0) return fabs(x) == 1 ? x * INFINITY : x == 0 ? x : NAN;
    double lo = 0, hi = 6, middle = 3;
    for (; middle != lo && middle != hi; middle = (lo + hi) / 2) (erf(middle) < fabs(x) ? lo : hi) = middle;
    return copysign(middle, x);
}
#define EACH(F, D, ARGS, MOST, FROM, TO) { #F, MOST, FROM, TO },
static const one functions[] = { FUNCTIONS(EACH) };
enum { COUNT = sizeof functions / sizeof *functions, N = 8192 };

__global__ void compute(int which, const float *x, const float *y, float *out)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x, k = 0;
    float a = x[i], b = y[i];
#define CASE(F, D, ARGS, MOST, FROM, TO) if (which == k++) out[i] = F ARGS;
    FUNCTIONS(CASE)
}
static double exact(int which, double a, double b)
{
    int k = 0;
#define EXACT(F, D, ARGS, MOST, FROM, TO) if (which == k++) return D ARGS;
    FUNCTIONS(EXACT)
    return 0;
}

static float bits(unsigned u)
{
    float f;
    memcpy(&f, &u, 4);
    return f;
}
static double error(float got, double want)
{
    float w = (float)want;
    if (std::isnan(w) || std::isnan(got)) return std::isnan(w) && std::isnan(got) ? 0 : 1e9;
    if (std::isinf(w) || std::isinf(got) || (w == 0 && got == 0)) return w == got && std::signbit(w) == std::signbit(got) ? 0 : 1e9;
    int e = want == 0 || ilogb(want) < -126 ? -126 : ilogb(want);
    return fabs(got - want) / ldexp(1, e - 23);
}

int main()
{
    static const float corner[16] = { 0, -0.0f, 1, -1, INFINITY, -INFINITY, NAN, 0.5f, 2, 3, -2, -3, 1e-40f, -1e-40f, 3e38f, 1e10f };
    float *x, *y, *out;
    unsigned s = 1, bad = 0;
    auto next = [&] { return s ^= s << 13, s ^= s >> 17, s ^= s << 5; };
    cudaMallocManaged(&x, sizeof(float) * N), cudaMallocManaged(&y, sizeof(float) * N), cudaMallocManaged(&out, sizeof(float) * N);
    for (int k = 0; k < COUNT; k++) {
        const one &f = functions[k];
        for (int i = 0; i < N; i++) {
            bool any = i < N / 2;
            x[i] = i < 256 ? corner[i & 15] : any ? bits(next()) : (float)(f.from + (f.to - f.from) * next() / 4294967296.0);
            y[i] = i < 256 ? corner[i >> 4] : any ? bits(next()) : (float)(next() / 4294967296.0 * 100 - 50);
            // a result that there is, of a power
            if (any && i & 1 && x[i] > 0 && fabsf(log2f(x[i])) > 1e-6f) y[i] = next() / 4294967296.0f * 280 / log2f(x[i]);
        }
        compute<<<N / 256, 256>>>(k, x, y, out);
        if (cudaDeviceSynchronize()) return 2;
        double worst = 0;
        int at = 0;
        for (int i = 0; i < N; i++) {
            double e = error(out[i], exact(k, x[i], y[i]));
            if (e > worst) worst = e, at = i;
        }
        if (worst > f.most) bad++;
        printf("%-6s %.2f ulp at %.9g, %.9g; CUDA's %g\n", f.name, worst, x[at], y[at], f.most);
    }
    printf("single: %s\n", bad ? "FAIL" : "passed");
    return bad != 0;
}
