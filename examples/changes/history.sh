#!/bin/sh
# Makes a small git repository: a shop whose bill was right at v1.0 and is wrong now. Usage: history.sh FOLDER
set -eu
mkdir "$1"
cd "$1"
git init -q -b main
day=0
commit() {
    day=$((day + 1))
    git add -A
    GIT_AUTHOR_DATE="2024-03-0${day}T12:00:00Z" GIT_COMMITTER_DATE="2024-03-0${day}T12:00:00Z" \
        git -c user.name="$1" -c user.email="$1@example.com" commit -q -m "$2"
}

cat > prices.py <<'END'
PRICES = {"tea": 300, "cup": 450}


def price(item):
    return PRICES[item]


def total(items):
    return sum(price(item) for item in items)
END
cat > bill.py <<'END'
from prices import total


def line(name, amount):
    return f"{name:10}{amount:8}"


def bill(items):
    return line("total", total(items))
END
cat > test_bill.py <<'END'
from bill import bill

assert bill(["tea", "cup"]).split() == ["total", "750"], bill(["tea", "cup"])
END
commit ada "A shop"
git tag v1.0

printf '# The shop\n' > README.md
commit ada "A readme"

sed -i.bak 's/{name:10}{amount:8}/{name:12}{amount:10}/' bill.py
rm bill.py.bak
commit bob "Wider bills"

cat > rebates.py <<'END'
def rebate(items):
    return 50 if len(items) > 1 else 0
END
commit cleo "Rebates, to be used later"

sed -i.bak 's/^PRICES/from rebates import rebate\n\nPRICES/; s/for item in items)/for item in items) - rebate(items)/' prices.py
rm prices.py.bak
commit bob "Rebates for two things"

sed -i.bak 's/"cup": 450/"cup": 450, "pot": 1500/' prices.py
rm prices.py.bak
commit ada "Pots"
