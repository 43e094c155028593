#!/usr/bin/env bash
# The broker that the MQTT tests talk to. A tester's own machine may go without it; CI may not.
set -u
command -v mosquitto >/dev/null || [ -x /usr/sbin/mosquitto ] && exit 0
as_root=$([ "$(id -u)" = 0 ] || echo "sudo -n")
$as_root apt-get update -qq >/dev/null 2>&1
# The package would start a broker of its own on port 1883; the tests start theirs on a free port.
if $as_root env RUNLEVEL=1 DEBIAN_FRONTEND=noninteractive apt-get install -y -qq mosquitto >/dev/null 2>&1; then
    echo "mosquitto installed for the broker tests"
    exit 0
fi
echo "*** mosquitto is not here and could not be installed: the tests marked 'broker' will be SKIPPED." >&2
echo "*** Next: sudo apt-get install mosquitto" >&2
[ "${CI:-}" = true ] && exit 1
exit 0
