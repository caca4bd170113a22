/* RSBench: cross sections of a nuclide by the multipole method, f32.
 * SPDX-License-Identifier: Apache-2.0
 *
 * Tramm, Siegel, Forget, Josey: Performance Analysis of a Reduced Data Movement Algorithm for
 * Neutron Cross Section Data in Monte Carlo Simulations (2014): a nuclide has windows in energy,
 * each with a fit and some poles; a pole adds Re(residue * c), c = 1 / (pole - sqrt E) / E, turned
 * by a phase that depends on its angular momentum. */
#ifndef PAPER_A_RSBENCH_H
#define PAPER_A_RSBENCH_H
#include "materials.h"

enum { RS_MOMENTA = 4 };
/* fit, and poles of the nuclide */
struct rs_window { float total, absorbed, fission; int first, end; };
struct rs_pole { float ea_re, ea_im, t_re, t_im, a_re, a_im, f_re, f_im; int momentum; };
struct rs_xs { float total, elastic, absorbed, fission; };
struct rs_phase { float re, im; };

/* exp(-2 i phi) of angular momentum l: phi is k R less the hard sphere's phase shift. */
PA_FN struct rs_phase rs_phase(float k0r, float root, int l)
{
    float kr = k0r * root, phi = kr;
    if (l == 1)
        phi = fmaf(k0r, root, pa_atan(kr));
    else if (l == 2)
        phi = fmaf(k0r, root, -pa_atan(3.0f * kr / fmaf(-kr, kr, 3.0f)));
    else if (l == 3)
        phi = fmaf(k0r, root, -pa_atan(kr * fmaf(-kr, kr, 15.0f) / fmaf(-6.0f * kr, kr, 15.0f)));
    struct rs_phase e;
    pa_sincos(-2.0f * phi, &e.im, &e.re);
    return e;
}

/* Adds what one pole contributes at energy e. */
PA_FN void rs_pole_add(struct rs_xs *x, const struct rs_pole *p, struct rs_phase phase, float e,
                       float root)
{
    float re = p->ea_re - root, im = p->ea_im, norm = 1.0f / (fmaf(re, re, im * im) * e);
    float c_re = re * norm, c_im = -im * norm;       /* 1 / (pole - root) / e */
    float t_re = fmaf(p->t_re, c_re, -(p->t_im * c_im)), t_im = fmaf(p->t_re, c_im, p->t_im * c_re);
    x->total += fmaf(t_re, phase.re, -(t_im * phase.im));
    x->absorbed += fmaf(p->a_re, c_re, -(p->a_im * c_im));
    x->fission += fmaf(p->f_re, c_re, -(p->f_im * c_im));
}
#endif
