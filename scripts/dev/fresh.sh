#!/bin/sh
# Runs the commands of README.md on a minimal Debian: fresh.sh [OPTION...] [COMMAND...]
#
#   start         ./scripts/start, twice, headless; its pictures must be there, and the second run
#                 must build nothing
#   quick, check  ./scripts/check --quick, ./scripts/check: the last line must count no failure
#   FILE.deb...   installs the packages of package-deb.sh one by one, in a root of their own, and
#                 runs the programs
#   --as WHO      root; sudo: a user with sudo (default); user: one without, for whom root runs the
#                 command printed
#   --cache DIR   where roots, packages and logs are kept (~/.cache/goban/fresh)
#   --renew       makes the minimal root again
#   --keep        leaves the root of this run in the cache, as "kept"
#   --again       goes on in the root that was kept, with the files of HEAD
#
# The root has what debootstrap's minbase has: no compiler, git, python, locale, font, display or
# D-Bus, and no /dev/shm. The files are those of HEAD; the environment is empty; the home folder has
# spaces and umlauts in its name. Release, mirror, proxy and keys are those of this system's apt.
# Needs Debian, mmdebstrap, and root or user namespaces with /etc/subuid. Nothing is mounted outside
# a namespace of the run, which ends with it.
# shellcheck shell=sh
set -eu

say () {
  printf '%s\n' "$*" >&2
}

die () {
  say "fresh.sh: $*"
  exit 2
}

# ---- Outside: the minimal root, and a namespace to run in --------------------------------------

check_host () {
  command -v apt-get >/dev/null 2>&1 || die "this needs a system with apt, such as Debian."
  for tool in mmdebstrap:mmdebstrap unshare:util-linux chroot:coreutils git:git tar:tar; do
    command -v "${tool%:*}" >/dev/null 2>&1 ||
      die "${tool%:*} is missing. Install it: apt-get install ${tool#*:}"
  done
  if [ "$(id -u)" -ne 0 ]; then
    command -v newuidmap >/dev/null 2>&1 ||
      die "without root this needs newuidmap. Install it: apt-get install uidmap"
    unshare $namespace true 2>/dev/null ||
      die "this needs root, or user namespaces and a range for $(id -un) in /etc/subuid and" \
        "/etc/subgid."
  fi
}

# One line of sources.list for each part of the Debian archive that apt knows here.
list_sources () {
  apt-get indextargets --format 'deb $(REPO_URI) $(RELEASE) $(COMPONENT) #$(ORIGIN)' \
      'Created-By: Packages' |
    sed -n 's/ #Debian$//p' | sort -u
}

# What apt fetches with: proxies, timeouts, checks. Lists of indices are the archive's own.
list_apt_options () {
  apt-config dump Acquire | grep '^Acquire::' | grep -v '^Acquire::\(IndexTargets\|cdrom\)' || true
  [ -z "${http_proxy:-}" ] || printf 'Acquire::http::Proxy "%s";\n' "$http_proxy"
  [ -z "${https_proxy:-}" ] || printf 'Acquire::https::Proxy "%s";\n' "$https_proxy"
}

copy_keys () {
  mkdir -p "$1"
  find /etc/apt/trusted.gpg.d -type f -exec cp -t "$1" {} +
  cat /etc/apt/sources.list /etc/apt/sources.list.d/*.list \
      /etc/apt/sources.list.d/*.sources 2>/dev/null |
    grep -ioE 'signed-by *[=:] *[^] ]+' | sed 's/^[^=:]*[=:] *//' | tr ',' '\n' | sort -u |
    while read -r key; do [ ! -f "$key" ] || cp -t "$1" "$key"; done
}

