/* The program heddle-nvcc, which is `heddle nvcc`.
 * SPDX-License-Identifier: Apache-2.0 */
#include <signal.h>
#include "cmodel/base/scratch.h"
#include "cuda/nvcc/nvcc.h"

/* Files between two compilers go, and the caller sees why it ended. */
static void ends(int sig)
{
    scratch_remove_all();
    signal(sig, SIG_DFL);
    raise(sig);
}

int main(int argc, char **argv)
{
    static const int signals[] = { SIGINT, SIGTERM, SIGHUP };
    for (unsigned k = 0; k < sizeof signals / sizeof signals[0]; k++)
        if (signal(signals[k], SIG_IGN) != SIG_IGN)
            signal(signals[k], ends);
    return nvcc_main(argc, argv);
}
