#!/usr/bin/env bash
# need.sh "PROGRAM [OTHER NAME …]" PACKAGE "WHAT IS SKIPPED WITHOUT IT": installs PACKAGE where none of the programs is
# there. A tester's own machine may go without it; CI may not.
set -u
PATH=$PATH:/usr/sbin
for program in $1; do
    command -v "$program" >/dev/null && exit 0
done
as_root=$([ "$(id -u)" = 0 ] || echo "sudo -n")
# At run level 1 a package does not start its service: mosquitto's would take port 1883, and the tests start their own.
installed() {
    $as_root env RUNLEVEL=1 DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "$1" >/dev/null 2>&1
}
# Which packages there are is fetched where it is not known, or not true any more.
if installed "$2" || { $as_root apt-get update -qq >/dev/null 2>&1; installed "$2"; }; then
    echo "$2 installed for $3"
    exit 0
fi
echo "*** $2 is not here and could not be installed: $3 will be SKIPPED." >&2
echo "*** Next: sudo apt-get install $2" >&2
[ "${CI:-}" = true ] && exit 1
exit 0
