/* Functions of CUDA's headers that Heddle does not have: who calls one is told so, where and why.
 * SPDX-License-Identifier: Apache-2.0
 *
 * cuda/tests/headers/functions.tsv lists them with the others. */
#ifndef HEDDLE_REFUSED_H
#define HEDDLE_REFUSED_H
#define HD_WHY(WHY) __attribute__((unavailable("Heddle refuses it: " WHY)))
#define HD_REFUSED(NAME, WHY) template <class... T> __device__ int NAME(T...) HD_WHY(WHY);
#define HD_CLUSTERS "clusters of blocks are not there"
HD_REFUSED(__cluster_barrier_arrive, HD_CLUSTERS)
HD_REFUSED(__cluster_barrier_arrive_relaxed, HD_CLUSTERS)
HD_REFUSED(__cluster_barrier_wait, HD_CLUSTERS)
HD_REFUSED(__clusterDim, HD_CLUSTERS)
HD_REFUSED(__clusterDimIsSpecified, HD_CLUSTERS)
HD_REFUSED(__clusterGridDimInClusters, HD_CLUSTERS)
HD_REFUSED(__clusterIdx, HD_CLUSTERS)
HD_REFUSED(__clusterRelativeBlockIdx, HD_CLUSTERS)
HD_REFUSED(__clusterRelativeBlockRank, HD_CLUSTERS)
HD_REFUSED(__clusterSizeInBlocks, HD_CLUSTERS)
HD_REFUSED(__cluster_map_shared_multicast, HD_CLUSTERS)
HD_REFUSED(__cluster_map_shared_rank, HD_CLUSTERS)
HD_REFUSED(__cluster_query_shared_rank, HD_CLUSTERS)
HD_REFUSED(__threadfence_cluster, HD_CLUSTERS)
#define HD_PARAMETERS "kernel parameters have no addresses of their own"
HD_REFUSED(__cvta_generic_to_grid_constant, HD_PARAMETERS)
HD_REFUSED(__cvta_grid_constant_to_generic, HD_PARAMETERS)
#define HD_128 "atomics of 128 bits are not there"
HD_REFUSED(__u128AtomicCAS, HD_128)
HD_REFUSED(__u128AtomicCAS_block, HD_128)
HD_REFUSED(__u128AtomicCAS_system, HD_128)
HD_REFUSED(__u128AtomicExch, HD_128)
HD_REFUSED(__u128AtomicExch_block, HD_128)
HD_REFUSED(__u128AtomicExch_system, HD_128)
HD_REFUSED(__nv_associate_access_property, "access properties are not there")
#define HD_OWN "a function of CUDA's own headers, not for programs"
HD_REFUSED(__nv_memcpy_async_shared_global_4, HD_OWN)
HD_REFUSED(__nv_memcpy_async_shared_global_8, HD_OWN)
HD_REFUSED(__nv_memcpy_async_shared_global_16, HD_OWN)
HD_REFUSED(__barrier_sync, "write barrier.sync as asm")
HD_REFUSED(__barrier_sync_count, "write barrier.sync as asm")
#undef HD_REFUSED
/* Beside the forms that are there. */
#define HD_SPARSE(NAME, ...) \
    template <class T> __device__ T NAME(cudaTextureObject_t, __VA_ARGS__) \
        HD_WHY("sparse textures are not there");
HD_SPARSE(tex2D, float, float, bool *)
HD_SPARSE(tex2DLod, float, float, float, bool *)
HD_SPARSE(tex2DGrad, float, float, float2, float2, bool *)
HD_SPARSE(tex2Dgather, float, float, bool *, int = 0)
HD_SPARSE(tex2DLayered, float, float, int, bool *)
HD_SPARSE(tex2DLayeredLod, float, float, int, float, bool *)
HD_SPARSE(tex2DLayeredGrad, float, float, int, float2, float2, bool *)
HD_SPARSE(tex3D, float, float, float, bool *)
HD_SPARSE(tex3DLod, float, float, float, float, bool *)
HD_SPARSE(tex3DGrad, float, float, float, float4, float4, bool *)
#undef HD_SPARSE
#undef HD_WHY
#undef HD_CLUSTERS
#undef HD_PARAMETERS
#undef HD_128
#undef HD_OWN
#endif
