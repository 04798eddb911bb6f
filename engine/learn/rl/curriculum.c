#include "engine/learn/rl/curriculum.h"

#include "engine/core/error.h"
#include "engine/core/json-text.h"
#include "engine/graph/workloads/workload.h"

#include <string.h>

#define N_SIZES 7    /* of a family, to learn on; the next is its trial */
#define N_CLUSTERS 3 /* that each of them runs on */
#define MAX_DEVICES 64

#define SYNTHETIC "synthetic"
#define N_SYNTHETIC 240
#define N_VALIDATION 16
/* Seeds as in engine/learn/rl/builder/builder-lessons.c, whose validation has the same. */
#define FIRST_LESSON 1000
#define FIRST_VALIDATION 1000000

struct _GobanCurriculum
{
  char **left_out;
  GobanLessonLoader loader; /* (nullable) */
  GPtrArray *lessons;       /* GobanLesson */
  GPtrArray *trials;        /* likewise */
  GPtrArray *validation;    /* likewise */
};

/* 30 to 24,000 nodes. The last one of each family is a trial. */
static const struct
{
  const char *family;
  const char *sizes[N_SIZES + 1];
} built_in[] = {
  { "rnnlm",
    { "layers=1,steps=8", "layers=2,steps=10", "layers=3,steps=20,batch=32", "layers=4,steps=12",
      "layers=6,steps=16,width=1024", "layers=8,steps=10", "layers=8,granularity=coarse",
      "layers=5,steps=8" } },
  { "gnmt",
    { "layers=1,steps=6", "layers=2,steps=8", "layers=3,steps=12,batch=64", "layers=4,steps=10",
      "layers=6,steps=8,width=512", "layers=8,steps=6", "layers=6,granularity=coarse",
      "layers=5,steps=5" } },
  { "transformer-xl",
    { "layers=1,segments=2", "layers=2,segments=2", "layers=3,batch=16", "layers=4,segments=2",
      "layers=6,segments=3,steps=256", "layers=8,segments=2",
      "layers=12,batch=6,granularity=coarse", "layers=5,segments=2" } },
  { "inception-v3",
    { "batch=8,mode=inference", "batch=64,mode=inference", "batch=16,image=224,mode=inference",
      "batch=16", "batch=96,image=224", "batch=128,granularity=coarse",
      "batch=32,image=400,mode=inference", "batch=32,mode=inference" } },
  { "amoebanet",
    { "layers=3", "layers=6,batch=16", "layers=9,width=128", "layers=12,mode=inference",
      "layers=24,batch=64,mode=inference", "layers=18,granularity=coarse",
      "layers=6,image=160,mode=inference", "layers=4,batch=24" } },
  { "wavenet",
    { "layers=6", "layers=12", "stacks=1,layers=10,batch=8", "stacks=3,layers=24",
      "stacks=4,layers=20,steps=4096", "stacks=2,layers=24,width=256",
      "layers=24,granularity=coarse", "stacks=2,layers=14" } },
};

/* Neighbours differ in the number of devices, because each size uses three in a row. */
static const char *const clusters[] = {
  "p100x2",
  "v100x4",
  "p100x3",
  "v100x8",
  "p100x6,bandwidth=6GB/s",
  "v100x2",
  "p100x4",
  "v100x3,bandwidth=50GB/s",
  "p100x8",
  "v100x6",
  "p100x2,bandwidth=3GB/s,latency=20us",
  "equal:3,bandwidth=8GB/s,latency=5us",
  "v100x4,bandwidth=6GB/s",
  "equal:6,bandwidth=20GB/s,latency=10us",
  "p100x4,bandwidth=25GB/s,latency=2us",
  "v100x8,bandwidth=12GB/s",
};

/* --- construction and disposal -------------------------------------------------------------- */

static void
lesson_free (gpointer data)
{
  GobanLesson *self = data;

  g_free (self->graph);
  g_free (self->cluster);
  g_free (self->family);
  g_free (self);
}

static GobanLesson *
lesson_new (const char *graph, const char *cluster)
{
  GobanLesson *self = g_new0 (GobanLesson, 1);

  self->graph = g_strdup (graph);
  self->cluster = g_strdup (cluster);
  self->family
      = goban_workload_is_spec (graph) ? g_strndup (graph, strcspn (graph, ":")) : g_strdup (graph);
  return self;
}

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
  self->lessons = g_ptr_array_new_with_free_func (lesson_free);
  self->trials = g_ptr_array_new_with_free_func (lesson_free);
  self->validation = g_ptr_array_new_with_free_func (lesson_free);
  return self;
}

