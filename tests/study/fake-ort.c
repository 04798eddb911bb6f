/* A library with ONNX Runtime's interface that computes nothing: a run makes empty tensors, and a
 * profile gives a Relu 100 us and any other node 300 us. What else it does is
 * set from outside (fake-ort.h). */
#include "tests/study/fake-ort.h"

#include "engine/io/onnx.pb-c.h"
#include "engine/study/measure/ort-api.h"

#include <glib/gstdio.h>
#include <string.h>

struct _OrtStatus
{
  char *message;
};

struct _OrtSession
{
  Onnx__ModelProto *model;
  char *profile;
  guint n_runs;
};

struct _OrtSessionOptions
{
  char *profile;
};

struct _OrtValue
{
  int type;
  gint64 dims[8];
  gsize n_dims;
  void *data;
};

extern FakeOrt fake_ort;

FakeOrt fake_ort;

const OrtBase *OrtGetApiBase (void);

static OrtStatus *
fail (const char *function)
{
  OrtStatus *status;

  if (g_strcmp0 (fake_ort.failing, function) != 0)
    return NULL;
  status = g_new (OrtStatus, 1);
  status->message = g_strdup_printf ("%s was made to fail", function);
  return status;
}

static const char *
get_error_message (const OrtStatus *status)
{
  return status->message;
}

static void
release_status (OrtStatus *status)
{
  g_free (status->message);
  g_free (status);
}

static OrtStatus *
create_env (int log_level, const char *name, OrtEnv **env)
{
  *env = (OrtEnv *) g_strdup (name);
  return fail ("create_env");
}

static void
release_env (OrtEnv *env)
{
  g_free (env);
}

static OrtStatus *
get_allocator (OrtAllocator **allocator)
{
  *allocator = NULL;
  return fail ("get_allocator");
}

static OrtStatus *
allocator_free (OrtAllocator *allocator, void *memory)
{
  g_free (memory);
  return fail ("allocator_free");
}

/* --- options --------------------------------------------------------------------------------- */

static OrtStatus *
create_session_options (OrtSessionOptions **options)
{
  OrtStatus *status = fail ("create_session_options");

  if (status == NULL)
    *options = g_new0 (OrtSessionOptions, 1);
  return status;
}

static void
release_session_options (OrtSessionOptions *options)
{
  g_free (options->profile);
  g_free (options);
}

static OrtStatus *
set_number (OrtSessionOptions *options, int number)
{
  return fail ("set_number");
}

static OrtStatus *
add_config_entry (OrtSessionOptions *options, const char *key, const char *value)
{
  return fail ("add_config_entry");
}

static OrtStatus *
enable_profiling (OrtSessionOptions *options, const char *prefix)
{
  options->profile = g_strconcat (prefix, "_now.json", NULL);
  return fail ("enable_profiling");
}

/* --- tensors --------------------------------------------------------------------------------- */

static OrtStatus *
create_tensor (OrtAllocator *allocator, const gint64 *dims, gsize n_dims, int type,
               OrtValue **value)
{
  OrtStatus *status = fail ("create_tensor");
  gsize n = 8;

  if (status != NULL)
    return status;
  *value = g_new0 (OrtValue, 1);
  (*value)->type = type;
  (*value)->n_dims = n_dims;
  for (gsize i = 0; i < n_dims; i++)
    n *= (gsize) ((*value)->dims[i] = dims[i]);
  (*value)->data = g_malloc0 (n);
  return NULL;
}

static void
release_value (OrtValue *value)
{
  g_free (value->data);
  g_free (value);
}

static OrtStatus *
is_tensor (const OrtValue *value, int *answer)
{
  *answer = !fake_ort.has_sequences;
  return fail ("is_tensor");
}

static OrtStatus *
get_tensor_data (OrtValue *value, void **data)
{
  *data = value->data;
  return fail ("get_tensor_data");
}

static OrtStatus *
get_shape_info (const OrtValue *value, OrtShapeInfo **info)
{
  OrtStatus *status = fail ("get_shape_info");

  if (status == NULL)
    *info = g_memdup2 (value, sizeof *value);
  return status;
}

static void
release_shape_info (OrtShapeInfo *info)
{
  g_free (info);
}

static OrtStatus *
get_element_type (const OrtShapeInfo *info, int *type)
{
  *type = ((const OrtValue *) info)->type;
  return fail ("get_element_type");
}

static OrtStatus *
get_n_dims (const OrtShapeInfo *info, gsize *n)
{
  *n = ((const OrtValue *) info)->n_dims;
  return fail ("get_n_dims");
}

