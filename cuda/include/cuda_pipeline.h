/* SPDX-License-Identifier: Apache-2.0 */
#include "cuda_pipeline_primitives.h"
