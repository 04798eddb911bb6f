#!/bin/sh
# Writes the samples that are generated: samples.sh [FOLDER]; a test compares them byte by byte.
# CLI is the program, that of the build folder unless told.
set -eu
cd "$(dirname "$0")/../.."
cli=${CLI:-_b/app/cli/goban-cli}
folder=${1:-samples}

sample () {
  "$cli" generate "$2" -o "$folder/$1.json"
}

sample rnnlm-coarse          rnnlm:layers=4,granularity=coarse
sample gnmt-coarse           gnmt:layers=4,granularity=coarse
sample transformer-xl-coarse transformer-xl:layers=4,granularity=coarse
sample inception-v3-coarse   inception-v3:granularity=coarse
sample amoebanet-coarse      amoebanet:layers=6,granularity=coarse
sample wavenet-coarse        wavenet:granularity=coarse
