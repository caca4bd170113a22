/* SPDX-License-Identifier: Apache-2.0 */
#include "helper_cuda.h"
#include "helper_string.h"
#include "helper_timer.h"
