#include "engine/io/apply/target.h"

#include "engine/core/error.h"
#include "engine/core/file-read.h"
#include "engine/core/file-stream.h"
#include "engine/core/find-word.h"
#include "engine/core/i18n.h"

#include <string.h>

/* Targets; those that rewrite a model come first. */
static const GobanApplyTarget *const targets[] = {
  &goban_apply_ort,        &goban_apply_ort_names,        &goban_apply_tensorflow,
  &goban_apply_accelerate, &goban_apply_torch_pipelining, &goban_apply_llama_cpp,
  &goban_apply_openvino,   &goban_apply_model_explorer,
};

const GobanApplyTarget *const *
goban_apply_targets (gsize *n)
{
  *n = G_N_ELEMENTS (targets);
  return targets;
}

const GobanApplyTarget *
goban_apply_find (const char *name, GError **error)
{
  const char *names[G_N_ELEMENTS (targets) + 1] = { NULL };
  g_autofree char *list = NULL;
  int found;

  for (guint i = 0; i < G_N_ELEMENTS (targets); i++)
    names[i] = targets[i]->name;
  found = goban_find_word (names, G_N_ELEMENTS (targets), name);
  if (found >= 0)
    return targets[found];
  list = g_strjoinv (", ", (char **) names);
  found = goban_find_nearest_word (names, G_N_ELEMENTS (targets), name);
  if (found >= 0)
    goban_set_error (error, GOBAN_ERROR_INVALID,
                     "there is no target “%s”; do you mean “%s”? There are: %s", name, names[found],
                     list);
  else
    goban_set_error (error, GOBAN_ERROR_INVALID, "there is no target “%s”; there are: %s", name,
                     list);
  return NULL;
}

const char *
goban_apply_get_name (const GobanApplyTarget *self)
{
  return self->name;
}

const char *
goban_apply_get_framework (const GobanApplyTarget *self)
{
  return self->framework;
}

const char *
goban_apply_get_blurb (const GobanApplyTarget *self)
{
  return _ (self->blurb);
}

char *
goban_apply_dup_suffix (const GobanApplyTarget *self, const char *source)
{
  g_autofree char *name = source != NULL ? g_path_get_basename (source) : NULL;
  const char *dot = name != NULL ? strrchr (name, '.') : NULL;

  if (!self->is_copy)
    return g_strdup (self->suffix);
  return g_strconcat ("-placed", dot != NULL ? dot : self->suffix, NULL);
}

const char *
goban_apply_get_source_format (const GobanApplyTarget *self)
{
  return self->source_format;
}

char *
goban_apply_dup_second_path (const GobanApplyTarget *self, const char *path)
{
  return self->second_suffix != NULL ? g_strconcat (path, self->second_suffix, NULL) : NULL;
}

/* --- writing --------------------------------------------------------------------------------- */

static gboolean
is_file (const char *path)
{
  return path != NULL && strcmp (path, "-") != 0 && g_file_test (path, G_FILE_TEST_EXISTS);
}

/* The graph's file, for a target that copies it. */
static gboolean
read_source (const GobanApplyTarget *self, GobanApplyWork *work, GError **error)
{
  const char *format = goban_graph_get_format (work->graph);

  if (self->source_format == NULL)
    return TRUE;
  if (!g_str_equal (format, self->source_format))
    return goban_refuse (error, GOBAN_ERROR_UNSUPPORTED,
                         "%s needs a graph from a file of the format %s; this one is of the format "
                         "%s",
                         self->name, self->source_format, format);
  if (!is_file (work->request->source))
    return goban_refuse (error, GOBAN_ERROR_UNSUPPORTED,
                         "%s copies the file of the graph, which must have a path", self->name);
  work->source = goban_file_read (work->request->source, GOBAN_FILE_GRAPH, error);
  return work->source != NULL;
}

/* Either file is complete before one of them replaces an old one. */
static gboolean
save_files (const GobanApplyTarget *self, const GobanApplyWork *work, GError **error)
{
  g_autofree char *second_path = goban_apply_dup_second_path (self, work->path);
  g_autoptr (GobanFileStream) second = NULL;
  g_autoptr (GobanFileStream) main = goban_file_stream_new (work->path, error);

  if (main == NULL || !goban_file_stream_write (main, work->text->str, work->text->len, error))
    return FALSE;
  if (second_path != NULL)
    {
      second = goban_file_stream_new (second_path, error);
      if (second == NULL
          || !goban_file_stream_write (second, work->second->str, work->second->len, error)
          || !goban_file_stream_commit (second, error))
        return FALSE;
    }
  return goban_file_stream_commit (main, error);
}

static char *
dup_note (const GobanApplyTarget *self, const GobanApplyWork *work)
{
  g_autofree char *order = NULL;

  if (goban_plan_get_order (work->plan) == GOBAN_ORDER_PRIORITY || goban_plan_is_fused (work->plan))
    order = g_strdup_printf (_ ("%s gets the devices of the plan, not its priorities and kernels"),
                             self->framework);
  if (work->note != NULL && order != NULL)
    return g_strdup_printf ("%s; %s", order, _ (work->note));
  return work->note != NULL ? g_strdup (_ (work->note)) : g_steal_pointer (&order);
}

gboolean
goban_apply_save (const GobanApplyTarget *self, const GobanApplyRequest *request, const char *path,
                  char **note, GError **error)
{
  g_autoptr (GString) text = g_string_new (NULL);
  g_autoptr (GString) second = g_string_new (NULL);
  g_autoptr (GBytes) source = NULL;
  GobanApplyWork work = { .request = request,
                          .plan = request->plan,
                          .graph = goban_cost_model_get_graph (request->costs),
                          .cluster = goban_cost_model_get_cluster (request->costs),
                          .path = path,
                          .text = text,
                          .second = second };
  gboolean ok;

  if (self->second_suffix != NULL && strcmp (path, "-") == 0)
    return goban_refuse (error, GOBAN_ERROR_INVALID,
                         "%s writes two files, which standard output cannot hold: name a path",
                         self->name);
  ok = goban_plan_check (request->plan, request->costs, error) && read_source (self, &work, error);
  source = work.source;
  if (!ok || !self->write (&work, error) || !save_files (self, &work, error))
    return FALSE;
  if (note != NULL)
    *note = dup_note (self, &work);
  return TRUE;
}
