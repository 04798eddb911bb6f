# setup.sh: installs what is missing, configures and builds. Sourced by start and check.
#
# setup_packages BUILD [TEST] looks up what is missing with the system's own package manager and
# installs just that. Without root it uses sudo; without sudo it prints the one command and stops.
# shellcheck shell=sh source=scripts/dev/packages.sh

. scripts/dev/packages.sh

say () {
  printf '%s\n' "$*" >&2
}

die () {
  say "$*"
  exit 1
}

find_distribution () {
  if command -v apt-get >/dev/null 2>&1; then
    echo debian
  elif command -v dnf >/dev/null 2>&1; then
    echo fedora
  elif command -v pacman >/dev/null 2>&1; then
    echo arch
  fi
}

# Prints those of the packages given that are not installed. Of lua54|lua, one is enough.
list_missing () {
  case $distribution in
    debian) installed=$(dpkg-query -W -f='${Package} ${db:Status-Status}\n' "$@" 2>/dev/null || true) ;;
    fedora | arch) ;;
  esac
  for package; do
    first_of "$package" is_installed >/dev/null || echo "$package"
  done
}

is_installed () {
  case $distribution in
    debian) printf '%s\n' "$installed" | grep -qxF "$1 installed" ;;
    fedora) rpm -q --whatprovides "$1" >/dev/null 2>&1 ;;
    arch) pacman -T "$1" >/dev/null 2>&1 ;;
  esac
}

is_known () {
  case $distribution in
    debian) true ;;
    fedora) dnf -q info "$1" >/dev/null 2>&1 ;;
    arch) pacman -Si "$1" >/dev/null 2>&1 ;;
  esac
}

# first_of A|B TEST: prints the first for which the function TEST holds; fails if there is none.
first_of () {
  for alternative in $(echo "$1" | tr '|' ' '); do
    if "$2" "$alternative"; then
      echo "$alternative"
      return
    fi
  done
  return 1
}

# wait_for_lock COMMAND...: runs apt-get or its like; while another one holds the lock of the lists
# or of the packages, says so and tries again, for ten minutes at most. All output goes to standard
# error.
lock_tries=120
wait_for_lock () {
  while :; do
    code=0
    { said=$(LC_ALL=C "$@" 2>&1 >&3 3>&-) || code=$?; } 3>&2
    [ -z "$said" ] || say "$said"
    case $code:$said in
      0:*) return 0 ;;
      *'Could not get lock'*) [ "$lock_tries" -gt 0 ] || return "$code" ;;
      *) return "$code" ;;
    esac
    say "Another package manager is at work: waiting for it to end ..."
    lock_tries=$((lock_tries - 1))
    sleep 5
  done
}

install_packages () {
  case $distribution in
    debian)
      update="apt-get update -q"
      install="env DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends" ;;
    fedora) update='' install="dnf install -y" ;;
    arch) update='' install="pacman -S --needed --noconfirm" ;;
  esac
  # A system whose package lists were never fetched knows no package.
  by_hand="${update:+$update && }$install $*"

  if [ "$(id -u)" -eq 0 ]; then
    root=
  elif command -v sudo >/dev/null 2>&1; then
    root=sudo
  else
    die "These packages are missing, and there is neither root nor sudo to install them. Run as root:
  $by_hand"
  fi

  say "Installing: $*"
  if [ -n "$update" ]; then
    # shellcheck disable=SC2086
    wait_for_lock $root $update || die "The package lists could not be updated; see above. To try again, run as root:
  $by_hand"
  fi
  # shellcheck disable=SC2086
  wait_for_lock $root $install "$@" || die "The packages could not be installed; see above. To try again, run as root:
  $by_hand"
}

setup_packages () {
  distribution=$(find_distribution)
  if [ -z "$distribution" ]; then
    say "This system has neither apt-get, dnf nor pacman: install the packages of docs/install.md by hand."
    return
  fi

  wanted=
  for kind; do
    eval "wanted=\"\$wanted \$${distribution}_$kind\""
  done
  # shellcheck disable=SC2086
  missing=$(list_missing $wanted)
  if [ -n "$missing" ]; then
    # Releases of a distribution differ in names; the last name stands for a package that none knows.
    missing=$(for package in $missing; do
      case $package in
        *'|'*) first_of "$package" is_known || echo "${package##*|}" ;;
        *) echo "$package" ;;
      esac
    done)
    # shellcheck disable=SC2086
    install_packages $missing
  fi
}

# Hundreds of programs are linked, and GNU ld takes four times as long as gold, which comes with it, and
# gold twice as long as lld. (mold 1.10, Debian 12's, makes programs that the loader refuses.)
linker=
link_args=
if [ -z "${CC_LD:-}" ]; then
  if command -v ld.lld >/dev/null 2>&1; then
    linker=lld
    # A fifth less: two are linked at once anyway, and equal texts may stand in a program twice.
    link_args=-Dc_link_args=-Wl,-O0,--threads=1
  elif command -v ld.gold >/dev/null 2>&1; then
    linker=gold
  fi
fi

# The headers of GLib and GTK are half of what is compiled, so they are precompiled. ccache keeps
# objects built with them if it may trust the compiler's list of what was read, which also spares it
# a run of the preprocessor for every object it does not have.
export CCACHE_DEPEND=1 CCACHE_SLOPPINESS=pch_defines,time_macros

# build_in FOLDER [MESON OPTION...]: sources joined; quiet unless something is built or fails.
# Builds $targets, or everything where that is empty.
targets=
build_in () {
  folder=$1
  shift
  if [ ! -f "$folder/build.ninja" ]; then
    say "Configuring in $folder ..."
    # Line tables alone: stacks still have file and line.
    env ${linker:+CC_LD=$linker} meson setup "$folder" -Djoin=true -Db_pch=true -Dc_args=-g1 ${link_args:+"$link_args"} "$@" >"$folder.log" 2>&1 || { cat "$folder.log" >&2; die "The configuration failed."; }
    rm -f "$folder.log"
  fi
  # shellcheck disable=SC2086
  if ! ninja -C "$folder" -n $targets 2>/dev/null | grep -q 'no work to do'; then
    say "Building in $folder ..."
    ninja -C "$folder" $targets >"$folder/build.log" 2>&1 || { cat "$folder/build.log" >&2; die "The build failed."; }
  fi
}
