#!/bin/sh
# A Slurm of one node, this machine, for the user root: `slurm.sh start DIR`, `slurm.sh stop DIR`.
# SPDX-License-Identifier: Apache-2.0
#
# Everything it writes is below DIR, but for munge's own key and socket, which the Debian package
# makes.  A cluster that is already there (sinfo answers) is used as it is and never stopped.
set -e
dir=$(mkdir -p "$2" && cd "$2" && pwd)
own=$dir/slurm.conf
# Asked for by the name of a file that is not there, sinfo tries for a minute.
runs() { timeout 10 sinfo > /dev/null 2>&1 || { [ -s "$own" ] && SLURM_CONF=$own timeout 10 sinfo > /dev/null 2>&1; }; }
case $1 in
start)
    if runs; then echo "slurm: is running"; exit 0; fi
    export SLURM_CONF="$own"
    [ "$(id -u)" = 0 ] || { echo "slurm: only root can start one"; exit 2; }
    mkdir -p "$dir/state" "$dir/spool" /run/munge
    chown munge: /run/munge
    # In the foreground: as a daemon it opens /dev/null, which not every container lets it do.
    if ! munge -n > /dev/null 2>&1; then
        setsid runuser -u munge -- munged --foreground > "$dir/munged.log" 2>&1 < /dev/null &
        echo $! > "$dir/munged.pid"
        sleep 1
    fi
    host=$(hostname -s)
    cat > "$SLURM_CONF" <<END
ClusterName=heddle
SlurmctldHost=$host(127.0.0.1)
SlurmUser=root
AuthType=auth/munge
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
AccountingStorageType=accounting_storage/none
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU
ReturnToService=2
MpiDefault=none
StateSaveLocation=$dir/state
SlurmdSpoolDir=$dir/spool
SlurmctldPidFile=$dir/slurmctld.pid
SlurmdPidFile=$dir/slurmd.pid
SlurmctldLogFile=$dir/slurmctld.log
SlurmdLogFile=$dir/slurmd.log
NodeName=$host NodeAddr=127.0.0.1 CPUs=$(nproc) State=UNKNOWN
PartitionName=all Nodes=ALL Default=YES MaxTime=INFINITE State=UP
END
    slurmctld
    slurmd
    for i in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20; do
        if sinfo -h -o %T 2> /dev/null | grep -q 'idle\|mixed\|allocated'; then echo "slurm: one node, $(nproc) CPUs"; exit 0; fi
        sleep 1
    done
    tail -n 5 "$dir"/*.log
    echo "slurm: does not come up, see $dir/*.log"
    exit 4 ;;
stop)
    for p in "$dir/slurmd.pid" "$dir/slurmctld.pid" "$dir/munged.pid"; do
        if [ -s "$p" ]; then kill "$(cat "$p")" 2> /dev/null || true; fi
    done
    rm -f "$own" "$dir"/*.pid ;;                     # by which the farm finds it

*)
    echo "usage: slurm.sh start|stop DIR"; exit 2 ;;
esac
