#!/bin/sh
# Gets ONNX Runtime's library for the tests of measurements, from the npm package that ships it, and
# prints its folder: export GOBAN_ONNXRUNTIME="$(scripts/dev/onnxruntime.sh)"
set -eu

version=1.20.1
folder=${1:-${XDG_CACHE_HOME:-$HOME/.cache}/goban/onnxruntime-$version}
case $(uname -m) in
x86_64) machine=x64 ;;
aarch64) machine=arm64 ;;
*)
  echo "onnxruntime.sh: the package has no library for $(uname -m)" >&2
  exit 1
  ;;
esac
if ! ls "$folder"/node_modules/onnxruntime-node/bin/*/linux/$machine/libonnxruntime.so.1 \
    > /dev/null 2>&1; then
  # Its install script gets libraries for other processors, which are not needed.
  npm install --prefix "$folder" --ignore-scripts "onnxruntime-node@$version" > /dev/null
fi
dirname "$folder"/node_modules/onnxruntime-node/bin/*/linux/$machine/libonnxruntime.so.1
