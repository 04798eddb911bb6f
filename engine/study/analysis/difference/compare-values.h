/* compare-values.h: node values of several runs under one colouring, with shared or separate
 * ramps.
 *
 * Unless each is to have a ramp of its own they share one, over the range of all: the same colour
 * is the same number, in whichever picture it stands. Rank colourings keep separate ramps, because
 * ranks of different plans do not compare. Any thread.
 *
 * Decision U48 (ui/NOTES.md).
 */
#pragma once

#include "engine/study/analysis/node-values.h"

/**
 * goban_compare_values_new:
 * @color: a word of coloring.h
 * @runs: (element-type GobanRun): of one graph
 *
 * O(N log N) for each run.
 *
 * Returns: (transfer full) (element-type GobanNodeValues): one for each run, (nullable): NULL if no
 *   values are known
 */
GPtrArray *goban_compare_values_new (const char *color, GPtrArray *runs,
                                     gboolean has_own_scales) G_GNUC_WARN_UNUSED_RESULT;
