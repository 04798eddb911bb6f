/* kite.h: the graph that tests of graph networks share: 0 -> 1 -> 3, 0 -> 2 -> 3, and 4 alone. */
#pragma once

#include "engine/learn/nn/segment.h"

#define KITE_N 5

extern const GobanSegments kite_predecessors;
extern const GobanSegments kite_successors;
