#!/bin/sh
# The first lines of ./scripts/start and ./scripts/check, with package managers that only write down
# what they are told: what is asked for on each distribution, as root, through sudo and without.
cd "$1" || exit 1
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
status=0

# fake NAME SCRIPT: a program on the PATH of the next run.
fake () {
  printf '#!/bin/sh\n%s\n' "$2" >"$work/bin/$1"
  chmod +x "$work/bin/$1"
}

# begin UID: nothing on the PATH but a shell's own tools, and an identity.
begin () {
  rm -rf "${work:?}/bin" "$work/log"
  mkdir "$work/bin"
  : >"$work/log"
  for tool in sh env cat grep printf tr dirname; do
    ln -s "$(command -v $tool)" "$work/bin/$tool" 2>/dev/null
  done
  fake id "echo $1"
}

# run KIND...: setup_packages in a shell of that PATH; what it says is in $said.
run () {
  said=$(LOG=$work/log PATH=$work/bin /bin/sh -eu -c '. scripts/dev/setup.sh; setup_packages "$@"' \
    sh "$@" 2>&1)
  code=$?
}

# want WHAT FILE_OR_TEXT PATTERN
want () {
  printf '%s\n' "$2" | grep -q -e "$3" && return
  echo "$1: nothing like “$3” in:
$2"
  status=1
}

want_code () {
  [ "$code" -eq "$2" ] || { echo "$1: exit code $code instead of $2: $said"; status=1; }
}

has_none='exit 1'
debian_has_gcc='for p; do case $p in -*) ;; gcc) echo "gcc installed" ;; esac; done; exit 1'
note='echo "${0##*/} $*" >>"$LOG"'

# Debian, as root: the lists are renewed, and just what is missing is installed.
begin 0
fake dpkg-query "$debian_has_gcc"
fake apt-get "$note"
run BUILD
want_code debian-root 0
want debian-root "$(cat "$work/log")" '^apt-get update'
want debian-root "$(cat "$work/log")" \
  '^apt-get install -y --no-install-recommends meson .*libgtk-4-dev'
grep -q ' gcc ' "$work/log" && { echo "debian-root: asks for what is there"; status=1; }
grep -q ' xvfb' "$work/log" && { echo "debian-root: start asks for what tests need"; status=1; }

# Debian, through sudo, with what the tests need.
begin 1000
fake dpkg-query "$debian_has_gcc"
fake apt-get "$note"
fake sudo 'echo "sudo $*" >>"$LOG"; exec "$@"'
run BUILD TEST
want_code debian-sudo 0
want debian-sudo "$(cat "$work/log")" \
  '^sudo env DEBIAN_FRONTEND=noninteractive apt-get install .* xvfb '

# Neither root nor sudo: the one command, and an end.
begin 1000
fake dpkg-query "$has_none"
fake apt-get "$note"
run BUILD
want_code debian-nobody 1
want debian-nobody "$said" 'neither root nor sudo'
# The lists of a system that was just installed are empty.
want debian-nobody "$said" '^  apt-get update .*&& env .*apt-get install -y .*libgtk-4-dev'
[ -s "$work/log" ] && { echo "debian-nobody: something was run"; status=1; }

# Nothing missing: nothing is said or run.
begin 1000
fake dpkg-query 'for p; do echo "$p installed"; done'
fake apt-get "$note"
run BUILD TEST
want_code debian-complete 0
[ -z "$said" ] && [ ! -s "$work/log" ] || { echo "debian-complete: said “$said”"; status=1; }

# A package manager that fails ends the script, and the command is told.
begin 0
fake dpkg-query "$has_none"
fake apt-get 'case $1 in update) ;; *) exit 100 ;; esac'
run BUILD
want_code debian-failing 1
want debian-failing "$said" 'could not be installed'