static OrtStatus *
get_dims (const OrtShapeInfo *info, gint64 *dims, gsize n)
{
  memcpy (dims, ((const OrtValue *) info)->dims, n * sizeof *dims);
  return fail ("get_dims");
}

/* --- sessions -------------------------------------------------------------------------------- */

static OrtStatus *
create_session (const OrtEnv *env, const void *model, gsize size, const OrtSessionOptions *options,
                OrtSession **session)
{
  OrtStatus *status = fail ("create_session");

  if (status != NULL)
    return status;
  *session = g_new0 (OrtSession, 1);
  (*session)->model = onnx__model_proto__unpack (NULL, size, model);
  (*session)->profile = g_strdup (options->profile);
  return NULL;
}

static void
release_session (OrtSession *session)
{
  onnx__model_proto__free_unpacked (session->model, NULL);
  g_free (session->profile);
  g_free (session);
}

static OrtStatus *
run (OrtSession *session, const OrtRunOptions *options, const char *const *input_names,
     const OrtValue *const *inputs, gsize n_inputs, const char *const *output_names,
     gsize n_outputs, OrtValue **outputs)
{
  const gint64 one = 1;
  OrtStatus *status = session->n_runs > 0 ? fail ("second_run") : fail ("run");
  gboolean is_slow
      = fake_ort.n_slow > 0 ? session->n_runs < fake_ort.n_slow : session->n_runs % 2 == 1;

  if (fake_ort.sleep_us > 0 && is_slow)
    g_usleep (fake_ort.sleep_us);
  session->n_runs++;
  for (gsize i = 0; status == NULL && i < n_outputs; i++)
    if (outputs[i] == NULL)
      status = create_tensor (NULL, &one, 1, ONNX__TENSOR_PROTO__DATA_TYPE__FLOAT, &outputs[i]);
  return status;
}

static OrtStatus *
end_profiling (OrtSession *session, OrtAllocator *allocator, char **path)
{
  const Onnx__GraphProto *graph = session->model->graph;
  GString *json = g_string_new ("[");
  double at_us = 0;
  OrtStatus *status = fail ("end_profiling");

  if (status != NULL)
    return status;
  for (guint r = 0; r < session->n_runs; r++)
    {
      double start_us = at_us;

      for (gsize i = 0; i < graph->n_node; i++)
        {
          int span_us = strcmp (graph->node[i]->op_type, "Relu") == 0 ? 100 : 300;

          g_string_append_printf (
              json,
              "\n{\"cat\": \"Node\", \"name\": \"%s_kernel_time\", \"ts\": %d, \"dur\": %d, "
              "\"args\": {\"op_name\": \"%s\"}},",
              graph->node[i]->name, (int) at_us, span_us, graph->node[i]->op_type);
          at_us += span_us;
        }
      g_string_append_printf (json,
                              "\n{\"cat\": \"Session\", \"name\": \"model_run\", \"ts\": %d, "
                              "\"dur\": %d}%s",
                              (int) start_us, (int) (at_us - start_us),
                              r + 1 < session->n_runs ? "," : "");
      at_us += 10;
    }
  g_string_append (json, "]\n");
  g_file_set_contents (session->profile, json->str, -1, NULL);
  g_string_free (json, TRUE);
  *path = g_strdup (session->profile);
  return NULL;
}

static const OrtTable table = {
  .get_error_message = get_error_message,
  .create_env = create_env,
  .create_session_from_array = create_session,
  .run = run,
  .create_session_options = create_session_options,
  .enable_profiling = enable_profiling,
  .set_optimization_level = set_number,
  .set_intra_op_threads = set_number,
  .set_inter_op_threads = set_number,
  .create_tensor = create_tensor,
  .is_tensor = is_tensor,
  .get_tensor_data = get_tensor_data,
  .get_element_type = get_element_type,
  .get_n_dims = get_n_dims,
  .get_dims = get_dims,
  .get_shape_info = get_shape_info,
  .allocator_free = allocator_free,
  .get_allocator = get_allocator,
  .release_env = release_env,
  .release_status = release_status,
  .release_session = release_session,
  .release_value = release_value,
  .release_shape_info = release_shape_info,
  .release_session_options = release_session_options,
  .end_profiling = end_profiling,
  .add_config_entry = add_config_entry,
};

static const OrtTable *
get_table (guint32 version)
{
  return fake_ort.is_old || version > ORT_API_VERSION ? NULL : &table;
}

static const char *
get_version (void)
{
  return "0.0.1-fake";
}

const OrtBase *
OrtGetApiBase (void)
{
  static const OrtBase base = { get_table, get_version };

  return &base;
}
