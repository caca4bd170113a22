/* Programs include it for cuFFT itself; of its own calls there are none.
 * SPDX-License-Identifier: Apache-2.0 */
#include "cufft.h"
