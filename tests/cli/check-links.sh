#!/bin/sh
# goban-cli runs where there is no window system: neither it nor what it needs links GTK.
libraries=$(ldd "$1") || exit 1
case $libraries in *libglib-2.0*) ;; *) echo "ldd tells nothing of $1"; exit 1 ;; esac
if printf '%s\n' "$libraries" | grep -iE 'libgtk|libgdk-[0-9]'; then
  echo "$1 links a toolkit"
  exit 1
fi
