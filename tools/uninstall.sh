#!/usr/bin/env bash
# make uninstall: takes away what make install brought. The games in /var/lib/jadoube, the configuration in /etc/jadoube
# and the user to whom they belong stay, unless PURGE=1.
set -euo pipefail
root=${DESTDIR:-} prefix=${PREFIX:-/opt/jadoube}
[ -n "$root" ] || [ "$(id -u)" = 0 ] || { echo "Next: sudo make uninstall" >&2; exit 1; }
if [ -z "$root" ] && [ -d /run/systemd/system ]; then
    systemctl stop jadoube 'jadoube@*' || true
    systemctl disable jadoube jadoube@ || true
fi
rm -rf "$root$prefix"
rm -f "$root/usr/local/bin/jadoube" "$root/etc/systemd/system/jadoube.service" \
    "$root/etc/systemd/system/jadoube@.service" "$root/etc/sysusers.d/jadoube.conf" \
    "$root/etc/udev/rules.d/70-jadoube.rules"
if [ -z "$root" ] && [ -d /run/systemd/system ]; then
    systemctl daemon-reload
fi
if [ "${PURGE:-}" = 1 ]; then
    rm -rf "$root/var/lib/jadoube" "$root/etc/jadoube" "$root/run/jadoube"
    [ -n "$root" ] || ! getent passwd jadoube >/dev/null || userdel jadoube
    echo "jadoube, its games and its configuration are gone."
else
    echo "jadoube is gone. Its games are in $root/var/lib/jadoube, its configuration is in $root/etc/jadoube."
    echo "To remove these too: make uninstall PURGE=1"
fi
