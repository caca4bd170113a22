#!/bin/sh
# A Debian package of what `make install' has put into a folder.
# SPDX-License-Identifier: Apache-2.0
# use: deb.sh ROOT VERSION CLANG OUT
set -e
root=$1 version=$2 clang=$3 out=$4
# Packages of the libraries that programs and libraries here ask for.
files=$(find "$root/usr/bin" "$root/usr/lib" -type f \( -name heddle -o -name heddle-nvcc -o -name '*.so' -o -name '*.so.*' \) -exec sh -c \
    'readelf -h "$1" > /dev/null 2>&1' sh {} \; -print)
strip --strip-unneeded $files
depends=
for soname in $(for f in $files; do readelf -dW "$f" | sed -n 's/.*NEEDED.*\[\(.*\)\]/\1/p'; done | sort -u); do
    [ -z "$(find "$root" -name "$soname")" ] || continue
    path=$(ldconfig -p | sed -n "s/^[[:space:]]*$soname (libc6,x86-64.*=> //p" | head -1)
    [ -n "$path" ] || { echo "deb: where is $soname?"; exit 1; }
    package=$(dpkg -S "$(realpath "$path")" 2> /dev/null || dpkg -S "$path" 2> /dev/null || dpkg -S "/usr$path")
    package=${package%%:*}
    [ "$package" != libc6 ] || package="libc6 (>= 2.36)"
    case ", $depends," in *", $package,"*) ;; *) depends=${depends:+$depends, }$package ;; esac
done
mv "$root/usr/share/zsh/site-functions" "$root/usr/share/zsh/vendor-completions"
gzip -9nf "$root"/usr/share/man/man1/*.1
mv "$root/usr/share/doc/heddle/LICENSE" "$root/usr/share/doc/heddle/copyright"
mkdir -p "$root/DEBIAN"
cat > "$root/DEBIAN/control" <<END
Package: heddle
Version: $version
Architecture: amd64
Maintainer: The Heddle project <heddle@localhost>
Section: electronics
Priority: optional
Installed-Size: $(du -sk "$root/usr" | cut -f1)
Depends: $depends
Recommends: $clang
Suggests: g++, gtkwave, pkg-config
Description: SIMT core in Verilog, its golden model, and a compiler from CUDA C
 Runs kernels of PTX, of a listing, or of CUDA C (with clang) on a Verilated
 SIMT core and its golden model in lockstep, and compares every commit;
 checks streams of warp events of any SIMT core.
END
echo 'activate-noawait ldconfig' > "$root/DEBIAN/triggers"
(cd "$root" && find usr -type f -exec md5sum {} +) > "$root/DEBIAN/md5sums"
find "$root" -type d -exec chmod 755 {} +
dpkg-deb --root-owner-group -Zxz --build "$root" "$out/heddle_${version}_amd64.deb"
echo "Depends: $depends"
