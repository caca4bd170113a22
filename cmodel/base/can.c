/* A build for the host can do everything; page/can.c is of another one.
 * SPDX-License-Identifier: Apache-2.0 */
#include "cmodel/base/can.h"

const struct can can = { .processes = true, .traced = true, .links = true };
