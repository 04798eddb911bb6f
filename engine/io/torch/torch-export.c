/* torch-export.c: reader of exported programs of PyTorch (torch.export, .pt2).
 *
 * A .pt2 file is a zip archive. Its program is the member `models/NAME.json` or, of versions before
 * 2.8, `serialized_exported_program.json`, which is read alone, too. A node of the program is one
 * of the graph, named by its module and its first output. Inputs are no nodes. Parameters, buffers
 * and constants belong to the first node that reads them, as in ONNX models.
 */
#include "engine/core/error.h"
#include "engine/io/formats.h"
#include "engine/io/packed.h"
#include "engine/io/text.h"
#include "engine/io/torch/torch-costs.h"

#include <math.h>
#include <string.h>

/* Its tokens take some four times as much. */
#define MOST_PROGRAM_BYTES ((gsize) 128 << 20)
#define SNIFFED_BYTES 65536
#define OLD_PROGRAM "serialized_exported_program.json"

/* --- the archive ----------------------------------------------------------------------------- */

/* "models/x.json", in the archive's own folder, which may be called "models", too. */
static gboolean
is_program (const char *name)
{
  const char *last = strrchr (name, '/');
  g_autofree char *folder = last != NULL ? g_strndup (name, (gsize) (last - name)) : NULL;

  if (g_str_has_suffix (name, OLD_PROGRAM))
    return TRUE;
  return folder != NULL && g_str_has_suffix (name, ".json")
         && (strcmp (folder, "models") == 0 || g_str_has_suffix (folder, "/models"));
}

/* The first program; the number of them in @n. */
static guint
find_program (const GobanZip *zip, guint *n)
{
  guint found = 0;

  *n = 0;
  for (guint i = 0; i < goban_zip_get_n_members (zip); i++)
    if (is_program (goban_zip_get_name (zip, i)) && (*n)++ == 0)
      found = i;
  return found;
}

static int
sniff (const char *head, gsize size, const char *path)
{
  gsize n = MIN (size, SNIFFED_BYTES);
  gsize start = 0;
  guint n_programs;

  if (goban_zip_is (head, size))
    {
      g_autoptr (GobanZip) zip = goban_zip_open (head, size, path, NULL /* then it is none */);

      if (zip == NULL)
        return g_str_has_suffix (path, ".pt2") ? 30 : 0;
      find_program (zip, &n_programs);
      return n_programs > 0 ? 95 : 0;
    }
  while (start < n && g_ascii_isspace (head[start]))
    start++;
  return start < n && head[start] == '{' && g_strstr_len (head, n, "\"graph_module\"") != NULL ? 90
                                                                                               : 0;
}

/* --- building -------------------------------------------------------------------------------- */

static double
get_bytes (const GobanTorchValue *value)
{
  double bytes = goban_onnx_value_bytes (&value->value);

  return isnan (bytes) ? 0 : bytes;
}

/* Nodes and their outputs; the tensors of values are in @tensors. */
static void
add_nodes (GobanGraphBuilder *builder, const GobanTorchProgram *program, guint32 *tensors)
{
  GobanTorchCosts costs;

  goban_torch_costs_init (&costs);
  for (guint i = 0; i < program->nodes->len; i++)
    {
      const GobanTorchNode *from = &g_array_index (program->nodes, GobanTorchNode, i);
      g_autofree char *name = goban_torch_program_dup_name (program, from);
      g_autofree char *op = goban_torch_dup_op (from->target);
      guint32 id = goban_graph_builder_add_node (builder, name, op);
      GobanNode *node = goban_graph_builder_get_node (builder, id);

      goban_torch_costs_count (&costs, program, from, node);
      node->size_source = GOBAN_SOURCE_GIVEN;
      for (guint j = 0; j < from->n_outputs; j++)
        {
          guint32 value = g_array_index (program->outputs, guint32, from->first_output + j);
          const GobanTorchValue *out = goban_torch_program_value (program, value);

          tensors[value] = goban_graph_builder_add_tensor (builder, id, get_bytes (out));
          if (out->value.has_rank)
            goban_graph_builder_set_tensor_shape (builder, tensors[value],
                                                  goban_onnx_dtype_name (out->value.dtype),
                                                  out->value.dims, out->value.n_dims);
        }
    }
  goban_torch_costs_warn (&costs, builder);
  goban_torch_costs_clear (&costs);
}

static void
own (GobanNode *node, const GobanTorchValue *value)
{
  if (!goban_onnx_dtype_is_weight (value->value.dtype)
      || isnan (goban_onnx_value_bytes (&value->value)))
    return;
  node->param_count += goban_onnx_value_elements (&value->value);
  node->param_bytes += goban_onnx_value_bytes (&value->value);
}

/* Edges, and parameters for the first node that reads them. Builder and program number nodes
 * alike. */
static void
add_inputs (GobanGraphBuilder *builder, const GobanTorchProgram *program, const guint32 *tensors)
{
  g_autofree guint8 *is_owned = g_new0 (guint8, program->values->len + 1);

  for (guint i = 0; i < program->nodes->len; i++)
    {
      const GobanTorchNode *node = &g_array_index (program->nodes, GobanTorchNode, i);

      for (guint j = 0; j < node->n_inputs; j++)
        {
          guint32 input = g_array_index (program->inputs, guint32, node->first_input + j);
          const GobanTorchValue *value = goban_torch_program_value (program, input);

          if (value == NULL)
            continue;
          if (value->producer != GOBAN_TORCH_NONE)
            goban_graph_builder_add_edge (builder, tensors[input], i);
          else if (value->is_constant && !is_owned[input])
            {
              is_owned[input] = TRUE;
              own (goban_graph_builder_get_node (builder, i), value);
            }
        }
    }
}

