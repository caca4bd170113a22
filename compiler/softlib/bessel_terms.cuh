// What bessel.cuh and gamma.cuh evaluate: pieces of J0, J1, Y0 and Y1 up to 8, amplitudes beyond, and
// the gamma function's polynomials.  Chebyshev fits in 50 digits, to 2^-55 of their values or better; what
// begins at 0 is Taylor's series.
// SPDX-License-Identifier: Apache-2.0

// Up to `to` a polynomial in x - at - rest; times that, where it is a zero.
#define PIECE_TERMS 17
struct piece { double to, at, rest; s32 zero; double c[PIECE_TERMS]; };
TABLE const struct piece bessel_pieces[] = {
    // J0, from 1.25 on
    { 0x1.d99999999999ap+0, 0x1.8cccccccccccdp+0, 0.0, 0, {
        0x1.ef5ff13b2d498p-2, -0x1.20fc3e6dcefffp-1, -0x1.e9f640a56ffd4p-5, 0x1.159e14e99cbbep-4,
        0x1.4c1f12c93e404p-9, -0x1.6ab8cffbdf739p-9, -0x1.c6e1cfff4edadp-15,
        0x1.ddc1df8b9256dp-15, 0x1.776b385e37373p-21, -0x1.7b1a54395f1fcp-21,
        -0x1.9ddac5ed7d8c8p-28, 0x1.9207496ad9373p-28, 0x1.4610b4bd14cc9p-35,
        -0x1.30f90052b4977p-35, -0x1.8154c063ef5e0p-43, 0x1.5ae64ddd8d003p-43,
        0x1.61a730abb1659p-51 } },
    { 0x1.799999999999ap+1, 0x1.33d152e971b40p+1, -0x1.0f539d7da258ep-53, 1, {
        -0x1.09cdb36551280p-1, 0x1.ba1deea029494p-4, 0x1.cfae864368d70p-5, -0x1.1bb1cbe1a4071p-7,
        -0x1.1f992590d12bdp-9, 0x1.15382ba06cc47p-12, 0x1.6ed3b9f07eb29p-15,
        -0x1.232c77d228a75p-18, -0x1.1cce302821924p-21, 0x1.7ff99166ab9fcp-25,
        0x1.2951bd4758e9ap-28, -0x1.5c2c386c67078p-32, -0x1.bdc46981d4163p-36,
        0x1.cd40d47177714p-40, 0x1.f70c5329be208p-44, -0x1.d0526bd4dc89ep-48,
        -0x1.baf7458637e0ep-52 } },
    { 0x1.f333333333333p+1, 0x1.b666666666666p+1, 0.0, 0, {
        -0x1.797e4aa116fc8p-2, -0x1.59ade332fbab5p-3, 0x1.abf51b7257c16p-3, 0x1.61a5de68fe506p-8,
        -0x1.dac26f665f766p-7, 0x1.0b9b16bfdebc7p-14, 0x1.b3102b1204b3cp-12,
        -0x1.3709c15d42a11p-18, -0x1.b813948a80ea9p-18, 0x1.67bfc97f392f7p-24,
        0x1.1afd51a864112p-24, -0x1.d029bb2e753f0p-31, -0x1.f813e7ce9884ep-32,
        0x1.8dd7f701fc8c0p-38, 0x1.496a136249839p-39, -0x1.eb021dfe5d01bp-46,
        -0x1.4875adbdb1e29p-47 } },
    { 0x1.3cccccccccccdp+2, 0x1.1b33333333333p+2, 0.0, 0, {
        -0x1.592f91ef678d8p-2, 0x1.ae47ee041dee7p-3, 0x1.2891063a25fa8p-3, -0x1.6990a3c6823cfp-5,
        -0x1.17f1d84f2e163p-7, 0x1.153b51e79486cp-9, 0x1.cb1ef04460b59p-13,
        -0x1.889288d8e7af3p-15, -0x1.ac4b9057b3662p-19, 0x1.442f309519a8ap-21,
        0x1.02fe82a179b20p-25, -0x1.60640b7aa0f36p-28, -0x1.b7a26730cd3e1p-33,
        0x1.0fc877a42ec8ep-35, 0x1.1461d1c7bc731p-40, -0x1.37f1b9f7fe46ap-43,
        -0x1.0acdecfd88476p-48 } },
    { 0x1.8666666666666p+2, 0x1.6148f5b2c2e45p+2, 0x1.75054cd60a517p-54, 1, {
        0x1.5c6e60a097823p-2, -0x1.f8f72e7a848e0p-6, -0x1.b2150cb41e8c1p-5, 0x1.2f7ffe90256bbp-8,
        0x1.27e31fe9a9779p-9, -0x1.6f641f41956f7p-13, -0x1.863f481a43036p-15,
        0x1.ad77d748a0629p-19, 0x1.32e6d99c6ae0ep-21, -0x1.2da37e3827410p-25,
        -0x1.41d72d933e2b4p-28, 0x1.1d0433892e1edp-32, 0x1.e2f337391654ep-36,
        -0x1.8497f97229b71p-40, -0x1.1045e5505fdafp-43, 0x1.8f54094e007eep-48,
        0x1.dade2f968f1c1p-52 } },
    { 0x1.c333333333333p+2, 0x1.a4cccccccccccp+2, 0.0, 0, {
        0x1.1553ce5d508ddp-2, 0x1.0ee89d775bfd8p-3, -0x1.29edc4ecb7ea2p-3, -0x1.d00bd5a55f055p-7,
        0x1.8b3bfac943b5dp-7, 0x1.6b9c8803efd93p-12, -0x1.8862c5009e96fp-12,
        -0x1.a6e3f9972cb59p-19, 0x1.9d60ab51c3fd7p-18, 0x1.94bc1670a1b2ep-30,
        -0x1.0ff456ce821fep-24, 0x1.ede934e51f649p-33, 0x1.eb21b4fd54c47p-32,
        -0x1.5439e422a9a4bp-39, -0x1.43c692f5c7cadp-39, 0x1.05869a2dfff6bp-46,
        0x1.44b62d4f8a825p-47 } },
    { 0x1.0000000000000p+3, 0x1.e19999999999ap+2, 0.0, 0, {
        0x1.0d30c08b41e08p-2, -0x1.21983ed5136ebp-3, -0x1.f3e582f1b1a67p-4, 0x1.d3e1f166f5421p-6,
        0x1.234fa9a9926a1p-7, -0x1.997c33c2bd0d9p-10, -0x1.05fcd3bd847e1p-12,
        0x1.3ac34973f5d6bp-15, 0x1.febf3da0a0ad3p-19, -0x1.1189f4a07d812p-21,
        -0x1.3bab257cd5637p-25, 0x1.33774dcb3e314p-28, 0x1.0ed1e0ab85271p-32,
        -0x1.e55f5e0201d18p-36, -0x1.562dbf750eb93p-40, 0x1.1b6e42b09f865p-43,
        0x1.4b122c49edf99p-48 } },
    // J1, from 1.25 on
    { 0x1.199999999999ap+1, 0x1.b99999999999ap+0, 0.0, 0, {
        0x1.287e6bf9ad32dp-1, 0x1.87bce7058b342p-5, -0x1.a617beb69ed37p-3, -0x1.9c211290fa7dap-12,
        0x1.c8b5901056e9dp-7, -0x1.8e2eeb304118ap-14, -0x1.a37e75672663ep-12,
        0x1.beaeb460f1478p-19, 0x1.aae463c6ee715p-18, -0x1.c3ed370f7694fp-25,
        -0x1.14272f1a9853fp-24, 0x1.1478eb8888accp-31, 0x1.ee7960f3d6183p-32,
        -0x1.cd47c527b4271p-39, -0x1.4493a08c1b5cbp-39, 0x1.1833982db1b17p-46,
        0x1.44dab154e4299p-47 } },
    { 0x1.a666666666666p+1, 0x1.6000000000000p+1, 0.0, 0, {
        0x1.b4321558d2f04p-2, -0x1.46b289f8ff62cp-2, -0x1.03b7c2bb869bbp-3, 0x1.8663ed0e6308bp-5,
        0x1.fb4ad7874cd38p-8, -0x1.164bc8f72db89p-9, -0x1.b42d1c3b0f6fap-13,
        0x1.7fe015a95ddbfp-15, 0x1.a7eee6acdc79ap-19, -0x1.3958147eed2d6p-21,
        -0x1.0922d4d769e52p-25, 0x1.52aa0f6445da1p-28, 0x1.cea5926c7d9f8p-33,
        -0x1.046ae76da5d5bp-35, -0x1.298f4c86834c2p-40, 0x1.2a4ed6cc573d8p-43,
        0x1.24aaf894e77fep-48 } },
    { 0x1.199999999999ap+2, 0x1.ea75575af6f09p+1, -0x1.60155a9d1b256p-53, 1, {
        -0x1.9c6cf582cbf7fp-2, 0x1.ae8a39f51ad04p-5, 0x1.b589d1da13905p-5, -0x1.537544c331da7p-8,
        -0x1.24b3409959064p-9, 0x1.6e4c2d5354224p-13, 0x1.83a06e30c4108p-15,
        -0x1.9799d4c9f24eep-19, -0x1.33825cd2e291ep-21, 0x1.17069233d940ap-25,
        0x1.4569b22a425b4p-28, -0x1.03b9e9328045fp-32, -0x1.ec622de173722p-36,
        0x1.5ec7958cca796p-40, 0x1.17a064e068a0cp-43, -0x1.66635e1ddd1e0p-48,
        -0x1.e70f456e97361p-52 } },
    { 0x1.599999999999ap+2, 0x1.399999999999ap+2, 0.0, 0, {
        -0x1.423f51e0f1616p-2, -0x1.2a03baab3aca4p-3, 0x1.533c5118b4ec4p-3, 0x1.847cfb0015cc8p-7,
        -0x1.99f577bbb91cap-7, -0x1.3368d1a9df2c0p-12, 0x1.8a50a381590a0p-12,
        0x1.ab98f8779f5d4p-19, -0x1.9aa1188dac38cp-18, -0x1.d5ab3038d8a3fp-27,
        0x1.0d1416692a79bp-24, -0x1.a4728881ef7f7p-35, -0x1.e59030ba1fff8p-32,
        0x1.1fb72fca58f5ep-40, 0x1.404e5748713dep-39, -0x1.00a5ab696d3d8p-47,
        -0x1.4186a660e1768p-47 } },
    { 0x1.9cccccccccccdp+2, 0x1.7b33333333334p+2, 0.0, 0, {
        -0x1.29bd451917834p-2, 0x1.6d6d45ffca1efp-3, 0x1.026b9e4613907p-3, -0x1.1c13457d87929p-5,
        -0x1.14216ce4f9109p-7, 0x1.c72be4f1baa5fp-10, 0x1.e5ea9cbc76b06p-13,
        -0x1.4df703152f161p-15, -0x1.d8ec73b75c3a9p-19, 0x1.1ae10caea7a06p-21,
        0x1.25e29df66ac62p-25, -0x1.392d76e920f6ap-28, -0x1.fc2c942d6ac0ep-33,
        0x1.e9b3d5c0f54fep-36, 0x1.43aeed799a240p-40, -0x1.1bf779d4132fap-43,
        -0x1.3b798bb8ee451p-48 } },
    { 0x1.e000000000000p+2, 0x1.c0ff5f3b47250p+2, -0x1.b226d9d243827p-54, 1, {
        0x1.33518b3874e8ap-2, -0x1.5e70dc60362bfp-6, -0x1.80c83bdeee5b0p-5, 0x1.9a4b292e3de42p-9,
        0x1.13fbc7d698217p-9, -0x1.07358bbdbff91p-13, -0x1.796a751f89052p-15,
        0x1.4255b015adebep-19, 0x1.3026e0ce97dd9p-21, -0x1.d48dcdae8929bp-26,
        -0x1.44639d7fc4d92p-28, 0x1.c62ccb20d8030p-33, 0x1.ecae96ffbbaffp-36,
        -0x1.3bb62587249dep-40, -0x1.1843edbfd7764p-43, 0x1.49e3123fb58fdp-48,
        0x1.f96f771555fc2p-52 } },
    { 0x1.0000000000000p+3, 0x1.f000000000000p+2, 0.0, 0, {
        0x1.8866f09a3faa0p-3, 0x1.9aa5978744dd2p-3, -0x1.b6db068ac428fp-4, -0x1.c80b08eee330ap-6,
        0x1.3049195e7a155p-7, 0x1.2456fc1f3ef9cp-10, -0x1.3e89ca02c5f6bp-12,
        -0x1.6a3305d0a81e8p-16, 0x1.5dce2269e0745p-18, 0x1.0bd7a0c84297bp-22,
        -0x1.dae068683eaaep-25, -0x1.0901a2f22aafbp-29, 0x1.b720793d5278fp-32,
        0x1.78d152ff57aa8p-37, -0x1.26e66efa16077p-39, -0x1.9411197c9e543p-45,
        0x1.2cc58c554ad0dp-47 } },
    // Y0, from 0.5 on
    { 0x1.6666666666666p-1, 0x1.3333333333333p-1, 0.0, 0, {
        -0x1.3bea02ea8f054p-2, 0x1.42a901e049cb8p+0, -0x1.cac9d7bb2c91fp-1, 0x1.be16a85eacdafp-1,
        -0x1.3080c79d30e1dp+0, 0x1.9df7d1106f956p+0, -0x1.209932540c1d0p+1, 0x1.9d65a1f9ec467p+1,
        -0x1.2df04c2ded5d8p+2, 0x1.bfc91094aabbdp+2, -0x1.5013523b39a96p+3, 0x1.fd82f94bda402p+3,
        -0x1.855a1b836956ep+4, 0x1.2a1ebd51d3414p+5, -0x1.cd6f193b134f7p+5, 0x1.90bd6f747fc25p+6,
        -0x1.395c83f6bf392p+7 } },
    { 0x1.199999999999ap+0, 0x1.c982eb8d417eap-1, 0x1.ea9d270347f83p-56, 1, {
        0x1.c24371844b88ap-1, -0x1.f7e38a46d70fap-2, 0x1.c3b1338af400dp-3, -0x1.cf18e6a4b8157p-3,
        0x1.c068086bf690dp-3, -0x1.a396a7ff44456p-3, 0x1.9424b95a242c6p-3, -0x1.8d35b87fe8e38p-3,
        0x1.8c08c04e1c091p-3, -0x1.8f7cde04b4b64p-3, 0x1.96e1ca6c5b4c7p-3, -0x1.a1f76b7da5bbcp-3,
        0x1.af741b87c6d8dp-3, -0x1.b9f04f25d8277p-3, 0x1.d73f20de5ba91p-3, -0x1.27f214b68a15ep-2,
        0x1.17d46dc4542b8p-2 } },
    { 0x1.999999999999ap+0, 0x1.599999999999ap+0, 0.0, 0, {
        0x1.4098a03bf8befp-2, 0x1.06e6dc954f279p-1, -0x1.630a48d86fe51p-2, 0x1.80eb0c3856dbap-5,
        -0x1.d99cb580ff7f1p-6, 0x1.c48fb89506677p-6, -0x1.1a94833f8c231p-6, 0x1.61fcbdb0c93a7p-7,
        -0x1.cea21580200a4p-8, 0x1.3268c7e35a1d7p-8, -0x1.99eb38ce8257dp-9, 0x1.14c1aa276c362p-9,
        -0x1.7882f536ea2b0p-10, 0x1.ffa268feb14f3p-11, -0x1.603cee8dc3545p-11,
        0x1.17c7e7641ad91p-11, -0x1.85341dcc5d063p-12 } },
    { 0x1.2666666666666p+1, 0x1.f333333333333p+0, 0.0, 0, {
        0x1.0235942e057b2p-1, 0x1.15746fb241ddbp-3, -0x1.25c7c9e269d2ap-2, 0x1.096ce74c73956p-5,
        0x1.72b5c096e400ep-8, 0x1.bfb0977d9316cp-9, -0x1.20a12130467abp-9, 0x1.aca1d6bc0a2a3p-11,
        -0x1.783c23f093f25p-12, 0x1.6015ae317b836p-13, -0x1.47d185d99803ap-14,
        0x1.32f0918ca9bf3p-15, -0x1.219615c07b95cp-16, 0x1.1111d0cc81c54p-17,
        -0x1.0496b79fba791p-18, 0x1.1c561a7d002f8p-19, -0x1.1200a296019ecp-20 } },
    { 0x1.a666666666666p+1, 0x1.6666666666666p+1, 0.0, 0, {
        0x1.be60c29880f37p-2, -0x1.0dded7fab26c8p-2, -0x1.5dfee32caef14p-3, 0x1.e0987717d109bp-5,
        0x1.a1835b8329763p-8, -0x1.be1ee55d61b82p-10, -0x1.a7e9e8bba7778p-12,
        0x1.cdcf8c00b9053p-14, -0x1.120e1d49ed846p-16, 0x1.7bf4ea0db2bf2p-18,
        -0x1.168a3eb1ab82ep-19, 0x1.6aa4012c48a27p-21, -0x1.da05fbcd98fc7p-23,
        0x1.38462d5475799p-24, -0x1.a01fc91142b65p-26, 0x1.3c6239d84a4e9p-27,
        -0x1.a933746b22c3ap-29 } },
    { 0x1.2000000000000p+2, 0x1.fa9534d98569cp+1, -0x1.f06ae7804384ep-54, 1, {
        -0x1.9c34256a12a0cp-2, 0x1.a09c9290367efp-5, 0x1.df6d59bf50ebdp-5, -0x1.c116fdc598096p-8,
        -0x1.1e32bc4ef89bap-9, 0x1.9982765165fe9p-13, 0x1.ab2c1feca72dap-15,
        -0x1.486371e69ef2ap-18, -0x1.3b2166ec88026p-22, -0x1.7770545387efdp-26,
        0x1.452e0c961d22bp-26, -0x1.f6953b9881349p-29, 0x1.a5e9e61e86f58p-31,
        -0x1.98bb7a56d9768p-33, 0x1.7f49e4644ad5dp-35, -0x1.8c1aaa5d5f80ap-37,
        0x1.ee7a734eca530p-39 } },
    { 0x1.6000000000000p+2, 0x1.4000000000000p+2, 0.0, 0, {
        -0x1.3bec0b5abc9abp-2, -0x1.2ed2df29314fbp-3, 0x1.5a3454dedb22bp-3, 0x1.95f1aa26681e9p-7,
        -0x1.b9be97b4fbfb7p-7, -0x1.40b0bbc14487cp-13, 0x1.9b51235ae1d3ap-12,
        0x1.3d4b279289065p-21, -0x1.b85df253f48cap-18, 0x1.27451d3bba58bp-24,
        0x1.fcb890fbbeab4p-25, 0x1.27d1e3859d6c0p-31, -0x1.6626962ba60cap-31,
        0x1.67860f23cae6cp-35, -0x1.43de2833b8fccp-38, 0x1.78330ab9b2451p-40,
        -0x1.2afed3699590ap-42 } },
    { 0x1.a000000000000p+2, 0x1.8000000000000p+2, 0.0, 0, {
        -0x1.271c81da53e77p-2, 0x1.666bd2c9daf3ep-3, 0x1.093e304981a87p-3, -0x1.2340be04f1d67p-5,
        -0x1.1fae10370f480p-7, 0x1.e9effcc108f04p-10, 0x1.e3918f787faeap-13,
        -0x1.655d4319e6c04p-15, -0x1.d15f02736cb5dp-19, 0x1.32df9c399c062p-21,
        0x1.101a540062f09p-25, -0x1.45e543e41fea1p-28, -0x1.04c14e6f262cbp-32,
        0x1.22a29599c457ap-35, 0x1.2bacc924350b3p-41, -0x1.baf4eb5dc196ap-45,
        -0x1.3956567e82035p-46 } },
    { 0x1.e666666666666p+2, 0x1.c581dc4e72103p+2, -0x1.9774a495f56cfp-54, 1, {
        0x1.334cca0697a5bp-2, -0x1.5aef611fc4d57p-6, -0x1.8969c64cbf452p-5, 0x1.b2f14a95527cbp-9,
        0x1.1d35e85fde2a3p-9, -0x1.26dd71e391c8bp-13, -0x1.8177e4fe52327p-15,
        0x1.6a9227352f8f9p-19, 0x1.34aa7573efbe0p-21, -0x1.0a2814d796bb8p-25,
        -0x1.442a3d35f5cc0p-28, 0x1.fa6c4ffdc78d8p-33, 0x1.f14e60f57f2dcp-36,
        -0x1.714af55854c62p-40, -0x1.0686ef3fb03eap-43, 0x1.30c9289c53a43p-48,
        0x1.45510c638826ep-51 } },
    { 0x1.0000000000000p+3, 0x1.f333333333333p+2, 0.0, 0, {
        0x1.7f70f5d24c841p-3, 0x1.a18e82456772ep-3, -0x1.b4f9626b9b6b6p-4, -0x1.d8e51657528f7p-6,
        0x1.36e155ee94d96p-7, 0x1.2e819297ed6bcp-10, -0x1.4b8afd3908c91p-12,
        -0x1.6be5e8d8885cfp-16, 0x1.6ce69c85512e2p-18, 0x1.06a435a20e004p-22,
        -0x1.f0004c9dedf35p-25, -0x1.f7590e3f9717ap-30, 0x1.c85fd9cfc01c1p-32,
        0x1.625d2429719a1p-37, -0x1.342bdcc5b4d00p-39, -0x1.622a7f1dd6021p-45,
        0x1.3114280c6c269p-47 } },
    // Y1, from 0.5 on
    { 0x1.6666666666666p-1, 0x1.3333333333333p-1, 0.0, 0, {
        -0x1.42a901e049cb8p+0, 0x1.cac9d7bb2c91ep+0, -0x1.4e90fe4701974p+1, 0x1.3080c79d31121p+2,
        -0x1.02bae2aa635a6p+3, 0x1.b0e5cb7da100bp+3, -0x1.69b8ed87b0e8fp+4, 0x1.2df04c67ddadfp+5,
        -0x1.f7c25d66b75adp+5, 0x1.a41808974f64bp+6, -0x1.5e406250d39e9p+7, 0x1.2407c3f2bdd4ap+8,
        -0x1.e6d963b93a7bap+8, 0x1.932ae89663c3ap+9, -0x1.500743f7344fap+10,
        0x1.3d8e97ad6b0d6p+11, -0x1.08a8778f4d777p+12 } },
    { 0x1.0000000000000p+0, 0x1.b333333333333p-1, 0.0, 0, {
        -0x1.d8e7b7f0fdff0p-1, 0x1.0c1ff5572a010p+0, -0x1.9642272bdb8cep-1, 0x1.1f03ba602c7dcp+0,
        -0x1.682ab8b178462p+0, 0x1.a94e84f308b9cp+0, -0x1.f66cb3f8946c5p+0, 0x1.2888b14dbd118p+1,
        -0x1.5d96f251729bcp+1, 0x1.9bda5aaa147eap+1, -0x1.e5026433b7c4fp+1, 0x1.1d92acb51f36dp+2,
        -0x1.502660e8df020p+2, 0x1.885ec600bd8cdp+2, -0x1.cdc3a783a0423p+2, 0x1.39293f1da6462p+3,
        -0x1.70801b1be8e04p+3 } },
    { 0x1.599999999999ap+0, 0x1.2cccccccccccdp+0, 0.0, 0, {
        -0x1.47a33f59e7f2bp-1, 0x1.838c843a0ffc8p-1, -0x1.df012cb1e5064p-3, 0x1.048ae120eaad4p-2,
        -0x1.1c3caae422099p-2, 0x1.e4ee5270f5eaep-3, -0x1.9c3c7aab2331cp-3, 0x1.611dd06c18f3ep-3,
        -0x1.2dc2e8071cb89p-3, 0x1.017b7ed511f18p-3, -0x1.b71342469457ep-4, 0x1.76380b6992609p-4,
        -0x1.3ecf62f00f3b7p-4, 0x1.0e728b1109ceep-4, -0x1.cc9fa496d70ffp-5, 0x1.b112bc4bfbecep-5,
        -0x1.70b7eebb0ebe0p-5 } },
    { 0x1.ccccccccccccdp+0, 0x1.9333333333334p+0, 0.0, 0, {
        -0x1.744de1d5c63c9p-2, 0x1.48e62c5a1eb1ep-1, -0x1.86dc4efd5a99ep-4, 0x1.f33ef3e30d286p-6,
        -0x1.feff3ba08bccdp-5, 0x1.590cd4b43d298p-5, -0x1.a14ccb7f779c2p-6, 0x1.0b0f9cb9e1e04p-6,
        -0x1.567a656a9a971p-7, 0x1.b4e0d0a3cbacap-8, -0x1.16401f28dcf43p-8, 0x1.623301ca7233dp-9,
        -0x1.c297526ebaa42p-10, 0x1.1d84d3cddaa07p-10, -0x1.6af7480cb9bb4p-11,
        0x1.f931c5212e506p-12, -0x1.40fc1a870750cp-12 } },
    { 0x1.4cccccccccccdp+1, 0x1.193bed4dff243p+1, -0x1.bd1e50d219bfdp-55, 1, {
        0x1.0aa48442f014bp-1, -0x1.e56f82217b8f0p-4, -0x1.0d2af4e93237ep-5, -0x1.3a6dec372b2d0p-8,
        0x1.e671c7d117bc3p-8, -0x1.5429dc58cf63ep-9, 0x1.17ab4afbb817bp-10,
        -0x1.0b2d8862fdf00p-11, 0x1.eea7bb6ed1b76p-13, -0x1.c3fa4e5f59955p-14,
        0x1.9d1733cd74402p-15, -0x1.7972240ca3f38p-16, 0x1.587101f1e0a8fp-17,
        -0x1.374b6ebdf64c7p-18, 0x1.1cbcea19ffe9ap-19, -0x1.2d0e43583f0d3p-20,
        0x1.0c672ca0572a9p-21 } },
    { 0x1.d99999999999ap+1, 0x1.9333333333334p+1, 0.0, 0, {
        0x1.7150b2754f1d6p-2, 0x1.afd052b999586p-3, -0x1.90a319d5b375fp-3, -0x1.6f1cc8a449ca7p-7,
        0x1.788f194d06de5p-7, 0x1.13d41a6318e82p-10, -0x1.2a43d2312ec8cp-11,
        0x1.ae7920b67c937p-15, -0x1.b74396187c631p-17, 0x1.a772450fa6725p-18,
        -0x1.14a9e2dbec29ep-19, 0x1.57236ccced429p-21, -0x1.b60b364a48034p-23,
        0x1.15f2bfc2edf22p-24, -0x1.62706628c9c3fp-26, 0x1.0391cce2919abp-27,
        -0x1.4a7c674aac06cp-29 } },
    { 0x1.3666666666666p+2, 0x1.119999999999ap+2, 0.0, 0, {
        0x1.6a0e7cc04d198p-2, -0x1.a0d3164166c9bp-3, -0x1.257e89239e925p-3, 0x1.46a73ed77865fp-5,
        0x1.18b0da4d169b3p-7, -0x1.ce1201f9be231p-10, -0x1.1293e5a9296bdp-12,
        0x1.81a30f39da1f6p-15, 0x1.5135effacedaep-19, -0x1.10a4a3ea63f79p-22,
        -0x1.ba1ecb3bb926ap-24, 0x1.5f5d18d98a9ffp-26, -0x1.e2506b14622bcp-29,
        0x1.d67a6fed3df84p-31, -0x1.cc6ddb64ac52ap-33, 0x1.d41aa40d54b00p-35,
        -0x1.b6dcd19fb997dp-37 } },
    { 0x1.8000000000000p+2, 0x1.5b7fe4e87b02ep+2, 0x1.dfe7bac228e8cp-52, 1, {
        -0x1.5c7c556f0c19ap-2, 0x1.00b9f8571ca1fp-5, 0x1.a15d92dfe3e27p-5, -0x1.10a329e2c23fap-8,
        -0x1.1be6db9923acfp-9, 0x1.337c7e138f4bfp-13, 0x1.85b940eb6073ap-15,
        -0x1.80619147c8f21p-19, -0x1.255e6cf6e219fp-21, 0x1.b62cd077863eep-26,
        0x1.80b1aa166c694p-28, -0x1.a7ee824c1ae4dp-32, 0x1.407df53585067p-39,
        -0x1.37e2606e18c9cp-38, 0x1.49034013b5ea1p-40, -0x1.d5b0095858a14p-43,
        0x1.5550aca4b1b88p-45 } },
    { 0x1.c000000000000p+2, 0x1.a000000000000p+2, 0.0, 0, {
        -0x1.18ab620718a46p-2, -0x1.0c70cfd87bc18p-3, 0x1.26acf98ab4837p-3, 0x1.c31271fe1202ap-7,
        -0x1.7bb3112dd3f0dp-7, -0x1.8fd9c47ed6496p-12, 0x1.76002b8cff57cp-12,
        0x1.58f53e95a62fap-18, -0x1.8e7aa9216d51dp-18, -0x1.f03fd2fec9919p-26,
        0x1.03fe3b330121dp-24, 0x1.8529c3f2e80ddp-33, -0x1.ed725e8e2601ap-32,
        0x1.87b9467a8a4e8p-39, 0x1.07f6d7ab3fa90p-39, 0x1.e493eb6759b1ep-45,
        -0x1.43beb8dcef14ap-46 } },
    { 0x1.0000000000000p+3, 0x1.e000000000000p+2, 0.0, 0, {
        -0x1.0958fbf7ff0a3p-2, 0x1.3704580e577e1p-3, 0x1.dfcaab7c9649dp-4, -0x1.e1e2f5de1ad38p-6,
        -0x1.124bbfb5412b7p-7, 0x1.9524b4beeb4f2p-10, 0x1.efafbfe8e1afcp-13,
        -0x1.318b02e08e732p-15, -0x1.eae0b1ad37688p-19, 0x1.08d532805c225p-21,
        0x1.318d518c47456p-25, -0x1.2799b8d862fc0p-28, -0x1.0c51fd1442780p-32,
        0x1.da07f725c8d15p-36, 0x1.4713f6dc464dfp-40, -0x1.04cc145640654p-43,
        -0x1.826f422f15db2p-48 } },
};
// Where each function's pieces begin: J0, J1, Y0, Y1.
enum { PIECES_J0 = 0, PIECES_J1 = 7, PIECES_Y0 = 14, PIECES_Y1 = 24 };

