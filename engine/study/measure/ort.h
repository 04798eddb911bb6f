/* ort.h: ONNX Runtime's library, loaded at run time, and the sessions and tensors that it makes.
 *
 * The library is optional. It is looked for at the path that the user names, then at that of the
 * environment variable GOBAN_ONNXRUNTIME, then under its usual names where the dynamic linker
 * looks, then in the folder that pkg-config named when the program was built. A path may be a
 * folder. Once loaded, it stays until the program ends.
 *
 * A session runs its whole model in the calling thread, node by node, without optimisation, so that
 * each node of the model is one kernel. Sessions may run in different threads at the same time.
 */
#pragma once

#include "engine/io/onnx/onnx-tensor.h"

#define GOBAN_ORT_VARIABLE "GOBAN_ONNXRUNTIME"

typedef struct _GobanOrt GobanOrt;
typedef struct _GobanOrtSession GobanOrtSession;
/* A tensor of the library. */
typedef struct _OrtValue GobanOrtValue;

/**
 * goban_ort_load:
 * @path: (nullable): the library, or a folder that has it
 *
 * Returns: (transfer full) (nullable): %NULL with %GOBAN_ERROR_UNSUPPORTED set, whose message says
 *   how to get the library
 */
GobanOrt *goban_ort_load (const char *path, GError **error) G_GNUC_WARN_UNUSED_RESULT;
void goban_ort_free (GobanOrt *self);

/* "1.20.1" */
const char *goban_ort_get_version (const GobanOrt *self);

/* --- sessions -------------------------------------------------------------------------------- */

/* @profile (nullable): the beginning of the path at which a profile is written. (transfer full)
 * (nullable): %NULL with %GOBAN_ERROR_UNSUPPORTED set and the library's own words */
GobanOrtSession *goban_ort_session_new (GobanOrt *ort, GBytes *model, const char *profile,
                                        GError **error) G_GNUC_WARN_UNUSED_RESULT;
void goban_ort_session_free (GobanOrtSession *self);

/* Names and values of a run; all arrays are the caller's. */
typedef struct
{
  const char *const *input_names;
  const GobanOrtValue *const *inputs;
  gsize n_inputs;
  const char *const *output_names;
  GobanOrtValue **outputs; /* %NULL entries are made, others are written to */
  gsize n_outputs;
} GobanOrtCall;

gboolean goban_ort_session_run (GobanOrtSession *self, const GobanOrtCall *call, GError **error);

/* Ends the profile of a session that has one. (transfer full) (nullable): its path */
char *goban_ort_session_end_profile (GobanOrtSession *self,
                                     GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* --- tensors --------------------------------------------------------------------------------- */

/* A tensor of that type and shape, filled with random numbers in [0, 1) if it is floating, with
 * zeros if not. (transfer full) (nullable): %NULL with @error set for an unknown type or extent */
GobanOrtValue *goban_ort_tensor_new (GobanOrt *ort, const GobanOnnxValue *like, guint64 seed,
                                     GError **error) G_GNUC_WARN_UNUSED_RESULT;
void goban_ort_tensor_free (GobanOrt *ort, GobanOrtValue *value);

/* Stores type and shape in @like, without data; %FALSE with %GOBAN_ERROR_UNSUPPORTED set if it is
 * not a tensor. */
gboolean goban_ort_tensor_describe (GobanOrt *ort, const GobanOrtValue *value, GobanOnnxValue *like,
                                    GError **error);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (GobanOrt, goban_ort_free)
G_DEFINE_AUTOPTR_CLEANUP_FUNC (GobanOrtSession, goban_ort_session_free)