static void
warn_bodies (GobanGraphBuilder *builder, const GobanTorchProgram *program)
{
  const char *first = NULL;
  guint n = 0;

  for (guint i = 0; i < program->nodes->len; i++)
    if (g_array_index (program->nodes, GobanTorchNode, i).has_body && n++ == 0)
      first = goban_graph_builder_get_node (builder, i)->name;
  if (n > 0)
    goban_graph_builder_warn (builder,
                              "%u %s a body that is not expanded, the first is \"%s\": the work "
                              "inside is not counted",
                              n, n == 1 ? "node has" : "nodes have", first);
}

/* --- numbers that are none -------------------------------------------------------------------- */

/* PyTorch before 2.6 writes such numbers as Python's json does, which is not JSON. */
static const char *const words[] = { "-Infinity", "Infinity", "NaN" };

static gsize
find_word_at (const char *p, const char *end)
{
  for (gsize i = 0; i < G_N_ELEMENTS (words); i++)
    {
      gsize n = strlen (words[i]);

      if ((gsize) (end - p) >= n && memcmp (p, words[i], n) == 0)
        return n;
    }
  return 0;
}

/* (nullable) (transfer full): a copy with null for each of them, or "0" if that is longer, filled
 * up with blanks, so that messages keep their columns; NULL: there are none. */
static char *
dup_without_infinities (const char *data, gsize size)
{
  gboolean is_string = FALSE;
  char *copy = NULL;

  if (size == 0
      || (memmem (data, size, "Infinity", 8) == NULL && memmem (data, size, "NaN", 3) == NULL))
    return NULL;
  for (gsize i = 0, n; i < size; i += MAX (n, 1))
    {
      n = is_string ? 0 : find_word_at (data + i, data + size);
      if (data[i] == '"')
        is_string = !is_string;
      else if (is_string && data[i] == '\\')
        n = 2;
      else if (n > 0)
        {
          copy = copy != NULL ? copy : g_memdup2 (data, size);
          memset (copy + i, ' ', n);
          memcpy (copy + i, n > 3 ? "null" : "0", n > 3 ? 4 : 1);
        }
    }
  return copy;
}

/* --- the reader ------------------------------------------------------------------------------ */

static GobanGraph *
read_json (const char *data, gsize size, const char *place, GobanGraphBuilder *builder,
           const GobanReadOptions *options, GError **error)
{
  g_autofree char *plain = NULL; /* outlives the reader, which borrows it */
  g_autoptr (GobanJsonReader) json = NULL;
  GobanTorchProgram program;
  gboolean ok;

  if (size > MOST_PROGRAM_BYTES)
    {
      goban_packed_refuse_size (place, MOST_PROGRAM_BYTES, error);
      return NULL;
    }
  plain = dup_without_infinities (data, size);
  json = goban_json_reader_new (plain != NULL ? plain : data, (gssize) size, place, error);
  if (json == NULL)
    return NULL;
  ok = goban_torch_program_init (&program, goban_json_reader_get_root (json), options, builder,
                                 error);
  if (ok)
    {
      g_autofree guint32 *tensors = g_new (guint32, program.values->len + 1);

      add_nodes (builder, &program, tensors);
      add_inputs (builder, &program, tensors);
      warn_bodies (builder, &program);
    }
  goban_torch_program_clear (&program);
  return ok ? goban_text_file_finish_graph (builder, place, error) : NULL;
}

static GobanGraph *
read_archive (const char *data, gsize size, const char *path, GobanGraphBuilder *builder,
              const GobanReadOptions *options, GError **error)
{
  g_autoptr (GobanZip) zip = goban_zip_open (data, size, path, error);
  g_autofree char *place = NULL;
  g_autoptr (GBytes) text = NULL;
  guint program, n;

  if (zip == NULL)
    return NULL;
  program = find_program (zip, &n);
  if (n == 0)
    {
      goban_refuse (error, GOBAN_ERROR_PARSE,
                    "%s: the archive has no exported program: neither models/NAME.json nor %s",
                    path, OLD_PROGRAM);
      return NULL;
    }
  place = g_strconcat (path, "/", goban_zip_get_name (zip, program), NULL);
  if (n > 1)
    goban_graph_builder_warn (builder, "the file holds %u programs; the first is read: %s", n,
                              goban_zip_get_name (zip, program));
  text = goban_zip_unpack (zip, program, MOST_PROGRAM_BYTES,
                           options != NULL ? options->progress : NULL, error);
  if (text == NULL)
    return NULL;
  data = g_bytes_get_data (text, &size);
  return read_json (data, size, place, builder, options, error);
}

static GobanGraph *
read_torch_export (const char *data, gsize size, const char *path, const GobanReadOptions *options,
                   GError **error)
{
  g_autofree char *name = goban_text_file_graph_name (path);
  g_autoptr (GobanGraphBuilder) builder = goban_graph_builder_new (name, "torch-export");

  if (options != NULL && !goban_onnx_check_batch (options->batch, path, error))
    return NULL;
  return goban_zip_is (data, size) ? read_archive (data, size, path, builder, options, error)
                                   : read_json (data, size, path, builder, options, error);
}

const GobanFormat goban_format_torch_export = {
  .name = "torch-export",
  .extensions = ".pt2",
  .blurb = "exported programs of PyTorch (torch.export)",
  .sniff = sniff,
  .read = read_torch_export,
};
