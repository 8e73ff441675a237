#!/bin/sh
# Makes a small project with a git history in a new folder: two commits together break a test that passed at the tag v1.
set -eu
mkdir "$1" && cd "$1"
git init -q .
commit() { git add -A; git -c user.name=Ada -c user.email=ada@example.org commit -q -m "$1"; }
printf 'def scale():\n    return 1\n\n\ndef offset():\n    return 0\n\n\ndef total(x):\n    return x * scale() + offset()\n' > calc.py
printf 'import calc\n\n\ndef test_total():\n    assert calc.total(5) < 12\n' > test_calc.py
commit "a calculator"
git tag v1
for name in about install usage; do echo "$name" > "$name.txt"; commit "text: $name"; done
sed -i 's/return 1/return 2/' calc.py; commit "scale by two"
echo news > news.txt; commit "news"
sed -i 's/return 0/return 3/' calc.py; commit "an offset of three"
