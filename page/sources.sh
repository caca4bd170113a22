#!/bin/sh
# sources.sh FOLDER: Debian's sources of zlib and cJSON, unpacked there; the packages hold them for
# the host alone.  The machine's own lists of packages say where they come from.
# SPDX-License-Identifier: Apache-2.0
set -eu
at=$1
mkdir -p "$at/apt/parts" "$at/apt/lists/partial"
at=$(cd "$at" && pwd)
for f in /etc/apt/sources.list /etc/apt/sources.list.d/debian.sources /etc/apt/sources.list.d/debian.list; do
    [ -f "$f" ] || continue
    sed 's/^Types:.*/Types: deb-src/; s/^deb /deb-src /' "$f" > "$at/apt/parts/page-$(basename "$f")"
done
apt="apt-get -q -o APT::Sandbox::User=root -o Dir::Etc::SourceList=/dev/null -o Dir::Etc::SourceParts=$at/apt/parts \
    -o Dir::State::Lists=$at/apt/lists -o DPkg::Lock::Timeout=400 -o Acquire::Retries=2 -o Acquire::http::Timeout=60"
cd "$at"
{ $apt update && $apt source --download-only zlib cjson; } > log 2>&1 || { cat log; exit 1; }
rm -rf zlib cjson
for p in zlib cjson; do
    mkdir $p && tar xf ${p}_*.orig.tar.* -C $p --strip-components=1 && tar xf ${p}_*.debian.tar.* -C $p
    while read -r f; do
        case $f in ''|'#'*) ;; *) patch -s -d $p -p1 -i "debian/patches/$f" ;; esac
    done < $p/debian/patches/series
done
rm -rf apt
