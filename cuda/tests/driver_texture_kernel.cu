// SPDX-License-Identifier: Apache-2.0
texture<float, 2> plane;
texture<unsigned char, 1, cudaReadModeNormalizedFloat> bytes;
surface<void, 2> board;
extern "C" __global__ void references(float *out, int w)
{
    int x = threadIdx.x % w, y = threadIdx.x / w;
    float v = tex2D(plane, x + 0.5f, y + 0.5f) + tex1Dfetch(bytes, threadIdx.x);
    out[threadIdx.x] = v;
    surf2Dwrite(2 * v, board, x * 4, y);
}
extern "C" __global__ void objects(cudaTextureObject_t t, cudaSurfaceObject_t s, float *out, int w)
{
    int x = threadIdx.x % w, y = threadIdx.x / w;
    out[threadIdx.x] = tex3D<float>(t, (x + 0.5f) / w, 0.5f, 0.75f);
    surf2Dwrite(out[threadIdx.x], s, x * 4, y);
}
