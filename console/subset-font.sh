#!/bin/sh
# Makes console/src/theme/inter/basic.woff2: the characters and weights of nearly every page. The
# result is committed, because it is made by Python. Run again after an update of Inter.
set -eu
cd "$(dirname "$0")"
TOOLS=$(mktemp -d)
trap 'rm -rf "$TOOLS"' EXIT
python3 -m venv "$TOOLS"
"$TOOLS/bin/pip" install --quiet fonttools==4.68.0 brotli==1.2.1
INTER=../node_modules/@fontsource-variable/inter
"$TOOLS/bin/fonttools" varLib.instancer --quiet \
  "$INTER/files/inter-latin-wght-normal.woff2" wght=400:700 -o "$TOOLS/weights.ttf"
# The same characters as in src/theme/fonts.css. The license stays in the font's name table.
"$TOOLS/bin/pyftsubset" "$TOOLS/weights.ttf" --flavor=woff2 --no-hinting --name-IDs='*' \
  --layout-features=kern,tnum --output-file=src/theme/inter/basic.woff2 \
  --unicodes=20-7E,A0,A5,B1,B7,D7,2009,2010-2014,2018-201E,2022,2026,202F,20AC,2191,2193,2212
cp "$INTER/LICENSE" src/theme/inter/LICENSE
