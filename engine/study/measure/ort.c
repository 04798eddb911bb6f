#include "engine/study/measure/ort.h"

#include "engine/core/error.h"
#include "engine/core/i18n.h"
#include "engine/folders.h"
#include "engine/study/measure/ort-api.h"
#include "engine/study/measure/random-fill.h"

#include <dlfcn.h>
#include <string.h>

static const char *const library_names[] = { "libonnxruntime.so.1", "libonnxruntime.so" };

struct _GobanOrt
{
  const OrtTable *api;
  OrtEnv *env;
  OrtAllocator *allocator;
  char *version;
  char *path;
};

struct _GobanOrtSession
{
  GobanOrt *ort;
  OrtSession *session;
  gboolean has_profile;
};

/* --- errors ---------------------------------------------------------------------------------- */

/* TRUE on success; else the status becomes an error and is released. */
static gboolean
check (const GobanOrt *self, OrtStatus *status, GError **error)
{
  g_autofree char *words = NULL;

  if (status == NULL)
    return TRUE;
  words = g_utf8_make_valid (self->api->get_error_message (status), -1);
  goban_set_error (error, GOBAN_ERROR_UNSUPPORTED, "ONNX Runtime %s: %s", self->version, words);
  self->api->release_status (status);
  return FALSE;
}

static gboolean
refuse_missing (const char *path, const char *reason, GError **error)
{
  const char *how
      = _ ("get it from your distribution (package onnxruntime or libonnxruntime), from the "
           "archives of its project, or by “npm install --ignore-scripts onnxruntime-node”, and "
           "name the file libonnxruntime.so.1 by the variable GOBAN_ONNXRUNTIME");

  if (path != NULL)
    return goban_refuse (error, GOBAN_ERROR_UNSUPPORTED,
                         "%s is not a library of ONNX Runtime that can be loaded: %s; %s", path,
                         reason, how);
  return goban_refuse (error, GOBAN_ERROR_UNSUPPORTED,
                       "measuring needs the library of ONNX Runtime, which was not found: %s", how);
}

/* --- loading --------------------------------------------------------------------------------- */

/* (transfer full): the library inside of a folder, or the path itself */
static char *
find_in_folder (const char *path)
{
  for (gsize i = 0; i < G_N_ELEMENTS (library_names); i++)
    {
      g_autofree char *inner = g_build_filename (path, library_names[i], NULL);

      if (g_file_test (inner, G_FILE_TEST_IS_REGULAR))
        return g_steal_pointer (&inner);
    }
  return g_strdup (path);
}

/* Sets self->path to the file of the loaded library. */
static gpointer
open_library (GobanOrt *self, const char *path, GError **error)
{
  gpointer library = NULL;

  if (path != NULL)
    {
      self->path = find_in_folder (path);
      library = dlopen (self->path, RTLD_NOW | RTLD_LOCAL);
      if (library == NULL)
        refuse_missing (self->path, dlerror (), error);
      return library;
    }
  for (gsize i = 0; library == NULL && i < G_N_ELEMENTS (library_names); i++)
    {
      library = dlopen (library_names[i], RTLD_NOW | RTLD_LOCAL);
      if (library != NULL)
        self->path = g_strdup (library_names[i]);
    }
#ifdef GOBAN_ORT_FOLDER
  if (library == NULL)
    {
      self->path = find_in_folder (GOBAN_ORT_FOLDER);
      library = dlopen (self->path, RTLD_NOW | RTLD_LOCAL);
    }
#endif
  if (library == NULL)
    refuse_missing (NULL, NULL, error);
  return library;
}

static gboolean
find_table (GobanOrt *self, gpointer library, GError **error)
{
  const OrtBase *(*get_base) (void);
  const OrtBase *base;
  gpointer symbol = dlsym (library, "OrtGetApiBase");

  if (symbol == NULL)
    return refuse_missing (self->path, _ ("it has no function OrtGetApiBase"), error);
  /* ISO C has no conversion from objects to functions. */
  memcpy (&get_base, &symbol, sizeof get_base);
  base = get_base ();
  self->version = g_strdup (base != NULL ? base->get_version () : "");
  self->api = base != NULL ? base->get_table (ORT_API_VERSION) : NULL;
  if (self->api == NULL)
    return goban_refuse (error, GOBAN_ERROR_UNSUPPORTED,
                         "%s is ONNX Runtime %s; measuring needs version 1.5 or newer", self->path,
                         self->version);
  return check (self, self->api->create_env (ORT_LOG_FATAL, "goban", &self->env), error)
         && check (self, self->api->get_allocator (&self->allocator), error);
}

GobanOrt *
goban_ort_load (const char *path, GError **error)
{
  g_autoptr (GobanOrt) self = g_new0 (GobanOrt, 1);
  const char *variable = g_getenv (GOBAN_ORT_VARIABLE);
  gpointer library;

  if (path == NULL && variable != NULL && *variable != '\0')
    path = variable;
  library = open_library (self, path, error);
  if (library == NULL || !find_table (self, library, error))
    return NULL;
  return g_steal_pointer (&self);
}

void
goban_ort_free (GobanOrt *self)
{
  if (self->env != NULL)
    self->api->release_env (self->env);
  g_free (self->version);
  g_free (self->path);
  g_free (self);
}

