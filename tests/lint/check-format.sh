#!/bin/sh
# The formatter is law: a file that it would change fails. Skipped where it is not installed, or
# where its version differs from the one the sources were formatted with.
cd "$1" || exit 1
command -v clang-format >/dev/null 2>&1 || { echo "skipped: no clang-format"; exit 77; }
case $(clang-format --version) in
  *' 14.'*) ;;
  *) echo "skipped: the sources are formatted with clang-format 14"; exit 77 ;;
esac
find engine ui app tests -name '*.[ch]' -print0 \
  | xargs -0 clang-format --style=file:scripts/dev/clang-format.yml --dry-run --Werror
