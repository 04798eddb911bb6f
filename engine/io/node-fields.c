#include "engine/io/node-fields.h"

const GobanNodeField goban_node_fields[GOBAN_N_NODE_FIELDS] = {
  { "flops", G_STRUCT_OFFSET (GobanNode, flops) },
  { "macs", G_STRUCT_OFFSET (GobanNode, macs) },
  { "read_bytes", G_STRUCT_OFFSET (GobanNode, read_bytes) },
  { "written_bytes", G_STRUCT_OFFSET (GobanNode, written_bytes) },
  { "param_bytes", G_STRUCT_OFFSET (GobanNode, param_bytes) },
  { "param_count", G_STRUCT_OFFSET (GobanNode, param_count) },
};

const char *const goban_source_names[GOBAN_N_SOURCES + 1] = { "measured", "given", "estimated" };

const char *const goban_phase_names[GOBAN_N_PHASES + 1] = { "forward", "backward", "update" };
