#!/bin/sh
# Verdicts that must not mislead: races, limits, buffers that are not what the kernel takes, nothing to do.
# SPDX-License-Identifier: Apache-2.0
# use: verdict.sh HEDDLE
heddle=$1
here=tests/verdict
tmp=$(mktemp -d) || exit 4
trap 'rm -rf "$tmp"' EXIT
trap 'exit 130' INT
trap 'exit 143' TERM
passed=0 failed=0

# says STATUS 'TEXT' ARGS...; TEXT that begins with ! must not be there
says() {
    want=$1 text=$2
    shift 2
    timeout -s KILL 120 "$heddle" "$@" > "$tmp/out" 2>&1
    got=$?
    case $text in !*) ! grep -q -- "${text#!}" "$tmp/out" ;; *) grep -qE -- "$text" "$tmp/out" ;; esac
    if [ $? -eq 0 ] && [ $got -eq "$want" ]; then passed=$((passed + 1)); else
        failed=$((failed + 1))
        echo "FAIL heddle $*: exit status $got, expected $want and \`$text\`:"
        sed 's/^/    /' "$tmp/out"
    fi
}

# The third leg says a race always, by both accesses, and the answer is no.
count="$here/raced.cu --kernel count --grid 1 --block 128 out:i32[128] n:i32=10"
step="--lanes 4 --no-snapshots"
for command in run "lockstep $step"; do
    says 1 'a race: block 0 thread [0-9]+ at PC 0x.*, which block 0 thread [0-9]+ ' $command $count --third-leg
    says 1 'PC 0x[0-9a-f]+ is raced.cu:9' $command $count --third-leg
    says 1 '"third_leg": "third leg: not compared: a race: ' $command $count --third-leg --json
done
# What lockstep meets by itself: said before the verdict, which stays equal.
met='a race: RTL and model agree, another order may not: block \(0,0,0\) thread \([0-9]+,0,0\) at raced.cu:9, PC .* block'
says 0 "$met" lockstep $step $count
says 0 '^lockstep: equal' lockstep $step $count
says 0 '"race": "a race: RTL and model agree' lockstep $step $count --json
says 0 'a race: .* writes 0x.*raced.cu:15.* wrote, and nothing orders' lockstep $step $here/raced.cu --kernel blocks --grid 2 --block 64 'out:i32[64]'
says 0 'a race: .*raced.cu:2[12].* of shared memory.*raced.cu:2[12]' lockstep $step $here/raced.cu --kernel missing --grid 1 --block 64 'out:i32[64]'
for mode in barrier stack; do
    quiet="lockstep $step --mode $mode $here/ordered.cu"
    says 0 '!a race' $quiet --kernel message --grid 2 --block 64 'data:i32[64]' 'flag:i32[1]' 'out:i32[64]'
    says 0 '!a race' $quiet --kernel last --grid 3 --block 64 'in:i32[64]=iota' 'part:i32[192]' 'out:i32[64]'
    says 0 '!a race' $quiet --kernel turns --grid 9 --block 64 --warps 4 'out:i32[576]'
    says 0 '!a race' $quiet --kernel others --grid 2 --block 64 'out:i32[128]' 'bytes:u8[128]' 'any:i32[1]' 'lock:i32[1]' 'sum:i32[1]'
done
# Warps that store one value in no order, and read it.
says 0 '!a race' lockstep $step tests/kernels/shared_once.cu --grid 1 --block 64 'head:i32[1]' 'out:i32[12]' n:i32=8
# A listing keeps which accesses are meant to meet.
"$heddle" cc $here/ordered.cu -o "$tmp/o.hx" && "$heddle" dis "$tmp/o.hx" -o "$tmp/o.s" && "$heddle" as "$tmp/o.s" -o "$tmp/p.hx"
if cmp -s "$tmp/o.hx" "$tmp/p.hx" && grep -q '^    \.strong$' "$tmp/o.s"; then passed=$((passed + 1)); else
    failed=$((failed + 1)); echo 'FAIL an image and its listing'
fi