// J0 and J1 / x in x^2.
TABLE const double bessel_j_start[2][12] = {
    { 0x1.0000000000000p+0, -0x1.0000000000000p-2, 0x1.0000000000000p-6, -0x1.c71c71c71c71cp-12,
      0x1.c71c71c71c71cp-18, -0x1.23456789abcdfp-24, 0x1.02e85c0898b71p-31,
      -0x1.522a43f65486ap-39, 0x1.522a43f65486ap-47, -0x1.0b313289be0b9p-55,
      0x1.5601885e63e5dp-64, -0x1.69ca9cf3b7f54p-73 },
    { 0x1.0000000000000p-1, -0x1.0000000000000p-4, 0x1.5555555555555p-9, -0x1.c71c71c71c71cp-15,
      0x1.6c16c16c16c17p-21, -0x1.845c8a0ce5129p-28, 0x1.27e4fb7789f5cp-35,
      -0x1.522a43f65486ap-43, 0x1.2c9758daf5cd0p-51, -0x1.ab81ea75fcdf4p-60,
      0x1.f17697cf1cf13p-69, -0x1.e2637bef9ff1ap-78 },
};
// Y0 without 2 / pi log(x) J0, and (Y1 without 2 / pi (log(x) J1 - 1 / x)) / x, in x^2.
TABLE const double bessel_y_start[2][8] = {
    { -0x1.2e4d699cbd01fp-4, 0x1.6bbcb41034286p-3, -0x1.075b1bbf41364p-6, 0x1.1a6206b7b973dp-11,
      -0x1.3e99794203bbdp-17, 0x1.bce4a600d3ea4p-24, -0x1.a6ee796b871b6p-31,
      0x1.2393d82c6b2e4p-38 },
    { -0x1.91866143cbc8ap-3, 0x1.bd3975c75b4a7p-5, -0x1.835b97894be5bp-9, 0x1.2c7dbffcde97dp-14,
      -0x1.0a780ac776eacp-20, 0x1.32e5a4ddeea30p-27, -0x1.f0ce34d2066a6p-35,
      0x1.2a4e1aea45c18p-42 },
};
// P0, x Q0, P1, x Q1 in 128 / x^2 - 1.
#define FAR_TERMS 18
TABLE const double bessel_far_terms[4][FAR_TERMS] = {
    { 0x1.ffb8dd328503dp-1, -0x1.193600c1deb24p-11, 0x1.9be00160e8194p-18, -0x1.b8d2d6f77e13dp-23,
      0x1.b7ef11d6d1ec0p-27, -0x1.4d2f3168244c4p-30, 0x1.54df094f03db3p-33,
      -0x1.b5ca72dbfe2efp-36, 0x1.4ff6032fd4294p-38, -0x1.298c6862a3fc2p-40,
      0x1.27aebd3ca493ep-42, -0x1.44a1dfde074b4p-44, 0x1.99c34a9407673p-46,
      -0x1.0cb235f7efb07p-47, 0x1.8ef38c44cd643p-50, -0x1.d916d6b28b1abp-52,
      0x1.be131e58d9957p-51, -0x1.7c405d3ba4185p-52 },
    { -0x1.fdb5c0b2f3d5bp-4, 0x1.1e9a6138fee38p-11, -0x1.8c84352847e29p-17, 0x1.3135a89e8f540p-21,
      -0x1.858d1bd3f2bf1p-25, 0x1.61a55cd956e3cp-28, -0x1.a082aafda0d57p-31,
      0x1.2ba45ff3fb008p-33, -0x1.f95e5c619de95p-36, 0x1.e4dda5ef6fb1cp-38,
      -0x1.01c95f44113a7p-39, 0x1.2c7ccf254dfd4p-41, -0x1.977bd6f38d3d0p-43,
      0x1.19a4443534cb5p-44, -0x1.6a8142761c0b4p-47, 0x1.9c0c3d5fa0230p-49,
      -0x1.12d3db48c6e8fp-47, 0x1.e4c50e2488173p-49 },
    { 0x1.003b716033732p+0, 0x1.d73b8ea3c1238p-11, -0x1.0b1541bfc385fp-17, 0x1.07762641ca274p-22,
      -0x1.f96170eceacf6p-27, 0x1.75eaf742bfd26p-30, -0x1.78ba2275dce2ap-33,
      0x1.dea1a2217a408p-36, -0x1.6c59d96a7e3edp-38, 0x1.40ae3ecb87520p-40,
      -0x1.3d199194df830p-42, 0x1.5abb507e163fap-44, -0x1.b3cca5f71e710p-46,
      0x1.1ce2785b0cbbfp-47, -0x1.a9422694c7c86p-50, 0x1.f88d934402ad3p-52,
      -0x1.d4d9d23054579p-51, 0x1.8f00846242c0fp-52 },
    { 0x1.7f323705062fbp-2, -0x1.938da0a0a698fp-11, 0x1.e8e009ca8e00ep-17, -0x1.6423127918631p-21,
      0x1.b9302ab01d09cp-25, -0x1.8922deda709dap-28, 0x1.c92da4f936c7fp-31,
      -0x1.45e1a8244b95dp-33, 0x1.10e47d92fdee3p-35, -0x1.04617c6f8e67ap-37,
      0x1.13a967e3be89fp-39, -0x1.40262cf7a992bp-41, 0x1.b0598f40ec9d4p-43,
      -0x1.29f872dcfcbabp-44, 0x1.82b015b4514d6p-47, -0x1.b8b76903f8e2dp-49,
      0x1.206fb9f4a3f79p-47, -0x1.fbfd3d0529890p-49 },
};
// I0 and I1 / x in x^2 / 4.
#define I_TERMS 26
TABLE const double bessel_i_start[2][I_TERMS] = {
    { 0x1.0000000000000p+0, 0x1.0000000000000p+0, 0x1.0000000000000p-2, 0x1.c71c71c71c71cp-6,
      0x1.c71c71c71c71cp-10, 0x1.23456789abcdfp-14, 0x1.02e85c0898b71p-19, 0x1.522a43f65486ap-25,
      0x1.522a43f65486ap-31, 0x1.0b313289be0b9p-37, 0x1.5601885e63e5dp-44, 0x1.69ca9cf3b7f54p-51,
      0x1.4197a7f5154bcp-58, 0x1.e725594ee52e9p-66, 0x1.3e22d70ef3b5fp-73, 0x1.69f7da8510bcdp-81,
      0x1.69f7da8510bcdp-89, 0x1.40a2dc2460523p-97, 0x1.faaf2fa1c79e5p-106,
      0x1.674f8e46c208cp-114, 0x1.cbeaf38dc529fp-123, 0x1.0afb53e9cec0bp-131,
      0x1.1a6d4e307528fp-140, 0x1.1159d2b18fe1fp-149, 0x1.e5f504c9e358cp-159,
      0x1.8e189760fbc74p-168 },
    { 0x1.0000000000000p-1, 0x1.0000000000000p-2, 0x1.5555555555555p-5, 0x1.c71c71c71c71cp-9,
      0x1.6c16c16c16c17p-13, 0x1.845c8a0ce5129p-18, 0x1.27e4fb7789f5cp-23, 0x1.522a43f65486ap-29,
      0x1.2c9758daf5cd0p-35, 0x1.ab81ea75fcdf4p-42, 0x1.f17697cf1cf13p-49, 0x1.e2637bef9ff1ap-56,
      0x1.8bce58901a35ep-63, 0x1.165e7c2d153f3p-70, 0x1.53585cdcbfb10p-78, 0x1.69f7da8510bcdp-86,
      0x1.54ad09e6a6575p-94, 0x1.1d028acb00491p-102, 0x1.aaae78f4066a6p-111,
      0x1.1f72d8389b3a3p-119, 0x1.5e69de22df5cep-128, 0x1.84564b82a1184p-137,
      0x1.88f11edf3ed4cp-146, 0x1.6c77c3976a829p-155, 0x1.37033643c4b3bp-164,
      0x1.e9f6e1b270f54p-174 },
};
// sqrt(x) e^-x times I0, I1, in 16 / x - 1.
TABLE const double bessel_i_far[2][I_TERMS] = {
    { 0x1.9bd428ad249a5p-2, 0x1.b87969bb93bd4p-9, 0x1.1daa72b5e23c0p-13, 0x1.75e5ee6fa3128p-17,
      0x1.8e513a7c3c1f1p-20, 0x1.3f49af3fd66e4p-22, 0x1.7d0f0927f0f8ap-24, 0x1.51cb27a54ecaep-25,
      0x1.7234b8b57b421p-26, 0x1.03fc83c33c694p-27, -0x1.cfdd7e426b2fdp-28,
      -0x1.cebe0a52bd9b8p-27, -0x1.72d06750d8416p-28, 0x1.09fec7a12434bp-27,
      0x1.fd395ec9469a1p-28, -0x1.0d0a6b261aa24p-28, -0x1.96f61f2a8116cp-28,
      0x1.236c0f5b5b9acp-29, 0x1.ef8d074c71f22p-29, -0x1.3ef0022c16f58p-30,
      -0x1.b73a634164f71p-30, 0x1.1f21a72e408edp-31, 0x1.ee936a6bf8e31p-32,
      -0x1.53aa1a386a88dp-33, -0x1.052a44112c062p-34, 0x1.795fd475b2f56p-36 },
    { 0x1.8ebe783a84030p-2, -0x1.3f796198ee63fp-7, -0x1.cbc54df1e8a5fp-13, -0x1.f89c23043df9cp-17,
      -0x1.ec8e107a2ca2cp-20, -0x1.761386832bd7ep-22, -0x1.ad8d45eee614cp-24,
      -0x1.7276f1c4dab47p-25, -0x1.9191ad310aaa3p-26, -0x1.21f6ba6ffa669p-27,
      0x1.cef7a15949857p-28, 0x1.e41f988a6d3a9p-27, 0x1.99ee2ac041ab9p-28, -0x1.0cbe25bdf4c92p-27,
      -0x1.0e4f118f02b39p-27, 0x1.0617d272b49a4p-28, 0x1.aab87bd0d69abp-28,
      -0x1.13ec9ab898762p-29, -0x1.026dc8d61d17ep-28, 0x1.2ae927550abc9p-30,
      0x1.c90b1c486ad52p-30, -0x1.0d838e32b41fep-31, -0x1.010cbd2767234p-31,
      0x1.405884381391ep-33, 0x1.0f585e1f6bb57p-34, -0x1.659223e07f851p-36 },
};

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
