/* What a page cannot do.  SPDX-License-Identifier: Apache-2.0 */
#include "cmodel/base/can.h"

const struct can can = { .processes = false, .traced = false, .links = false };
