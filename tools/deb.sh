#!/usr/bin/env bash
# make deb: what make install writes, as a Debian package in build/, for the architecture and the Python of this machine.
# COMPRESS=none where it is not handed on.
set -euo pipefail
cd "$(dirname "$0")/.."
umask 022
python=/usr/bin/python3
release() { "$1" -c "import sys; print(f'{sys.version_info[0]}.{sys.version_info[1] + ${2:-0}}')"; }
[ "$(release .venv/bin/python)" = "$(release $python)" ] || {
    echo "The package is to run under Debian's Python, which is $(release $python), and .venv is of $(release .venv/bin/python)." >&2
    echo "Next: make clean; PATH=/usr/bin:\$PATH make deb" >&2
    exit 1
}

# What Python calls 1.0rc1 comes before 1.0; so Debian has to call it 1.0~rc1.
version=$(sed -nE 's/^version = "(.*)"/\1/p' pyproject.toml | sed -E 's/\.?(a|b|rc|dev)[0-9]/~&/')
architecture=$(dpkg --print-architecture)
tree=build/deb
mkdir -p build
exec 9>build/deb.lock
flock 9  # one at a time: two would write into each other's tree
rm -rf "$tree"
DESTDIR=$PWD/$tree USR=/usr SYSTEM=/usr/lib PYTHON=$python tools/install.sh >/dev/null
rmdir "$tree/etc/jadoube" "$tree/etc" "$tree/var/lib/jadoube" "$tree/var/lib" "$tree/var"  # postinst and setup make them

papers=$tree/usr/share/doc/jadoube
install -D -m 0644 debian/copyright "$papers/copyright"
gzip -9nc CHANGELOG.md >"$papers/CHANGELOG.md.gz"
gzip -9n "$tree/usr/share/man/man1/jadoube.1"

install -d "$tree/DEBIAN"
install debian/preinst debian/postinst debian/prerm debian/postrm "$tree/DEBIAN"
sed "s/@VERSION@/$version/; s/@ARCHITECTURE@/$architecture/; s/@PYTHON@/$(release $python)/; s/@NEXT_PYTHON@/$(release $python 1)/
    s/@SIZE@/$(du -sk --exclude=DEBIAN "$tree" | cut -f1)/" debian/control >"$tree/DEBIAN/control"
dpkg-deb --root-owner-group -Z"${COMPRESS:-xz}" -z0 --build "$tree" "build/jadoube_${version}_$architecture.deb" >/dev/null
rm -rf "$tree"
echo "build/jadoube_${version}_$architecture.deb    Next: sudo apt-get install ./build/jadoube_${version}_$architecture.deb"
