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

# Prints those of the packages given that are not installed.
list_missing () {
  case $distribution in
    debian)
      installed=$(dpkg-query -W -f='${Package} ${db:Status-Status}\n' "$@" 2>/dev/null || true)
      for package; do
        printf '%s\n' "$installed" | grep -qxF "$package installed" || echo "$package"
      done ;;
    fedora)
      for package; do
        rpm -q --whatprovides "$package" >/dev/null 2>&1 || echo "$package"
      done ;;
    arch)
      pacman -T "$@" || true ;;
  esac
}

install_packages () {
  case $distribution in
    debian) install="env DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends" ;;
    fedora) install="dnf install -y" ;;
    arch) install="pacman -S --needed --noconfirm" ;;
  esac

  if [ "$(id -u)" -eq 0 ]; then
    root=
  elif command -v sudo >/dev/null 2>&1; then
    root=sudo
  else
    die "These packages are missing, and there is neither root nor sudo to install them. Run as root:
  $install $*"
  fi

  say "Installing: $*"
  if [ "$distribution" = debian ]; then
    $root apt-get update -q >&2 || die "The package lists could not be updated; see above."
  fi
  # shellcheck disable=SC2086
  $root $install "$@" >&2 || die "The packages could not be installed; see above. To try again:
  $root $install $*"
}

setup_packages () {
  distribution=$(find_distribution)
  if [ -z "$distribution" ]; then
    say "This system has neither apt-get, dnf nor pacman: install the packages of README.md by hand."
    return
  fi

  wanted=
  for kind; do
    eval "wanted=\"\$wanted \$${distribution}_$kind\""
  done
  # shellcheck disable=SC2086
  missing=$(list_missing $wanted)
  if [ -n "$missing" ]; then
    # shellcheck disable=SC2086
    install_packages $missing
  fi
}

# Hundreds of programs are linked; GNU ld takes four times as long as any of these.
choose_linker () {
  for linker in mold lld gold; do
    if [ -z "${CC_LD:-}" ] && command -v "ld.$linker" >/dev/null 2>&1; then
      CC_LD=$linker
      export CC_LD
    fi
  done
}

# build_in FOLDER [MESON OPTION...]: quiet unless something is built or fails. Builds $targets, or
# everything where that is empty.
targets=
build_in () {
  folder=$1
  shift
  if [ ! -f "$folder/build.ninja" ]; then
    say "Configuring in $folder ..."
    choose_linker
    meson setup "$folder" "$@" >"$folder.log" 2>&1 || { cat "$folder.log" >&2; die "The configuration failed."; }
    rm -f "$folder.log"
  fi
  # shellcheck disable=SC2086
  if ! ninja -C "$folder" -n $targets 2>/dev/null | grep -q 'no work to do'; then
    say "Building in $folder ..."
    ninja -C "$folder" $targets >"$folder/build.log" 2>&1 || { cat "$folder/build.log" >&2; die "The build failed."; }
  fi
}
