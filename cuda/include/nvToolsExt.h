/* NVTX: marks and ranges that programs make for NVIDIA's profilers.  Nobody listens, so they cost
 * nothing. SPDX-License-Identifier: Apache-2.0 */
#ifndef HEDDLE_NVTOOLSEXT_H
#define HEDDLE_NVTOOLSEXT_H
#include <stddef.h>
#include <stdint.h>
#include <wchar.h>

#define NVTX_VERSION 3
#define NVTX_EVENT_ATTRIB_STRUCT_SIZE ((uint16_t)sizeof(nvtxEventAttributes_t))
typedef uint64_t nvtxRangeId_t;
typedef struct nvtxDomainRegistration_st *nvtxDomainHandle_t;
typedef struct nvtxStringRegistration_st *nvtxStringHandle_t;
typedef enum nvtxColorType_t { NVTX_COLOR_UNKNOWN, NVTX_COLOR_ARGB } nvtxColorType_t;
typedef enum nvtxMessageType_t {
    NVTX_MESSAGE_UNKNOWN,
    NVTX_MESSAGE_TYPE_ASCII,
    NVTX_MESSAGE_TYPE_UNICODE,
    NVTX_MESSAGE_TYPE_REGISTERED
} nvtxMessageType_t;
typedef enum nvtxPayloadType_t {
    NVTX_PAYLOAD_UNKNOWN,
    NVTX_PAYLOAD_TYPE_UNSIGNED_INT64,
    NVTX_PAYLOAD_TYPE_INT64,
    NVTX_PAYLOAD_TYPE_DOUBLE,
    NVTX_PAYLOAD_TYPE_UNSIGNED_INT32,
    NVTX_PAYLOAD_TYPE_INT32,
    NVTX_PAYLOAD_TYPE_FLOAT
} nvtxPayloadType_t;
typedef union nvtxMessageValue_t {
    const char *ascii;
    const wchar_t *unicode;
    nvtxStringHandle_t registered;
} nvtxMessageValue_t;
typedef struct nvtxEventAttributes_v2 {
    uint16_t version, size;
    uint32_t category;
    int32_t colorType;
    uint32_t color;
    int32_t payloadType, reserved0;
    union payload_t {
        uint64_t ullValue;
        int64_t llValue;
        double dValue;
        uint32_t uiValue;
        int32_t iValue;
        float fValue;
    } payload;
    int32_t messageType;
    nvtxMessageValue_t message;
} nvtxEventAttributes_t;

#define HD_NVTX static inline __attribute__((unused))
HD_NVTX void nvtxInitialize(const void *reserved) { (void)reserved; }
HD_NVTX void nvtxMarkEx(const nvtxEventAttributes_t *a) { (void)a; }
HD_NVTX void nvtxMarkA(const char *text) { (void)text; }
HD_NVTX void nvtxMarkW(const wchar_t *text) { (void)text; }
HD_NVTX nvtxRangeId_t nvtxRangeStartEx(const nvtxEventAttributes_t *a)
{
    (void)a;
    return 0;
}
HD_NVTX nvtxRangeId_t nvtxRangeStartA(const char *text)
{
    (void)text;
    return 0;
}
HD_NVTX nvtxRangeId_t nvtxRangeStartW(const wchar_t *text)
{
    (void)text;
    return 0;
}
HD_NVTX void nvtxRangeEnd(nvtxRangeId_t id) { (void)id; }
HD_NVTX int nvtxRangePushEx(const nvtxEventAttributes_t *a)
{
    (void)a;
    return 0;
}
HD_NVTX int nvtxRangePushA(const char *text)
{
    (void)text;
    return 0;
}
HD_NVTX int nvtxRangePushW(const wchar_t *text)
{
    (void)text;
    return 0;
}
HD_NVTX int nvtxRangePop(void) { return 0; }
HD_NVTX void nvtxNameCategoryA(uint32_t category, const char *text) { (void)category, (void)text; }
HD_NVTX void nvtxNameOsThreadA(uint32_t thread, const char *text) { (void)thread, (void)text; }
HD_NVTX nvtxDomainHandle_t nvtxDomainCreateA(const char *text)
{
    (void)text;
    return NULL;
}
HD_NVTX void nvtxDomainDestroy(nvtxDomainHandle_t d) { (void)d; }
HD_NVTX nvtxStringHandle_t nvtxDomainRegisterStringA(nvtxDomainHandle_t d, const char *text)
{
    (void)d, (void)text;
    return NULL;
}
HD_NVTX void nvtxDomainMarkEx(nvtxDomainHandle_t d, const nvtxEventAttributes_t *a)
{
    (void)d, (void)a;
}
HD_NVTX int nvtxDomainRangePushEx(nvtxDomainHandle_t d, const nvtxEventAttributes_t *a)
{
    (void)d, (void)a;
    return 0;
}
HD_NVTX int nvtxDomainRangePop(nvtxDomainHandle_t d)
{
    (void)d;
    return 0;
}
HD_NVTX nvtxRangeId_t nvtxDomainRangeStartEx(nvtxDomainHandle_t d, const nvtxEventAttributes_t *a)
{
    (void)d, (void)a;
    return 0;
}
HD_NVTX void nvtxDomainRangeEnd(nvtxDomainHandle_t d, nvtxRangeId_t id) { (void)d, (void)id; }
#ifdef UNICODE
#define nvtxMark nvtxMarkW
#define nvtxRangeStart nvtxRangeStartW
#define nvtxRangePush nvtxRangePushW
#else
#define nvtxMark nvtxMarkA
#define nvtxRangeStart nvtxRangeStartA
#define nvtxRangePush nvtxRangePushA
#define nvtxNameCategory nvtxNameCategoryA
#define nvtxNameOsThread nvtxNameOsThreadA
#define nvtxDomainCreate nvtxDomainCreateA
#define nvtxDomainRegisterString nvtxDomainRegisterStringA
#endif
#endif
