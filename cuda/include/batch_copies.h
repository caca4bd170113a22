/* Several copies by one call, which cuda_runtime_api.h includes in its midst.  Layouts are those of
 * CUDA 12; the calls of CUDA 13 do not say which copy failed.
 * SPDX-License-Identifier: Apache-2.0 */
/* When a source is read: here at once. */
enum cudaMemcpySrcAccessOrder { cudaMemcpySrcAccessOrderInvalid, cudaMemcpySrcAccessOrderStream,
                                cudaMemcpySrcAccessOrderDuringApiCall,
                                cudaMemcpySrcAccessOrderAny };
enum cudaMemcpyFlags { cudaMemcpyFlagDefault, cudaMemcpyFlagPreferOverlapWithCompute };
struct cudaMemcpyAttributes {
    enum cudaMemcpySrcAccessOrder srcAccessOrder;
    struct cudaMemLocation srcLocHint, dstLocHint;
    unsigned flags;
};
/* One side of a box: elements are an array's, or bytes; 0 for a length: that of the box. */
enum cudaMemcpy3DOperandType { cudaMemcpyOperandTypePointer = 1, cudaMemcpyOperandTypeArray };
struct cudaOffset3D { size_t x, y, z; };
struct cudaMemcpy3DOperand {
    enum cudaMemcpy3DOperandType type;
    union {
        struct {
            void *ptr;
            size_t rowLength, layerHeight;
            struct cudaMemLocation locHint;
        } ptr;
        struct { cudaArray_t array; struct cudaOffset3D offset; } array;
    } op;
};
struct cudaMemcpy3DBatchOp {
    struct cudaMemcpy3DOperand src, dst;
    struct cudaExtent extent;
    enum cudaMemcpySrcAccessOrder srcAccessOrder;
    unsigned flags;
};
/* *failed: which copy, or SIZE_MAX if it is none of them; NULL: it is not asked for. */
cudaError_t cudaMemcpyBatchAsync(void **dst, void **src, size_t *bytes, size_t n,
                                 struct cudaMemcpyAttributes *attrs, size_t *from, size_t nattrs,
                                 size_t *failed, cudaStream_t stream);
cudaError_t cudaMemcpy3DBatchAsync(size_t n, struct cudaMemcpy3DBatchOp *ops, size_t *failed,
                                   unsigned long long flags, cudaStream_t stream);