# Another package manager at work: its end is waited for, and that is said, for either lock.
begin 0
fake dpkg-query "$has_none"
fake sleep 'echo slept >>"$LOG"'
fake apt-get 'n=$(grep -c slept "$LOG"); echo "apt-get $*" >>"$LOG"
case $1:$n in
  update:0) echo "E: Could not get lock /var/lib/apt/lists/lock. Process 7" >&2; exit 100 ;;
  install:1) echo "E: Could not get lock /var/lib/dpkg/lock-frontend. - open (11)" >&2; exit 100 ;;
esac'
run BUILD
want_code debian-locked 0
want debian-locked "$said" 'Another package manager is at work: waiting'
[ "$(grep -c slept "$work/log") $(grep -c install "$work/log")" = '2 2' ] ||
  { echo "debian-locked: $(cat "$work/log")"; status=1; }

# One that never ends is given up.
begin 0
fake dpkg-query "$has_none"
fake sleep 'echo slept >>"$LOG"'
fake apt-get 'echo "E: Could not get lock /var/lib/apt/lists/lock." >&2; exit 100'
run BUILD
want_code debian-locked-for-ever 1
want debian-locked-for-ever "$said" 'lists could not be updated'
[ "$(grep -c slept "$work/log")" -eq 120 ] || { echo "debian-locked-for-ever: waits"; status=1; }

# A sudo that refuses is no reason to keep the command back.
begin 1000
fake dpkg-query "$has_none"
fake apt-get "$note"
fake sudo 'exit 1'
run BUILD
want_code debian-refused 1
want debian-refused "$said" 'run as root'
want debian-refused "$said" '^  apt-get update .*&& env .*apt-get install -y .*libgtk-4-dev'
[ -s "$work/log" ] && { echo "debian-refused: something was run"; status=1; }

# Fedora: of two names for a package, the one that this release knows; else the last.
begin 0
fake rpm 'case $3 in gcc) exit 0 ;; *) exit 1 ;; esac'
fake dnf 'case $* in "-q info lua-devel") ;; *info*) exit 1 ;; *) '"$note"' ;; esac'
run BUILD
want_code fedora 0
want fedora "$(cat "$work/log")" '^dnf install -y meson .*gtk4-devel .* lua-devel '
grep -q 'lua5.4-devel' "$work/log" &&
  { echo "fedora: asks for a package that is not known"; status=1; }

fake dnf \
  'case $* in "-q info lua5.4-devel" | "-q info lua-devel") ;;
     *info*) exit 1 ;; *) '"$note"' ;; esac'
: >"$work/log"
run BUILD
want fedora-later "$(cat "$work/log")" '^dnf install -y .* lua5.4-devel '

begin 1000
fake pacman 'case $1 in -T) [ "$2" = gcc ] ;; -Si) exit 1 ;; *) '"$note"' ;; esac'
fake sudo 'exec "$@"'
run BUILD TEST
want_code arch 0
want arch "$(cat "$work/log")" '^pacman -S --needed --noconfirm meson .*gtk4 .* lua .*clang'

# One of two names is installed: that is enough.
begin 1000
fake pacman 'case $1 in -T) [ "$2" != lua54 ] ;; *) '"$note"' ;; esac'
run BUILD TEST
want_code arch-complete 0
[ -z "$said" ] && [ ! -s "$work/log" ] || { echo "arch-complete: said “$said”"; status=1; }

# An unknown system is told what to do by hand, and the build goes on.
begin 1000
run BUILD
want_code elsewhere 0
want elsewhere "$said" 'docs/install.md'

# The tools that try and package the program name what they need before they begin.
begin 0
fake apt-get "$note"
for tool in unshare chroot git tar dpkg-buildpackage; do
  fake $tool "$note"
done
for script in fresh.sh:mmdebstrap package-deb.sh:debhelper; do
  said=$(LOG=$work/log PATH=$work/bin HOME=$work /bin/sh scripts/dev/${script%:*} 2>&1)
  code=$?
  want_code "${script%:*}" 2
  want "${script%:*}" "$said" "apt-get install ${script#*:}$"
done
[ -s "$work/log" ] && { echo "fresh.sh or package-deb.sh: something was run"; status=1; }

exit $status
