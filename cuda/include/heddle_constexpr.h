/* Functions of std::pair and std::tuple, and std::swap, for both sides: libstdc++ makes them
 * constexpr from C++20 on, and constexpr functions are of host
 * and device.  SPDX-License-Identifier: Apache-2.0 */
#ifndef HEDDLE_CONSTEXPR_H
#define HEDDLE_CONSTEXPR_H
#include <cstddef>
#if defined _GLIBCXX20_CONSTEXPR && __cplusplus >= 201402L
#pragma push_macro("_GLIBCXX20_CONSTEXPR")
#undef _GLIBCXX20_CONSTEXPR
#define _GLIBCXX20_CONSTEXPR constexpr
#include <utility>
#include <tuple>
#pragma pop_macro("_GLIBCXX20_CONSTEXPR")
#endif
#endif
