#!/usr/bin/env bash
# make install: jadoube as a service of this machine. With DESTDIR everything goes into a folder, and nothing of the
# running machine is touched. NO_DEPS=1 leaves out what jadoube needs from PyPI, for those who bring it themselves;
# EXTRA=archive adds what the engines of very many boards need, EXTRA=archive,parquet also what exports that. PYTHON names another interpreter than python3. USR is where
# the command and its manual belong, SYSTEM where the unit, the user and the udev rule do: make deb has others than these.
set -euo pipefail
cd "$(dirname "$0")/.."
root=${DESTDIR:-} prefix=${PREFIX:-/opt/jadoube} usr=${USR:-/usr/local} system=${SYSTEM:-/etc}
pip=".venv/bin/pip --quiet --disable-pip-version-check"
[ -n "$root" ] || [ "$(id -u)" = 0 ] || { echo "make install writes to $prefix and /etc. Next: sudo make install" >&2; exit 1; }

extra=${EXTRA:-}
grep -qs Raspberry /proc/device-tree/model && extra="gpio${extra:+,$extra}"
extra=${extra:+[$extra]}
deps=${NO_DEPS:+--no-deps}

# Wheels of everything first, built by the tools that were tested; then offline into a place of their own.
wheels=$(mktemp -d)
trap 'rm -rf "$wheels"' EXIT
mkdir -p build
exec 8>build/install.lock  # wheels are made in build/: one at a time
flock 8
rm -rf build/lib build/bdist.*  # what is left there of an older version would be installed too
$pip wheel $deps --no-build-isolation --constraint requirements.txt \
    --constraint requirements-archive.txt --wheel-dir "$wheels" ".$extra"
exec 8>&-
rm -rf "$root$prefix"
"${PYTHON:-python3}" -m venv --without-pip "$root$prefix"
$pip --python "$root$prefix/bin/python" install $deps --no-index --find-links "$wheels" "jadoube$extra"
if [ -n "$root" ]; then  # what was made at one path is to run at another
    grep -lI "$root" "$root$prefix"/bin/* "$root$prefix/pyvenv.cfg" | xargs -r sed -i "s|$root$prefix|$prefix|g"
fi

install -d "$root$prefix/share/doc/jadoube" "$root$usr/bin" "$root/etc/jadoube" "$root$system/systemd/system" \
    "$root$system/sysusers.d" "$root$system/udev/rules.d"
install -d -m 0750 "$root/var/lib/jadoube"
cp -R docs/*.md docs/boards LICENSE "$root$prefix/share/doc/jadoube"
install -m 0644 systemd/jadoube.sysusers "$root$system/sysusers.d/jadoube.conf"
install -m 0644 systemd/jadoube.rules "$root$system/udev/rules.d/70-jadoube.rules"
.venv/bin/python tools/manuals.py "$root$usr/share"
sed "s|/opt/jadoube|$prefix|g" systemd/jadoube.service >"$root$system/systemd/system/jadoube.service"
# The same for each of several boards: jadoube@board-7 serves /etc/jadoube/board-7.toml, and has a password of its own.
# In older versions all had the same: then each gets that.
several="$root$system/systemd/system/jadoube@.service"
if grep -qs ':/etc/jadoube/mqtt-password$' "$several" && [ -e "$root/etc/jadoube/mqtt-password" ]; then
    for board in "$root"/etc/jadoube/*.toml; do
        own=${board%.toml}.mqtt-password
        [ "$board" = "$root/etc/jadoube/jadoube.toml" ] || [ -e "$own" ] || cp -p "$root/etc/jadoube/mqtt-password" "$own"
    done
fi
sed -E "s|/opt/jadoube|$prefix|g; s|/etc/jadoube/jadoube.toml|/etc/jadoube/%i.toml|; \
    s|:/etc/jadoube/mqtt-password|:/etc/jadoube/%i.mqtt-password|; \
    s|^((State\|Runtime)Directory)=jadoube|\1=jadoube/%i|; s|(/var/lib/jadoube\|/run/jadoube)( \|$)|\1/%i\2|" \
    systemd/jadoube.service >"$several"
ln -sfn "$prefix/bin/jadoube" "$root$usr/bin/jadoube"
[ -z "$root" ] || { echo "jadoube is in $root"; exit 0; }

debian/postinst configure
