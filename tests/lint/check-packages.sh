#!/bin/sh
# Every package that the scripts install is named in docs/install.md.
cd "$1" || exit 1
. scripts/dev/packages.sh
status=0
for list in "$debian_BUILD" "$debian_TEST" "$fedora_BUILD" "$arch_BUILD"; do
  for package in $(echo "$list" | tr '|' ' '); do
    grep -qw -- "$package" docs/install.md || {
      echo "docs/install.md does not name $package"
      status=1
    }
  done
done
exit $status
