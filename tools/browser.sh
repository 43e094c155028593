#!/usr/bin/env bash
# The browser that the tests of the pages drive. A tester's own machine may go without it; CI may not.
set -u
command -v chromium >/dev/null || command -v chromium-browser >/dev/null || command -v google-chrome >/dev/null && exit 0
as_root=$([ "$(id -u)" = 0 ] || echo "sudo -n")
$as_root apt-get update -qq >/dev/null 2>&1
if $as_root env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends chromium >/dev/null 2>&1; then
    echo "chromium installed for the tests of the pages"
    exit 0
fi
echo "*** chromium is not here and could not be installed: the tests marked 'browser' will be SKIPPED." >&2
echo "*** Next: sudo apt-get install chromium" >&2
[ "${CI:-}" = true ] && exit 1
exit 0
