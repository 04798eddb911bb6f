/* formats.h: one row per format, for the table in io.c alone.
 *
 * A format is added by defining its row in a file of its own, declaring it here and
 * naming it in the table.
 */
#pragma once

#include "engine/io/io.h"

extern const GobanFormat goban_format_chakra;
extern const GobanFormat goban_format_chrome_trace;
extern const GobanFormat goban_format_cost_graph;
extern const GobanFormat goban_format_cost_graph_binary;
extern const GobanFormat goban_format_dot;
extern const GobanFormat goban_format_graphdef;
extern const GobanFormat goban_format_gxl;
extern const GobanFormat goban_format_hlo;
extern const GobanFormat goban_format_json;
extern const GobanFormat goban_format_model_explorer;
extern const GobanFormat goban_format_moirai;
extern const GobanFormat goban_format_msr;
extern const GobanFormat goban_format_onnx;
extern const GobanFormat goban_format_ort_profile;
extern const GobanFormat goban_format_pipedream;
extern const GobanFormat goban_format_stg;
extern const GobanFormat goban_format_torch_export;