void
goban_curriculum_free (GobanCurriculum *self)
{
  g_strfreev (self->left_out);
  g_ptr_array_unref (self->lessons);
  g_ptr_array_unref (self->trials);
  g_ptr_array_unref (self->validation);
  g_free (self);
}

void
goban_curriculum_set_loader (GobanCurriculum *self, GobanLessonLoader loader)
{
  self->loader = loader;
}

/* --- filling -------------------------------------------------------------------------------- */

static gboolean
is_left_out (const GobanCurriculum *self, const char *family)
{
  return g_strv_contains ((const char *const *) self->left_out, family);
}

void
goban_curriculum_add (GobanCurriculum *self, const char *graph, const char *cluster)
{
  GobanLesson *lesson = lesson_new (graph, cluster);

  g_ptr_array_add (is_left_out (self, lesson->family) ? self->trials : self->lessons, lesson);
}

void
goban_curriculum_add_trial (GobanCurriculum *self, const char *graph, const char *cluster)
{
  g_ptr_array_add (self->trials, lesson_new (graph, cluster));
}

static const char *
get_cluster (guint i)
{
  return clusters[i % G_N_ELEMENTS (clusters)];
}

/* A left-out family has each size once as a trial, because trials are measured often. */
void
goban_curriculum_add_built_in (GobanCurriculum *self)
{
  guint at = 0;

  for (guint f = 0; f < G_N_ELEMENTS (built_in); f++)
    {
      guint n = is_left_out (self, built_in[f].family) ? 1 : N_CLUSTERS;

      for (guint s = 0; s < N_SIZES; s++, at += N_CLUSTERS)
        for (guint c = 0; c < n; c++)
          {
            g_autofree char *graph
                = g_strconcat (built_in[f].family, ":", built_in[f].sizes[s], NULL);

            goban_curriculum_add (self, graph, get_cluster (at + c));
          }
    }
  goban_curriculum_need_trials (self);
}

void
goban_curriculum_add_validation (GobanCurriculum *self, const char *graph, const char *cluster)
{
  g_ptr_array_add (self->validation, lesson_new (graph, cluster));
}

void
goban_curriculum_add_synthetic (GobanCurriculum *self)
{
  if (is_left_out (self, SYNTHETIC))
    return;
  for (guint i = 0; i < N_SYNTHETIC + N_VALIDATION; i++)
    {
      gboolean is_lesson = i < N_SYNTHETIC;
      guint seed = is_lesson ? FIRST_LESSON + i : FIRST_VALIDATION + i - N_SYNTHETIC;
      g_autofree char *graph = g_strdup_printf (SYNTHETIC ":seed=%u", seed);

      if (is_lesson)
        goban_curriculum_add (self, graph, get_cluster (i));
      else
        goban_curriculum_add_validation (self, graph, get_cluster (i));
    }
}

void
goban_curriculum_need_trials (GobanCurriculum *self)
{
  if (self->trials->len > 0)
    return;
  for (guint f = 0; f < G_N_ELEMENTS (built_in); f++)
    {
      g_autofree char *graph
          = g_strconcat (built_in[f].family, ":", built_in[f].sizes[N_SIZES], NULL);

      if (!is_left_out (self, built_in[f].family))
        goban_curriculum_add_trial (self, graph, get_cluster (N_CLUSTERS * f));
    }
}

/* --- accessors ------------------------------------------------------------------------------ */

guint
goban_curriculum_get_n_lessons (const GobanCurriculum *self)
{
  return self->lessons->len;
}

const GobanLesson *
goban_curriculum_get_lesson (const GobanCurriculum *self, guint i)
{
  return g_ptr_array_index (self->lessons, i);
}

guint
goban_curriculum_get_n_trials (const GobanCurriculum *self)
{
  return self->trials->len;
}

const GobanLesson *
goban_curriculum_get_trial (const GobanCurriculum *self, guint i)
{
  return g_ptr_array_index (self->trials, i);
}

