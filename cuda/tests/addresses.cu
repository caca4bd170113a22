// Addresses as initial values: of elements, members, other variables, functions, literals, before and after a variable's
// beginning, in arrays, structures and constants.
// SPDX-License-Identifier: Apache-2.0
#include <cstdio>

struct node { int value; const node *next; };
struct record { char tag; short s[3]; int n[4]; double d; struct { int x, y; } in[2]; };
__device__ int a[4] = { 10, 11, 12, 13 };
__device__ int *second = &a[1];
__device__ int *plain = a;
__device__ int *before = a - 2, *behind = a + 4;
__device__ int **twice = &second;
__device__ node last = { 7, 0 };
__device__ node first = { 5, &last };
__device__ node ring = { 3, &first }, chain[2] = { { 1, &ring }, { 2, &last } };
__device__ record one = { 1, { 2, 3, 4 }, { 5, 6, 7, 8 }, 2.5, { { 1, 2 }, { 3, 4 } } };
__device__ short *member = &one.s[2];
__device__ double *real = &one.d;
__device__ int *inner = &one.in[1].y;
__constant__ int *const places[3] = { &a[3], &one.n[2], &one.in[0].x };
__device__ const char *text = "words", *tail = &"other words"[6];
__device__ const char *const names[2] = { "zero", "one" };
__device__ int add(int x, int y) { return x + y; }
__device__ int times(int x, int y) { return x * y; }
typedef int (*operation)(int, int);
__device__ operation chosen = times;
__constant__ operation operations[2] = { add, &times };
struct entry { const char *name; operation f; int *p; };
__device__ entry entries[2] = { { "add", add, &a[2] }, { "times", times, &a[2] + 1 } };
__device__ char *bytes = (char *)a + 5;
__device__ unsigned long long number = 3, *numbers[2] = { &number, &number + 1 };
__device__ void *hidden = &one.in[1];
namespace { struct pair { int x, y; }; __device__ pair pairs[2] = { { 1, 2 }, { 3, 4 } }; __device__ int *y = &pairs[1].y; }
template <class T> struct holder { static __device__ T value; static __device__ T *at; };
template <class T> __device__ T holder<T>::value = 9;
template <class T> __device__ T *holder<T>::at = &holder<T>::value;
static __device__ int grid[3][4] = { { 1, 2, 3, 4 }, { 5, 6, 7, 8 }, { 9, 10, 11, 12 } };
__device__ int (*row)[4] = &grid[1], *cell = &grid[2][1];
__managed__ int shared_value = 21;
__device__ int *managed = &shared_value;
__device__ constexpr int table[2] = { 31, 32 };
__device__ const int *entry_of = &table[1];
__device__ float lone = 1.5f, &alias = lone;

#define ROWS(F) \
    F(second[1], 12) F(plain[3], 13) F(before[2], 10) F(behind[-1], 13) F(**twice, 11) F(first.next->value, 7) \
    F(chain[0].next->next->next->value, 7) F(*member, 4) F((int)(*real * 2), 5) F(*inner, 4) F(*places[0], 13) \
    F(*places[1], 7) F(*places[2], 1) F(text[4], 's') F(tail[0], 'w') F(names[1][2], 'e') F(chosen(6, 7), 42) \
    F(operations[0](6, 7), 13) F(operations[1](5, 5), 25) F(entries[1].f(3, 4) + *entries[1].p, 25) \
    F(entries[0].name[2] + *entries[0].p, 'd' + 12) F(bytes[-1], 11) F((int)(*numbers[0] + (numbers[1] - numbers[0])), 4) \
    F(((int *)hidden)[0], 3) F(*y, 4) F(*holder<int>::at, 9) F((*row)[2], 7) F(*cell, 10) F(row[1][3], 12) \
    F(*managed, 21) F(*entry_of, 32) F((int)(alias * 4), 6)
#define ONE(WHAT, RIGHT) + 1
enum { N = 0 ROWS(ONE) };

__global__ void read(int *out)
{
    int k = 0;
#define STORE(WHAT, RIGHT) out[k++] = WHAT;
    ROWS(STORE)
}

int main()
{
    int out[N], *d, bad = 0, k = 0;
    cudaMalloc(&d, sizeof out);
    read<<<1, 1>>>(d);
    if (cudaMemcpy(out, d, sizeof out, cudaMemcpyDeviceToHost)) return puts("FAIL: launch"), 1;
#define CHECK(WHAT, RIGHT) if (out[k++] != RIGHT) bad++, printf("FAIL: %s is %d, right is %d\n", #WHAT, out[k - 1], RIGHT);
    ROWS(CHECK)
    puts(bad ? "FAIL" : "PASS");
    return bad != 0;
}
