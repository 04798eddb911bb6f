# packages.sh: what each distribution calls the packages that Goban needs.
#
# Sourced by setup.sh. BUILD is what building and running needs, TEST what the test suite needs on
# top. docs/install.md names the same packages; tests/lint compares the two. MPI is what sharing
# work among machines needs, PROMPT what editing at goban-cli's prompt does: both are built and
# tested if they are there. a|b is the first that the package manager knows.
#
# Goban needs Lua 5.4, neither older nor newer; meson.build refuses others. Debian has
# liblua5.4-dev. Fedora's lua-devel is 5.4 up to Fedora 44 and 5.5 from Fedora 45 on, where we know
# of no package with the headers of 5.4; should one come, lua5.4-devel is its likely name. Arch's lua
# is 5.4 until it moves on, when the old version becomes lua54, as lua53 and lua52 did. The Debian
# lists are tested from a minimal system by scripts/dev/fresh.sh; those of Fedora and Arch were
# compared with the distributions' own lists, not installed.
# shellcheck shell=sh disable=SC2034

debian_BUILD="gcc meson ninja-build pkg-config gettext python3-minimal libgtk-4-dev libgtksourceview-5-dev
  libcairo2-dev libpango1.0-dev libpng-dev zlib1g-dev libgraphviz-dev
  libarchive-dev liblua5.4-dev libglib2.0-dev
  libjson-glib-dev libprotobuf-c-dev protobuf-c-compiler libonnx-dev libmetis-dev
  libopenblas-dev
  coinor-libclp-dev adwaita-icon-theme librsvg2-common fonts-dejavu-core"
debian_TEST="xvfb xdotool imagemagick dbus-daemon desktop-file-utils appstream clang-format lld"
debian_PROMPT="libedit-dev"
debian_MPI="openmpi-bin libopenmpi-dev"

fedora_BUILD="gcc meson ninja-build pkgconf-pkg-config gettext python3 gtk4-devel gtksourceview5-devel
  cairo-devel pango-devel libpng-devel zlib-devel graphviz-devel libarchive-devel
  lua5.4-devel|lua-devel glib2-devel json-glib-devel
  protobuf-c-devel protobuf-c-compiler onnx-devel metis-devel openblas-devel coin-or-Clp-devel adwaita-icon-theme
  dejavu-sans-fonts"
fedora_TEST="xorg-x11-server-Xvfb xdotool ImageMagick dbus-daemon desktop-file-utils appstream
  clang-tools-extra lld"
fedora_PROMPT="libedit-devel"
fedora_MPI="openmpi openmpi-devel"

arch_BUILD="gcc meson ninja pkgconf gettext python gtk4 gtksourceview5 cairo pango libpng zlib
  graphviz libarchive
  lua54|lua
  glib2 json-glib protobuf-c onnx metis openblas coin-or-clp adwaita-icon-theme ttf-dejavu"
arch_TEST="xorg-server-xvfb xdotool imagemagick dbus desktop-file-utils appstream clang lld"
arch_PROMPT="libedit"
arch_MPI="openmpi"
