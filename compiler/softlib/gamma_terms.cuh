// Polynomials of gamma.cuh: Chebyshev fits in 50 digits, to 2^-55 of their values or better.
// SPDX-License-Identifier: Apache-2.0

// 1 / gamma(1 + t), -1/2 to 1/2.
TABLE const double gamma_inverse[1][18] = {
    { 0x1.0000000000000p+0, 0x1.2788cfc6fb619p-1, -0x1.4fcf4026afa2ep-1, -0x1.5815e8fa27048p-5,
      0x1.5512320b43fc6p-3, -0x1.59af103c34090p-5, -0x1.3b4af284850c8p-7, 0x1.d919c527f5d97p-8,
      -0x1.317112cd7a27ep-10, -0x1.c364fe6e95eafp-13, 0x1.0c8a78883068ap-13,
      -0x1.51ce8b226bb1bp-16, -0x1.4fac55cca0e60p-20, 0x1.30251d452a251p-20,
      -0x1.b9b5b65df228fp-23, 0x1.a3ff2ef43665cp-28, 0x1.5f9d2c01100f6p-28,
      -0x1.42325eabf5d31p-30 },
};
// log gamma(1 + t) / t there.
TABLE const double log_gamma_one[1][28] = {
    { -0x1.2788cfc6fb619p-1, 0x1.a51a6625307d3p-1, -0x1.9a4d55beab37cp-2, 0x1.151322ac7d8e9p-2,
      -0x1.a8b9c17a91284p-3, 0x1.5b40cb0ff7e2cp-3, -0x1.2703a1e53cd44p-3, 0x1.010b36b799ac3p-3,
      -0x1.c8066cfb76ec6p-4, 0x1.9a01e02e1bc0ep-4, -0x1.748ca0044fd2dp-4, 0x1.556b3fe9a66f6p-4,
      -0x1.3b14e848a2d53p-4, 0x1.248e72b0a7186p-4, -0x1.118acc50ec441p-4, 0x1.007509e47a025p-4,
      -0x1.d8fbcda10e84fp-5, 0x1.be79bd2aebac5p-5, -0x1.ea4aa627b4073p-5, 0x1.d2f7f4a6085fbp-5,
      -0x1.db7126487ed80p-7, 0x1.b4fc9a43dac9fp-7, -0x1.28eb1f4f52ce4p-3, 0x1.1ef5d11df4a3dp-3,
      0x1.3914b3aa0e424p-3, -0x1.3046d605c1822p-3, -0x1.cc35b376ce280p-3, 0x1.bdb3d7629dd5ep-3 },
};
// log gamma(x) / (x - 2) in x - 2.25, 1.5 to 3, and in x - 4, 3 to 5.
TABLE const double log_gamma_two[1][22] = {
    { 0x1.ff797bba88502p-2, 0x1.2b408cef4c80cp-2, -0x1.bcc9b6fbc7700p-5, 0x1.e14e96ffdd8a6p-7,
      -0x1.3191e510ff12dp-8, 0x1.a755204505626p-10, -0x1.356ab2260ffccp-11, 0x1.d4c16e8e8a0efp-13,
      -0x1.6c170f571cc98p-14, 0x1.2008644b1805bp-15, -0x1.ce1a2eb9c50f6p-17,
      0x1.76b87e1be810ep-18, -0x1.328aa36a90099p-19, 0x1.f904bd0616624p-21,
      -0x1.a15b23f60926fp-22, 0x1.5b818376fef7cp-23, -0x1.2be39e4d41f1dp-24,
      0x1.f7a59e980d3cep-26, -0x1.459e029de2675p-27, 0x1.1235a92d52032p-28,
      -0x1.077b57bbde6bcp-28, 0x1.c03347a0459cap-30 },
};
TABLE const double log_gamma_four[1][20] = {
    { 0x1.cab0bfa2a2002p-1, 0x1.70e236821a91fp-3, -0x1.38fee97c7ee69p-6, 0x1.79bc55e20d7a3p-9,
      -0x1.096c1ee172e15p-11, 0x1.96513ac063ec4p-14, -0x1.4871bfa960cdfp-16,
      0x1.13a98e300edd6p-18, -0x1.db80d69719342p-21, 0x1.a29a235ca0fb1p-23,
      -0x1.7667be7bb086cp-25, 0x1.531be30223bc0p-27, -0x1.363c85383d724p-29,
      0x1.1e38e1fc01972p-31, -0x1.0aab14cf1bd84p-33, 0x1.f263a9ade28dap-36,
      -0x1.bf192abb4b652p-38, 0x1.a564067a848ffp-40, -0x1.1629b56a41532p-41,
      0x1.088c83d0951bdp-43 },
};
