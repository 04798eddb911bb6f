#include "engine/learn/rl/curriculum.h"

#include "engine/core/error.h"
#include "engine/core/json-text.h"
#include "engine/graph/workloads/workload.h"

#include <string.h>

#define N_SIZES 7 /* of a family */
#define MAX_DEVICES 64

struct _GobanCurriculum
{
  char **left_out;
  GPtrArray *graphs; /* char * */
};

/* 30 to 24,000 nodes. */
static const struct
{
  const char *family;
  const char *sizes[N_SIZES];
} built_in[] = {
  { "rnnlm",
    { "layers=1,steps=8", "layers=2,steps=10", "layers=3,steps=20,batch=32", "layers=4,steps=12",
      "layers=6,steps=16,width=1024", "layers=8,steps=10", "layers=8,granularity=coarse" } },
  { "gnmt",
    { "layers=1,steps=6", "layers=2,steps=8", "layers=3,steps=12,batch=64", "layers=4,steps=10",
      "layers=6,steps=8,width=512", "layers=8,steps=6", "layers=6,granularity=coarse" } },
  { "transformer-xl",
    { "layers=1,segments=2", "layers=2,segments=2", "layers=3,batch=16", "layers=4,segments=2",
      "layers=6,segments=3,steps=256", "layers=8,segments=2",
      "layers=12,batch=6,granularity=coarse" } },
  { "inception-v3",
    { "batch=8,mode=inference", "batch=64,mode=inference", "batch=16,image=224,mode=inference",
      "batch=16", "batch=96,image=224", "batch=128,granularity=coarse",
      "batch=32,image=400,mode=inference" } },
  { "amoebanet",
    { "layers=3", "layers=6,batch=16", "layers=9,width=128", "layers=12,mode=inference",
      "layers=24,batch=64,mode=inference", "layers=18,granularity=coarse",
      "layers=6,image=160,mode=inference" } },
  { "wavenet",
    { "layers=6", "layers=12", "stacks=1,layers=10,batch=8", "stacks=3,layers=24",
      "stacks=4,layers=20,steps=4096", "stacks=2,layers=24,width=256",
      "layers=24,granularity=coarse" } },
};

/* --- construction and disposal -------------------------------------------------------------- */

static int
compare_names (gconstpointer a, gconstpointer b)
{
  return strcmp (*(const char *const *) a, *(const char *const *) b);
}

static gboolean
check_family (const char *name, GError **error)
{
  g_autoptr (GString) names = g_string_new (NULL);
  gsize n;
  const GobanFamily *const *families = goban_families (&n);

  for (gsize i = 0; i < n; i++)
    {
      if (strcmp (families[i]->name, name) == 0)
        return TRUE;
      g_string_append_printf (names, "%s%s", i > 0 ? ", " : "", families[i]->name);
    }
  goban_set_error (error, GOBAN_ERROR_INVALID,
                   "there is no family “%s” to leave out; the families are %s", name, names->str);
  return FALSE;
}

GobanCurriculum *
goban_curriculum_new (const char *const *left_out, GError **error)
{
  g_autoptr (GPtrArray) names = g_ptr_array_new_with_free_func (g_free);
  GobanCurriculum *self;

  for (guint i = 0; left_out != NULL && left_out[i] != NULL; i++)
    {
      if (!check_family (left_out[i], error))
        return NULL;
      if (!g_ptr_array_find_with_equal_func (names, left_out[i], g_str_equal, NULL))
        g_ptr_array_add (names, g_strdup (left_out[i]));
    }
  g_ptr_array_sort (names, compare_names);
  g_ptr_array_add (names, NULL);

  self = g_new0 (GobanCurriculum, 1);
  self->left_out = (char **) g_ptr_array_steal (names, NULL);
  self->graphs = g_ptr_array_new_with_free_func (g_free);
  for (guint f = 0; f < G_N_ELEMENTS (built_in); f++)
    for (guint s = 0; s < N_SIZES; s++)
      if (!g_strv_contains ((const char *const *) self->left_out, built_in[f].family))
        g_ptr_array_add (self->graphs,
                         g_strconcat (built_in[f].family, ":", built_in[f].sizes[s], NULL));
  return self;
}

