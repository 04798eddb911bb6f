/* dot-names.h: the attributes that dot.c reads and writes.
 *
 * Times without a unit are in the reader's time unit and are written in microseconds.
 *   nodes: op, label
 *          time (weight, cost)     on any kind of device, "never" if it cannot run
 *          "time:KIND"             on one kind
 *          bytes (size)            of the output; of each output, separated by commas
 *          memory                  resident bytes
 *          flops, macs, read_bytes, written_bytes, param_bytes, param_count
 *          colocation              nodes of one word share a device
 *          phase, time_source, size_source
 *   edges: time (weight, cost)     to move what it carries
 *          "time:KIND>KIND"        between these kinds
 *          bytes (size)            of what it carries
 *          tensor                  which output of its tail it carries, from 0
 *          control                 true: nothing but an order of execution
 *
 * An edge with a time or bytes of its own and without "tensor" carries a tensor of its
 * own; the edges of a node that have neither share one.
 *
 * Names are read in capitals or small letters ("Weight"). Where an object has several, names in the
 * order above count before those behind, and the spelling above before any other.
 */
#pragma once

#define GOBAN_DOT_OP "op"
#define GOBAN_DOT_TIME "time"
#define GOBAN_DOT_TIMES GOBAN_DOT_TIME, "weight", "cost"
#define GOBAN_DOT_TIME_PREFIX "time:"
#define GOBAN_DOT_NEVER "never"
#define GOBAN_DOT_BYTES "bytes"
#define GOBAN_DOT_SIZES GOBAN_DOT_BYTES, "size"
#define GOBAN_DOT_MEMORY "memory"
#define GOBAN_DOT_COLOCATION "colocation"
#define GOBAN_DOT_PHASE "phase"
#define GOBAN_DOT_TIME_SOURCE "time_source"
#define GOBAN_DOT_SIZE_SOURCE "size_source"
#define GOBAN_DOT_TENSOR "tensor"
#define GOBAN_DOT_CONTROL "control"
