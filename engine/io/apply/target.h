/* target.h: one row per framework, for the table in apply.c, and the work of its writer.
 *
 * A target is added by defining its row in a file of its own, declaring it here and naming it in
 * the table.
 */
#pragma once

#include "engine/io/apply/apply.h"

/* Inputs and outputs of a writer. Borrowed but for the texts. */
typedef struct
{
  const GobanApplyRequest *request;
  const GobanPlan *plan;
  const GobanGraph *graph;
  const GobanCluster *cluster;
  const char *path; /* of the file to be written */
  GBytes *source;   /* (nullable): of a target with a source_format */
  GString *text;    /* the file */
  GString *second;  /* the second file */
  const char *note; /* (nullable), translatable */
} GobanApplyWork;

struct _GobanApplyTarget
{
  const char *name; /* as the command line takes it */
  const char *framework;
  const char *blurb;
  const char *suffix;        /* ".onnx" */
  const char *second_suffix; /* (nullable): behind the path */
  const char *source_format; /* (nullable): a name of io.h */
  gboolean is_copy;          /* of the graph's file */
  gboolean (*write) (GobanApplyWork *work, GError **error);
};

extern const GobanApplyTarget goban_apply_accelerate;
extern const GobanApplyTarget goban_apply_llama_cpp;
extern const GobanApplyTarget goban_apply_model_explorer;
extern const GobanApplyTarget goban_apply_openvino;
extern const GobanApplyTarget goban_apply_ort;
extern const GobanApplyTarget goban_apply_ort_names;
extern const GobanApplyTarget goban_apply_tensorflow;
extern const GobanApplyTarget goban_apply_torch_pipelining;