guint
goban_curriculum_get_n_validation (const GobanCurriculum *self)
{
  return self->validation->len;
}

const GobanLesson *
goban_curriculum_get_validation (const GobanCurriculum *self, guint i)
{
  return g_ptr_array_index (self->validation, i);
}

const char *const *
goban_curriculum_get_left_out (const GobanCurriculum *self)
{
  return (const char *const *) self->left_out;
}

static void
append_lessons (GString *text, const char *word, const GPtrArray *lessons)
{
  for (guint i = 0; i < lessons->len; i++)
    {
      const GobanLesson *lesson = g_ptr_array_index (lessons, i);

      g_string_append_printf (text, "%-6s %s on %s\n", word, lesson->graph, lesson->cluster);
    }
}

char *
goban_curriculum_to_text (const GobanCurriculum *self)
{
  GString *text = g_string_new (NULL);

  append_lessons (text, "lesson", self->lessons);
  append_lessons (text, "trial", self->trials);
  append_lessons (text, "validation", self->validation);
  return g_string_free (text, FALSE);
}

/* --- drawing --------------------------------------------------------------------------------- */

/* Lessons of one family that are not drawn yet. */
typedef struct
{
  const char *family;
  GArray *left; /* guint */
} Pile;

static void
pile_clear (gpointer data)
{
  g_array_unref (((Pile *) data)->left);
}

/* Piles in the order of each family's first lesson. */
static GArray *
sort_by_family (const GobanCurriculum *self)
{
  GArray *piles = g_array_new (FALSE, FALSE, sizeof (Pile));

  g_array_set_clear_func (piles, pile_clear);
  for (guint i = 0; i < self->lessons->len; i++)
    {
      const GobanLesson *lesson = goban_curriculum_get_lesson (self, i);
      guint p = 0;

      while (p < piles->len && strcmp (g_array_index (piles, Pile, p).family, lesson->family) != 0)
        p++;
      if (p == piles->len)
        {
          Pile pile = { lesson->family, g_array_new (FALSE, FALSE, sizeof (guint)) };

          g_array_append_val (piles, pile);
        }
      g_array_append_val (g_array_index (piles, Pile, p).left, i);
    }
  return piles;
}

/* The order in which families are drawn: random networks as often as all families together.
 * (transfer full) */
static guint32 *
new_turns (const GArray *piles, guint *n_turns)
{
  guint32 *turns = g_new (guint32, 2 * piles->len + 1);

  *n_turns = 0;
  for (guint p = 0; p < piles->len; p++)
    {
      gboolean is_random = strcmp (g_array_index (piles, Pile, p).family, SYNTHETIC) == 0;

      for (guint i = 0; i < (is_random ? MAX (piles->len - 1, 1) : 1); i++)
        turns[(*n_turns)++] = p;
    }
  return turns;
}

guint
goban_curriculum_draw (const GobanCurriculum *self, GobanRng *rng, guint *lessons, guint n)
{
  g_autoptr (GArray) piles = sort_by_family (self);
  guint n_turns, n_drawn = 0;
  g_autofree guint32 *turns = new_turns (piles, &n_turns);

  n = MIN (n, self->lessons->len);
  goban_rng_shuffle (rng, turns, n_turns);
  for (guint k = 0; n_drawn < n; k++)
    {
      GArray *left = g_array_index (piles, Pile, turns[k % n_turns]).left;
      guint at;

      if (left->len == 0)
        continue;
      at = goban_rng_below (rng, left->len);
      lessons[n_drawn++] = g_array_index (left, guint, at);
      g_array_remove_index (left, at);
    }
  return n;
}

/* --- loading -------------------------------------------------------------------------------- */

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

GobanCostModel *
goban_curriculum_load (const GobanCurriculum *self, const GobanLesson *lesson, GError **error)
{
  g_autoptr (GobanCluster) cluster = goban_curriculum_new_cluster (lesson->cluster, error);
  g_autoptr (GobanGraph) graph = NULL;

  if (cluster == NULL)
    return NULL;
  graph = self->loader != NULL && !goban_workload_is_spec (lesson->graph)
              ? self->loader (lesson->graph, error)
              : goban_workload_generate (lesson->graph, error);
  return graph != NULL ? goban_cost_model_new (graph, cluster, GOBAN_EXECUTION_EVENTS) : NULL;
}