void
goban_curriculum_free (GobanCurriculum *self)
{
  g_strfreev (self->left_out);
  g_ptr_array_unref (self->graphs);
  g_free (self);
}

guint
goban_curriculum_get_n_graphs (const GobanCurriculum *self)
{
  return self->graphs->len;
}

const char *
goban_curriculum_get_graph (const GobanCurriculum *self, guint i)
{
  return g_ptr_array_index (self->graphs, i);
}

const char *const *
goban_curriculum_get_left_out (const GobanCurriculum *self)
{
  return (const char *const *) self->left_out;
}

/* --- clusters ------------------------------------------------------------------------------- */

/* Whether a spec is a variant "p100xN,..." of a preset, split into words; FALSE for other forms and
 * for presets. */
static gboolean
is_variant (const char *spec, char *const *words)
{
  const char *const *presets = goban_cluster_presets ();
  guint64 n;

  if (words[0] == NULL || strlen (words[0]) < 6
      || (!g_str_has_prefix (spec, "p100x") && !g_str_has_prefix (spec, "v100x")))
    return FALSE;
  for (guint i = 0; presets[i] != NULL; i += 2)
    if (strcmp (presets[i], spec) == 0)
      return FALSE;
  return g_ascii_string_to_unsigned (words[0] + 5, 10, 2, MAX_DEVICES, &n, NULL);
}

/* Adds the settings of links, the words after the first. */
static gboolean
append_links (GString *json, const char *spec, char *const *words, const GobanLink *usual,
              GError **error)
{
  const char *bandwidth = NULL;
  const char *latency = NULL;

  for (guint i = 1; words[i] != NULL; i++)
    if (bandwidth == NULL && g_str_has_prefix (words[i], "bandwidth="))
      bandwidth = words[i] + strlen ("bandwidth=");
    else if (latency == NULL && g_str_has_prefix (words[i], "latency="))
      latency = words[i] + strlen ("latency=");
    else
      {
        goban_set_error (error, GOBAN_ERROR_INVALID,
                         "%s: “%s” is neither bandwidth=B/s nor latency=s", spec, words[i]);
        return FALSE;
      }

  g_string_append (json, ",\"all_pairs\":{");
  if (bandwidth != NULL)
    goban_json_add_string (json, "bandwidth", bandwidth);
  else
    goban_json_add_number (json, "bytes_per_us", usual->bytes_per_us);
  if (latency != NULL)
    goban_json_add_string (json, "latency", latency);
  else
    goban_json_add_number (json, "latency", usual->latency_us);
  g_string_append (json, "}}");
  return TRUE;
}

static GobanCluster *
new_variant (const char *spec, char *const *words, GError **error)
{
  const char *usual_name = g_str_has_prefix (spec, "p100") ? "p100x2" : "v100x2";
  g_autoptr (GobanCluster) usual = goban_cluster_new_from_spec (usual_name, error);
  g_autoptr (GString) json = g_string_new ("{");
  const GobanDevice *device;

  if (usual == NULL)
    return NULL;
  device = goban_cluster_get_device (usual, 0);
  goban_json_add_string (json, "name", spec);
  g_string_append (json, ",\"devices\":[{");
  goban_json_add_string (json, "name", device->kind);
  goban_json_add_string (json, "kind", device->kind);
  goban_json_add_number (json, "count", (double) g_ascii_strtoull (words[0] + 5, NULL, 10));
  goban_json_add_number (json, "flops_per_us", device->flops_per_us);
  goban_json_add_number (json, "memory_bytes_per_us", device->memory_bytes_per_us);
  goban_json_add_number (json, "memory", device->memory_bytes);
  goban_json_add_number (json, "launch", device->launch_us);
  g_string_append (json, "}]");
  if (!append_links (json, spec, words, goban_cluster_get_link (usual, 0), error))
    return NULL;
  return goban_cluster_new_from_json (json->str, (gssize) json->len, spec, error);
}

GobanCluster *
goban_curriculum_new_cluster (const char *spec, GError **error)
{
  g_auto (GStrv) words = g_strsplit (spec, ",", -1);

  return is_variant (spec, words) ? new_variant (spec, words, error)
                                  : goban_cluster_new_from_inner_spec (spec, error);
}
