/* workload-probe.h: checks of generated graphs, shared by the tests of all model families. */
#pragma once

#include "engine/graph/graph.h"

/* (transfer full): the graph of a spec that must be right. */
GobanGraph *probe_generate (const char *spec) G_GNUC_WARN_UNUSED_RESULT;

double probe_params (const GobanGraph *graph);
double probe_macs (const GobanGraph *graph, GobanPhase phase);
/* Nodes of a type of op. */
guint probe_count (const GobanGraph *graph, const char *op);
/* The first tensor of a node that must be there. */
const GobanTensor *probe_output (const GobanGraph *graph, const char *name);

/* The same nodes and edges, whatever the sizes. */
void probe_same_structure (const GobanGraph *a, const GobanGraph *b);
/* Every trained variable is applied once, and gradients are all of a backward phase. */
void probe_training (const GobanGraph *graph, const char *apply_op);
/* One P100 takes between the two times for a step. */
void probe_step_time (GobanGraph *graph, double least_s, double most_s);
/* The coarse graph of @spec has tens of nodes, and all that @graph has. */
void probe_coarse (const GobanGraph *graph, const char *spec);
