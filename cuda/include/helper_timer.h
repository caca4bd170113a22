/* What the samples' helper_timer.h is used for: a stopwatch of milliseconds.
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef HEDDLE_HELPER_TIMER_H
#define HEDDLE_HELPER_TIMER_H
#include <chrono>
struct StopWatchInterface {
    std::chrono::steady_clock::time_point begin;
    double total;
    int runs;
    bool running;
};
static inline bool sdkCreateTimer(StopWatchInterface **t)
{
    *t = new StopWatchInterface();
    return true;
}
static inline bool sdkDeleteTimer(StopWatchInterface **t) { delete *t; *t = nullptr; return true; }
static inline bool sdkStartTimer(StopWatchInterface **t)
{
    (*t)->begin = std::chrono::steady_clock::now();
    (*t)->running = true;
    return true;
}
static inline double heddle_since(const StopWatchInterface *t)
{
    return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - t->begin)
        .count();
}
static inline bool sdkStopTimer(StopWatchInterface **t)
{
    (*t)->total += heddle_since(*t);
    (*t)->runs++;
    (*t)->running = false;
    return true;
}
static inline bool sdkResetTimer(StopWatchInterface **t)
{
    (*t)->total = 0;
    (*t)->runs = 0;
    (*t)->begin = std::chrono::steady_clock::now();
    return true;
}
static inline float sdkGetTimerValue(StopWatchInterface **t)
{
    return (float)((*t)->total + ((*t)->running ? heddle_since(*t) : 0));
}
static inline float sdkGetAverageTimerValue(StopWatchInterface **t)
{
    return (*t)->runs ? (float)((*t)->total / (*t)->runs) : 0.0f;
}
#endif
