/* Mathematics that CUDA lets host code call, and libm does not have.
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef HEDDLE_HOST_MATH_H
#define HEDDLE_HOST_MATH_H
static inline float rsqrtf(float x) { return 1 / ::sqrtf(x); }
static inline double rsqrt(double x) { return 1 / ::sqrt(x); }
static inline float rcbrtf(float x) { return 1 / ::cbrtf(x); }
static inline double rcbrt(double x) { return 1 / ::cbrt(x); }
static inline double sinpi(double x) { return ::sin(x * M_PI); }
static inline double cospi(double x) { return ::cos(x * M_PI); }
static inline float sinpif(float x) { return (float)::sin(x * M_PI); }
static inline float cospif(float x) { return (float)::cos(x * M_PI); }
static inline float min(float a, float b) { return ::fminf(a, b); }
static inline float max(float a, float b) { return ::fmaxf(a, b); }
static inline double min(double a, double b) { return ::fmin(a, b); }
static inline double max(double a, double b) { return ::fmax(a, b); }
static inline float min(float a, double b) { return (float)::fmin(a, b); }
static inline float max(float a, double b) { return (float)::fmax(a, b); }
#endif
