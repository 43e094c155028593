#!/usr/bin/env bash
# make uninstall: takes away what make install brought. The games in /var/lib/jadoube, the configuration in /etc/jadoube
# and the user to whom they belong stay, unless PURGE=1.
set -euo pipefail
cd "$(dirname "$0")/.."
root=${DESTDIR:-} prefix=${PREFIX:-/opt/jadoube}
[ -n "$root" ] || [ "$(id -u)" = 0 ] || { echo "Next: sudo make uninstall" >&2; exit 1; }
export DPKG_ROOT=$root
debian/prerm remove
rm -rf "$root$prefix"
rm -f "$root/usr/local/bin/jadoube" "$root/usr/local/share/man/man1/jadoube.1" \
    "$root/usr/local/share/bash-completion/completions/jadoube" "$root/etc/systemd/system/jadoube.service" \
    "$root/etc/systemd/system/jadoube@.service" "$root/etc/sysusers.d/jadoube.conf" \
    "$root/etc/udev/rules.d/70-jadoube.rules"
debian/postrm remove
if [ "${PURGE:-}" = 1 ]; then
    debian/postrm purge
else
    echo "To remove these too: make uninstall PURGE=1"
fi
