/* protobuf-kinds.h: shapes of all protobuf messages that are recognised here.
 *
 * They stand together because each must leave the files of all others alone. Field numbers are
 * those of the formats' own schemas.
 */
#pragma once

#include "engine/io/protobuf-probe.h"

G_BEGIN_DECLS

extern const GobanProbeShape goban_probe_chakra_metadata; /* without signs: it may be empty */
extern const GobanProbeShape goban_probe_chakra_node;
extern const GobanProbeShape goban_probe_cost_graph;
extern const GobanProbeShape goban_probe_graph_def;
extern const GobanProbeShape goban_probe_hlo_module;
extern const GobanProbeShape goban_probe_meta_graph;
extern const GobanProbeShape goban_probe_onnx_model;
extern const GobanProbeShape goban_probe_saved_model;
extern const GobanProbeShape goban_probe_xspace;

G_END_DECLS