make_base () {
  list_sources >"$run/sources"
  # Not bookworm-security or bookworm-updates.
  release=$(sed -n 's/^deb [^ ]* \([^ /-]*\) .*/\1/p' "$run/sources" | head -n 1)
  [ -n "$release" ] || die "apt knows no Debian archive here. If it should, run: apt-get update"
  base=$cache/$release-$(dpkg --print-architecture).tar
  list_apt_options >"$run/apt.conf"
  copy_keys "$run/keys"
  [ "$renew" = yes ] || [ ! -f "$base" ] || return 0
  say "Making the minimal root $base ..."
  # apt reads keys as a user of its own, to whom root's home, with the cache in it, may be closed.
  keys=$(mktemp -d)
  chmod 755 "$keys"
  cp -t "$keys" "$run"/keys/*
  more=
  ! grep -q ' https:' "$run/sources" || more=--include=ca-certificates
  mmdebstrap --quiet --variant=minbase $more --aptopt="$run/apt.conf" --keyring="$keys" \
    "$release" "$run/base.tar" "$run/sources" >"$run/base.log" 2>&1 ||
    { cat "$run/base.log" >&2; die "the minimal root could not be made; see above."; }
  mv "$run/base.tar" "$base"
}

clean_up () {
  code=$?
  trap - EXIT HUP INT TERM
  [ -z "$keys" ] || rm -rf "$keys"
  # unshare blocks SIGTERM; its death kills all that runs in the namespace.
  [ -z "${child:-}" ] || { kill -KILL "$child" && wait "$child"; } 2>/dev/null || true
  if [ "$keep" = yes ]; then
    if [ "$run" != "$cache/kept" ]; then
      unshare $namespace rm -rf --one-file-system "$cache/kept"
      mv "$run" "$cache/kept"
    fi
    say "Kept: $cache/kept"
  else
    # Files of the root belong to other ids if there is a user namespace. There is nothing mounted
    # here.
    unshare $namespace rm -rf --one-file-system "$run"
  fi
  exit $code
}

outside () {
  who=sudo
  cache=${XDG_CACHE_HOME:-$HOME/.cache}/goban/fresh
  renew=no
  keep=no
  again=no
  commands=
  namespace=--mount
  [ "$(id -u)" -eq 0 ] || namespace="--mount --user --map-auto --map-root-user"
  run=
  keys=
  while [ $# -gt 0 ]; do
    case $1 in
      --as) who=${2:-}; shift ;;
      --cache) cache=${2:?}; shift ;;
      --renew) renew=yes ;;
      --keep) keep=yes ;;
      --again) again=yes keep=yes ;;
      start | check | quick) commands="$commands $1" ;;
      *.deb) break ;;
      *) sed -n '2,/^# shellcheck/s/^# \{0,1\}//p' scripts/dev/fresh.sh |
           grep -v '^shellcheck' >&2
         exit 2 ;;
    esac
    shift
  done
  case $who in root | sudo | user) ;; *) die "--as takes root, sudo or user, not “$who”" ;; esac
  [ -n "$commands" ] || [ $# -gt 0 ] || commands=" start check"

  check_host
  mkdir -p "$cache/archives" "$cache/logs"
  cache=$(cd "$cache" && pwd)
  if [ "$again" = yes ]; then
    run=$cache/kept
    [ -d "$run/tree" ] || die "there is no root that was kept in $run"
    who=$(cat "$run/who")
  else
    run=$(mktemp -d "$cache/run.XXXXXX")
    chmod 755 "$run"
    echo "$who" >"$run/who"
  fi
  trap clean_up EXIT
  trap 'exit 130' HUP INT TERM
  make_base
  rm -rf "$run/debs"
  mkdir "$run/debs"
  [ $# -eq 0 ] || (cd "$caller" && cp -t "$run/debs" "$@") || die "there are no such packages: $*"
  git archive --format=tar HEAD >"$run/tree.tar"
  if [ "$again" = yes ]; then
    # Just what has changed, for else everything would be built again.
    git diff --name-only --no-renames --diff-filter=d "$(cat "$run/commit")" HEAD >"$run/changed"
    git diff --name-only --no-renames --diff-filter=D "$(cat "$run/commit")" HEAD >"$run/removed"
  fi
  git rev-parse HEAD >"$run/commit"
  git diff --quiet HEAD || say "What is not committed is left out."
  ls "$run/debs" >"$run/debs.list"

  # In the background, for the shell to hear signals while it waits.
  unshare $namespace --pid --ipc --fork --kill-child \
    sh scripts/dev/fresh.sh --inside "$run" "$base" "$cache" "$who" "$commands" \
    </dev/null &
  child=$!
  code=0
  wait $child || code=$?
  child=
  exit $code
}

# ---- Inside: one run in the namespace ----------------------------------------------------------

home='/home/Zoë von Åsten'
tree="$home/Goban (1)"

# unpack NAME: a new minimal root in $root, with the settings of this system's apt.
unpack () {
  root=$run/$1
  rm -rf --one-file-system "$root"
  mkdir "$root"
  tar -C "$root" -xpf "$base" --exclude='./dev/*'
  rm -rf "$root"/var/lib/apt/lists/*
  cp "$run/sources" "$root/etc/apt/sources.list"
  rm -f "$root"/etc/apt/sources.list.d/*
  cp "$run/apt.conf" "$root/etc/apt/apt.conf.d/10fetching"
  cp -t "$root/etc/apt/trusted.gpg.d" "$run"/keys/*
  # As on a system that was just installed, no service is started by an installation.
  printf '#!/bin/sh\nexit 101\n' >"$root/usr/sbin/policy-rc.d"
  chmod 755 "$root/usr/sbin/policy-rc.d"
  mount_devices
}

# The devices that every system has, the network's names, and the packages that were fetched before.
mount_devices () {
  mount -t proc proc "$root/proc"
  mount -t tmpfs -o mode=755 dev "$root/dev"
  for device in null zero full random urandom tty; do
    : >"$root/dev/$device"
    mount --bind "/dev/$device" "$root/dev/$device"
  done
  ln -s /proc/self/fd "$root/dev/fd"
  mkdir "$root/dev/pts"
  mount -t devpts -o newinstance,ptmxmode=666 devpts "$root/dev/pts" 2>/dev/null || true
  ln -s pts/ptmx "$root/dev/ptmx"
  mount --bind "$cache/archives" "$root/var/cache/apt/archives"
  cp -L -t "$root/etc" /etc/resolv.conf /etc/hosts
}

# in_root UID COMMAND...: with nothing in the environment but what a login sets.
in_root () {
  uid=$1
  shift
  paths=/usr/local/bin:/usr/bin:/bin
  [ "$uid" -ne 0 ] || paths=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin
  chroot --userspec="$uid:$uid" --groups="$uid" "$root" \
    /usr/bin/env -i PATH="$paths" HOME="$home" SHELL=/bin/sh "$@" \
    </dev/null
}

# timed NAME UID COMMAND...: into a log of that name; its exit code is in $code.
timed () {
  log=$cache/logs/$who-$1.log
  what=$1
  shift
  began=$(date +%s)
  code=0
  in_root "$@" >"$log" 2>&1 || code=$?
  printf '%-5s %-16s %5d s, exit code %d: %s\n' \
    "$who" "$what" $(($(date +%s) - began)) "$code" "$(tail -n 1 "$log")"
}

# fail WORDS: with the end of the last log.
fail () {
  say "FAILED: $*"
  say "The end of $log:"
  tail -n 40 "$log" >&2
  exit 1
}

make_user () {
  if [ "$who" = sudo ]; then
    timed prepare-sudo 0 sh -c \
      'apt-get update -q && apt-get install -y --no-install-recommends sudo'
    [ "$code" -eq 0 ] || fail "sudo cannot be installed"
    echo 'goban ALL=(ALL) NOPASSWD: ALL' >"$root/etc/sudoers.d/goban"
    rm -rf "$root"/var/lib/apt/lists/*
  fi
  mkdir -p "$root$tree"
  tar -C "$root$tree" -xf "$run/tree.tar"
  if [ "$who" != root ]; then
    in_root 0 useradd --no-create-home --home-dir "$home" --uid 1000 --shell /bin/sh goban
    chown -R 1000:1000 "$root$home"
  fi
}

# The tree of a root that was kept, with what was committed since.
update_tree () {
  root=$run/tree
  mount_devices
  tar -C "$root$tree" -xf "$run/tree.tar" --verbatim-files-from -T "$run/changed"
  (cd "$root$tree" && while read -r file; do rm -f "$file"; done) <"$run/removed"
  [ "$user" -eq 0 ] || chown -R "$user:$user" "$root$home"
}

# command_in_tree NAME LINE: a line of the shell, in the tree.
command_in_tree () {
  timed "$1" "$user" sh -c 'cd "$1" && eval "$2"' sh "$tree" "$2"
}

run_start () {
  if [ "$who" = user ]; then
    command_in_tree start-refused './scripts/start samples/resnet-50.onnx'
    [ "$code" -eq 1 ] || fail "without root and sudo, start ends with $code instead of 1"
    line=$(sed -n 's/^  \(.*apt-get install .*\)/\1/p' "$log")
    [ -n "$line" ] || fail "start prints no command for root"
    timed start-as-told 0 sh -c "$line"
    [ "$code" -eq 0 ] || fail "the command that start prints for root fails"
  fi
  command_in_tree start './scripts/start samples/resnet-50.onnx'
  [ "$code" -eq 0 ] || fail "./scripts/start"
  for file in graph.svg timeline.svg plan.json trace.json; do
    [ -s "$root$tree/goban-out/resnet-50.$file" ] || fail "./scripts/start wrote no $file"
  done
  command_in_tree start-again './scripts/start samples/resnet-50.onnx'
  [ "$code" -eq 0 ] || fail "./scripts/start, a second time"
  ! grep -q '^\(Configuring\|Building\|Installing\)' "$log" ||
    fail "a second ./scripts/start builds again"
}

run_check () {
  if [ "$who" = user ]; then
    command_in_tree check-refused "./scripts/check $1"
    line=$(sed -n 's/^  \(.*apt-get install .*\)/\1/p' "$log")
    [ -z "$line" ] || timed check-as-told 0 sh -c "$line"
    [ "$code" -eq 0 ] || fail "the command that check prints for root fails"
  fi
  command_in_tree "check${1:+-quick}" "./scripts/check $1"
  [ "$code" -eq 0 ] || fail "./scripts/check $1"
  tail -n 1 "$log" | grep -q '^[1-9][0-9]* passed, 0 failed' ||
    fail "./scripts/check counts failures"
}

# The programs work from their packages alone: the tool without GTK, then the window.
run_packages () {
  unpack packages
  mkdir -p "$root/debs" "$root$home"
  cp -t "$root/debs" "$run"/debs/*.deb
  timed lists 0 apt-get update -q
  [ "$code" -eq 0 ] || fail "apt-get update"
  timed install-cli 0 sh -c 'apt-get install -y --no-install-recommends /debs/goban-cli_*.deb'
  [ "$code" -eq 0 ] || fail "goban-cli cannot be installed"
  ! in_root 0 dpkg-query -W -f '${Package}\n' | grep '^libgtk' ||
    fail "goban-cli brings GTK with it"
  timed cli-compare 0 sh -c \
    'cd /tmp && goban-cli compare "$(goban-cli -e "print(app.sample \"toy\")")" \
      --policies heft,regal,metis'
  [ "$code" -eq 0 ] || fail "goban-cli compare"
  timed cli-render 0 sh -c 'cd /tmp &&
    goban-cli render /usr/share/goban/samples/toy.dot --view graph -o toy.svg && test -s toy.svg'
  [ "$code" -eq 0 ] || fail "goban-cli render"
  timed cli-folders 0 sh -c 'cd /usr/share/goban/policies && mv regal.net /tmp && {
    goban-cli place ../samples/toy.dot \
    --policy regal; code=$?; mv /tmp/regal.net .; test $code -ne 0; }'
  [ "$code" -eq 0 ] && [ "$(grep -o /usr/share/goban/policies "$log" | wc -l)" -eq 1 ] ||
    fail "goban-cli does not name the one folder in which it looked for a network"
  timed install-window 0 sh -c 'apt-get install -y --no-install-recommends /debs/goban_*.deb'
  [ "$code" -eq 0 ] || fail "goban cannot be installed"
  timed window-version 0 goban --version
  [ "$code" -eq 0 ] || fail "goban --version"
  timed install-xvfb 0 sh -c \
    'apt-get install -y --no-install-recommends xvfb xauth xdotool imagemagick'
  [ "$code" -eq 0 ] || fail "xvfb cannot be installed"
  # By class: in the C locale a title in UTF-8 is found by no name.
  timed window 0 xvfb-run -s '-screen 0 1600x1000x24' sh -c '
    goban /usr/share/goban/samples/toy.dot &
    for i in $(seq 60); do
      sleep 1
      xdotool search --onlyvisible --class goban && sleep 3 &&
        import -window root /tmp/window.png && kill $! && exit
    done
    exit 1'
  [ "$code" -eq 0 ] || fail "goban shows no window"
  cp "$root/tmp/window.png" "$cache/logs/window.png"
  say "A picture of the window: $cache/logs/window.png"
}

inside () {
  run=$1 base=$2 cache=$3 who=$4 commands=$5
  user=1000
  [ "$who" != root ] || user=0
  mount --make-rprivate /
  if [ -n "$commands" ] && [ -f "$run/changed" ]; then
    update_tree
  elif [ -n "$commands" ]; then
    unpack tree
    make_user
  fi
  for command in $commands; do
    case $command in
      start) run_start ;;
      quick) run_check --quick ;;
      check) run_check '' ;;
    esac
  done
  if [ -s "$run/debs.list" ]; then run_packages; fi
}

if [ "${1:-}" = --inside ]; then
  shift
  inside "$@"
  exit # For a shell reads on, and the file may have been edited meanwhile.
else
  caller=$PWD
  cd "$(dirname "$0")/../.."
  outside "$@"
fi