const char *
goban_ort_get_version (const GobanOrt *self)
{
  return self->version;
}

/* --- sessions -------------------------------------------------------------------------------- */

static gboolean
set_options (const GobanOrt *ort, OrtSessionOptions *options, const char *profile, GError **error)
{
  const OrtTable *api = ort->api;

  return check (ort, api->set_optimization_level (options, ORT_OPTIMIZE_NONE), error)
         && check (ort, api->set_intra_op_threads (options, 1), error)
         && check (ort, api->set_inter_op_threads (options, 1), error)
         /* Denormal numbers take many times as long, and random weights may lead to them. */
         && check (ort, api->add_config_entry (options, "session.set_denormal_as_zero", "1"), error)
         && (profile == NULL || check (ort, api->enable_profiling (options, profile), error));
}

GobanOrtSession *
goban_ort_session_new (GobanOrt *ort, GBytes *model, const char *profile, GError **error)
{
  const OrtTable *api = ort->api;
  OrtSessionOptions *options = NULL;
  OrtSession *session = NULL;
  GobanOrtSession *self = NULL;
  gsize size;
  const void *data = g_bytes_get_data (model, &size);

  if (!check (ort, api->create_session_options (&options), error))
    return NULL;
  if (set_options (ort, options, profile, error)
      && check (ort, api->create_session_from_array (ort->env, data, size, options, &session),
                error))
    {
      self = g_new0 (GobanOrtSession, 1);
      *self = (GobanOrtSession){ ort, session, profile != NULL };
    }
  api->release_session_options (options);
  return self;
}

void
goban_ort_session_free (GobanOrtSession *self)
{
  self->ort->api->release_session (self->session);
  g_free (self);
}

gboolean
goban_ort_session_run (GobanOrtSession *self, const GobanOrtCall *call, GError **error)
{
  return check (self->ort,
                self->ort->api->run (self->session, NULL, call->input_names, call->inputs,
                                     call->n_inputs, call->output_names, call->n_outputs,
                                     call->outputs),
                error);
}

char *
goban_ort_session_end_profile (GobanOrtSession *self, GError **error)
{
  const GobanOrt *ort = self->ort;
  char *path = NULL, *copy;

  g_return_val_if_fail (self->has_profile, NULL);

  if (!check (ort, ort->api->end_profiling (self->session, ort->allocator, &path), error))
    return NULL;
  copy = g_strdup (path);
  if (!check (ort, ort->api->allocator_free (ort->allocator, path), error))
    g_clear_pointer (&copy, g_free);
  return copy;
}

/* --- tensors --------------------------------------------------------------------------------- */

GobanOrtValue *
goban_ort_tensor_new (GobanOrt *ort, const GobanOnnxValue *like, guint64 seed, GError **error)
{
  double n_bytes = goban_onnx_value_bytes (like);
  OrtValue *value = NULL;
  void *data = NULL;

  /* Zero bits: texts and types that are unknown here. */
  if (!goban_onnx_value_is_complete (like) || !(n_bytes >= 0) || n_bytes > (double) G_MAXINT32
      || goban_onnx_dtype_bits (like->dtype) < 8)
    {
      goban_set_error (error, GOBAN_ERROR_UNSUPPORTED,
                       "its type or shape is not known, is of texts, or is too large");
      return NULL;
    }
  if (!check (
          ort,
          ort->api->create_tensor (ort->allocator, like->dims, like->n_dims, like->dtype, &value),
          error))
    return NULL;
  if (!check (ort, ort->api->get_tensor_data (value, &data), error))
    {
      ort->api->release_value (value);
      return NULL;
    }
  goban_random_fill (data, (gsize) n_bytes, like->dtype, (GobanRandomRange){ 0, 1 }, seed);
  return value;
}

void
goban_ort_tensor_free (GobanOrt *ort, GobanOrtValue *value)
{
  ort->api->release_value (value);
}

gboolean
goban_ort_tensor_describe (GobanOrt *ort, const GobanOrtValue *value, GobanOnnxValue *like,
                           GError **error)
{
  const OrtTable *api = ort->api;
  OrtShapeInfo *info = NULL;
  gsize n_dims = 0;
  int is_tensor = 0;
  gboolean ok;

  *like = (GobanOnnxValue){ 0 };
  if (value == NULL)
    return goban_refuse (error, GOBAN_ERROR_UNSUPPORTED, "the run has left this output out");
  if (!check (ort, api->is_tensor (value, &is_tensor), error))
    return FALSE;
  if (!is_tensor)
    return goban_refuse (error, GOBAN_ERROR_UNSUPPORTED,
                         "a sequence, a map or an optional cannot be handed over to another core");
  if (!check (ort, api->get_shape_info (value, &info), error))
    return FALSE;
  ok = check (ort, api->get_element_type (info, &like->dtype), error)
       && check (ort, api->get_n_dims (info, &n_dims), error);
  if (ok && n_dims <= GOBAN_ONNX_MAX_DIMS)
    {
      ok = check (ort, api->get_dims (info, like->dims, n_dims), error);
      like->n_dims = (guint) n_dims;
      like->has_rank = ok;
    }
  api->release_shape_info (info);
  return ok;
}