# At a limit: who still runs, and where.
cat > "$tmp/drain.cu" << 'K'
extern "C" __global__ void drain(int *work, int step)
{
    int t = blockIdx.x * blockDim.x + threadIdx.x;
    int left = work[t];
    while (left != 0) {
        left -= step;
        work[t] = left;
        if (left < -1000) left = 1000003;
    }
}
K
drain="$tmp/drain.cu --grid 2 --block 64 work:i32[128]=fill:402 step:i32=4 --limit 30000"
for command in run "lockstep $step" "run --mode stack" "lockstep $step --mode stack"; do
    says 3 'block 1 warp 0 ' $command $drain
    says 3 'lanes [0-9a-f]{8} at PC 0x[0-9a-f]+ \(drain.cu:[5-9]\)' $command $drain
done

# Buffers of another element type, or exchanged.
cat > "$tmp/saxpy.cu" << 'K'
// __global__ void saxpy(int *wrong) in a comment
__global__ void saxpy(float *y, const float *x, float a, int n)
{
    int t = blockIdx.x * blockDim.x + threadIdx.x;
    if (t < n) y[t] = a * x[t] + y[t];
}
extern "C" __global__ void __launch_bounds__(64) flat(const double *in, double *out, void *any, unsigned char *bytes)
{
    out[threadIdx.x] = in[threadIdx.x] + *bytes + *(int *)any;
}
K
s="run $tmp/saxpy.cu --kernel saxpy --grid 2 --block 32"
says 0 'y\[0:4\] = 1 3 5 7' $s 'y:f32[64]=fill:1' 'x:f32[64]=iota' a:f32=2 n:i32=64 --print 'y[0:4]'
says 0 '!warning' $s 'y:f32[64]=fill:1' 'x:f32[64]=iota' a:f32=2 n:i32=64
says 0 '!warning' $s 'p:f32[64]=fill:1' 'q:f32[64]=iota' a:f32=2 n:i32=64
says 2 'x is parameter 2 of saxpy.*stands at place 1, where y belongs' $s 'x:f32[64]=iota' 'y:f32[64]=fill:1' a:f32=2 n:i32=64
says 0 'warning: y is a buffer of i32, but parameter 1 of saxpy.* is float\* y' $s 'y:i32[64]=fill:1065353216' 'x:f32[64]=iota' a:f32=2 n:i32=64
says 0 'warning: x is a buffer of f64, but parameter 2 of saxpy.* is float const\* x' $s 'y:f32[64]' 'x:f64[64]=iota' a:f32=2 n:i32=64
says 0 'warning: x is a buffer of u8' $s 'y:f32[64]' 'x:u8[256]=iota' a:f32=2 n:i32=64
head -c 256 /dev/zero > "$tmp/bytes"
says 0 '!warning' $s 'y:u8[256]=zero' "x:u32[64]=@$tmp/bytes" a:f32=2 n:i32=64      # bytes, of any type
f="run $tmp/saxpy.cu --kernel flat --grid 1 --block 32"
says 0 '!warning' $f 'in:f64[32]=iota' 'out:f64[32]' 'any:f32[4]' 'bytes:u8[9]'
says 0 'warning: in is a buffer of f32, but parameter 1 of flat is const double \* in' $f 'in:f32[64]=iota' 'out:f64[32]' 'any:f32[4]' 'bytes:i8[9]'
says 2 'out is parameter 2 of flat' $f 'out:f64[32]' 'in:f64[32]' 'any:f32[4]' 'bytes:u8[9]'

# A name of more than ASCII is itself.
printf 'extern "C" __global__ void k(int *o)\n{\n    o[1000000] = 1;\n}\n' > "$tmp/größe.cu"
says 1 'größe.cu:3' run "$tmp/größe.cu" --grid 1 --block 1 'o:i32[1]'

# Nothing to do is no success.
mkdir "$tmp/empty"
: > "$tmp/nothing.cu"
echo '__device__ int twice(int a) { return 2 * a; }' > "$tmp/device.cu"
printf '.version 8.0\n.target sm_80\n.address_size 64\n' > "$tmp/none.ptx"
says 2 'nothing is recorded there' silicon "$tmp/empty"
for file in nothing.cu device.cu none.ptx; do
    says 2 "$file: no kernel in it" cc "$tmp/$file" -o "$tmp/x.hx"
    [ ! -e "$tmp/x.hx" ] || { failed=$((failed + 1)); echo "FAIL cc $file leaves an image"; }
done
says 2 'device.cu: no kernel in it' cc "$tmp/device.cu" -o "$tmp/x.ptx"

echo "verdict: $passed passed, $failed failed"
[ $failed -eq 0 ] && [ $passed -gt 0 ]
