#include "engine/core/error.h"
#include "engine/graph/workloads/spec.h"
#include "engine/graph/workloads/workload.h"
#include "tests/support/test-program.h"

#include <string.h>

/* What is wrong, and words that the message must hold. */
static void
refuse (const char *spec, const char *word, const char *other_word)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GobanGraph) graph = goban_workload_generate (spec, &error);

  g_assert_null (graph);
  g_assert_error (error, GOBAN_ERROR, GOBAN_ERROR_INVALID);
  g_assert_nonnull (strstr (error->message, word));
  g_assert_nonnull (strstr (error->message, other_word));
  g_assert_false (g_str_has_suffix (error->message, "."));
}

static void
test_unknown_words (void)
{
  refuse ("rnnln", "“rnnln”", "rnnlm, gnmt, transformer-xl");
  refuse ("", "“”", "rnnlm");
  refuse ("rnnlm:layer=2", "“layer”", "layers, steps, batch, width, vocabulary, mode, granularity");
  refuse ("rnnlm:mode=trainin", "“trainin”", "training, inference");
  refuse ("rnnlm:mode=", "“mode”", "training, inference");
  refuse ("rnnlm:=2", "“”", "layers");
  refuse ("rnnlm:layers", "“layers”", "KEY=VALUE");
  refuse ("rnnlm:", "“”", "KEY=VALUE");
  refuse ("rnnlm:layers=2,", "“”", "KEY=VALUE");
  refuse ("rnnlm:layers=2,layers=4", "“layers”", "twice");
  refuse ("gpt2-xl:size=gpt2", "“size”", "twice");
  refuse ("gpt2-xs:tp=2", "“gpt2-xs”", "families are rnnlm");
}

static void
test_bad_numbers (void)
{
  static const char *const values[]
      = { "0", "-1", "1025", "2.5", "two", "", " 2", "2 ", "99999999999999999999", "0x2" };

  for (gsize i = 0; i < G_N_ELEMENTS (values); i++)
    {
      g_autofree char *spec = g_strconcat ("rnnlm:layers=", values[i], NULL);

      refuse (spec, "“layers”", "whole number from 1 to 1024");
    }
}

static void
test_too_large (void)
{
  refuse ("gnmt:layers=1024,steps=4096", "“gnmt”", "at most 2000000");
  refuse ("rnnlm:layers=1000,steps=1000", "“rnnlm”", "at most 2000000");
  refuse ("transformer-xl:layers=1024,segments=4096", "“transformer-xl”", "at most 2000000");
}

/* Nothing that the knobs allow is a crash: the least of everything, and odd sizes. */
static void
test_small_and_odd (void)
{
  static const char *const specs[] = {
    "rnnlm:layers=1,steps=1,batch=1,width=1,vocabulary=2",
    "rnnlm:layers=1,steps=1,batch=65536,width=65536,vocabulary=10000000",
    "gnmt:layers=1,steps=1,batch=1,width=1,vocabulary=2",
    "gnmt:layers=3,steps=2,batch=65536,width=65536,vocabulary=10000000",
    "transformer-xl:layers=1,segments=1,batch=1,steps=1,memory=1,width=2,heads=1,head-width=1,"
    "inner=1,vocabulary=2",
    "transformer-xl:layers=1,segments=3,batch=3,steps=7,memory=19,width=5,heads=3,head-width=7",
    "gpt:layers=1,width=1,heads=1,ffn=1,vocabulary=2,positions=1,sequence=1,batch=1,flash=0",
    "gpt:size=megatron-1t,layers=1,batch=65536,vocabulary=10000000,tp=32,dtype=f32",
    "llama:layers=1,width=6,heads=3,kv-heads=1,ffn=7,vocabulary=3,sequence=5,tp=1,sp=1",
    "llama:layers=1,width=65536,heads=1024,kv-heads=1,ffn=262144,sequence=1048576,batch=65536,"
    "tp=1024,sp=1",
    "mixtral:layers=1,experts=1024,top-k=64,ep=1024,batch=65536,sequence=1048576",
    "mixtral:layers=1,width=2,heads=1,kv-heads=1,ffn=1,experts=1,top-k=1,vocabulary=2,sequence=1",
    "vit:layers=1,width=1,heads=1,ffn=1,patch=1,image=1,classes=1,batch=1",
    "dit:layers=1,width=1,heads=1,ffn=1,patch=16,image=16384,classes=1000000,batch=65536",
    "transformer-xl:layers=1,segments=2,batch=65536,steps=65536,memory=65536,width=65536,"
    "heads=1024,head-width=65536,inner=262144,vocabulary=10000000",
  };

  for (gsize i = 0; i < G_N_ELEMENTS (specs); i++)
    for (guint mode = 0; mode < 4; mode++)
      {
        g_autofree char *spec = g_strconcat (specs[i], mode % 2 == 0 ? "" : ",mode=inference",
                                             mode < 2 ? "" : ",granularity=coarse", NULL);
        g_autoptr (GError) error = NULL;
        g_autoptr (GobanGraph) graph = goban_workload_generate (spec, &error);

        g_assert_no_error (error);
        g_assert_cmpuint (goban_graph_get_n_nodes (graph), >, 0);
      }
}

/* What is refused before it is built is what would be too large: the guess is near the truth. */
static void
test_estimates (void)
{
  static const Workload *const workloads[]
      = { &workload_rnnlm, &workload_gnmt,  &workload_transformer_xl,
          &workload_gpt,   &workload_llama, &workload_mixtral,
          &workload_vit,   &workload_dit };

  for (gsize i = 0; i < G_N_ELEMENTS (workloads); i++)
    for (guint layers = 2; layers <= 8; layers *= 2)
      {
        g_autofree char *text = g_strdup_printf ("%s:layers=%u", workloads[i]->family.name, layers);
        g_autoptr (Spec) spec = spec_parse (text, workloads, G_N_ELEMENTS (workloads), NULL);
        g_autoptr (GobanGraph) graph = goban_workload_generate (text, NULL);

        g_assert_cmpfloat_with_epsilon (
            workloads[i]->estimate_nodes (spec) / goban_graph_get_n_nodes (graph), 1, 0.05);
      }
}

/* Names leave out what is the default and are in the family's order: equal graphs, equal names. */
static void
test_names (void)
{
  static const char *const pairs[][2] = {
    { "rnnlm", "rnnlm" },
    { "rnnlm:layers=2,mode=training", "rnnlm" },
    { "rnnlm:width=32,steps=3,layers=1", "rnnlm:layers=1,steps=3,width=32" },
    { "gnmt:granularity=coarse,steps=3", "gnmt:steps=3,granularity=coarse" },
    { "llama-3-8b", "llama" },
    { "llama-3-70b:tp=8", "llama:size=llama-3-70b,tp=8" },
  };

  for (gsize i = 0; i < G_N_ELEMENTS (pairs); i++)
    {
      g_autoptr (GError) error = NULL;
      g_autoptr (GobanGraph) graph = goban_workload_generate (pairs[i][0], &error);

      g_assert_no_error (error);
      g_assert_cmpstr (goban_graph_get_name (graph), ==, pairs[i][1]);
      g_assert_cmpstr (goban_graph_get_format (graph), ==, "generated");
    }
}

static void
test_is_spec (void)
{
  g_assert_true (goban_workload_is_spec ("rnnlm"));
  g_assert_true (goban_workload_is_spec ("rnnlm:anything"));
  g_assert_true (goban_workload_is_spec ("transformer-xl"));
  g_assert_false (goban_workload_is_spec ("rnnlm.json"));
  g_assert_false (goban_workload_is_spec ("rnn"));
  g_assert_false (goban_workload_is_spec ("./rnnlm"));
  g_assert_false (goban_workload_is_spec (""));
}

static void
test_knobs_are_whole (void)
{
  gsize n;
  const GobanFamily *const *families = goban_families (&n);

  for (gsize i = 0; i < n; i++)
    {
      gboolean has_batch = FALSE;

      for (gsize k = 0; k < families[i]->n_knobs; k++)
        {
          const GobanKnob *knob = &families[i]->knobs[k];

          has_batch |= strcmp (knob->name, "batch") == 0;
          g_assert_nonnull (knob->meaning);
          if (knob->words != NULL)
            continue;
          g_assert_cmpint (knob->minimum, <=, knob->initial);
          g_assert_cmpint (knob->initial, <=, knob->maximum);
        }
      g_assert_true (has_batch);
    }
}

/* A size sets the knobs behind it, and the first size is what the knobs say themselves. */
static void
test_sizes_are_defaults (void)
{
  gsize n;
  const GobanFamily *const *families = goban_families (&n);

  for (gsize i = 0; i < n; i++)
    {
      g_autoptr (GobanWorkloadSpec) spec = goban_workload_spec_new (families[i]->name, NULL);

      for (gsize k = 0; goban_family_get_knob (families[i], k) != NULL; k++)
        g_assert_cmpint (spec->values[k], ==, goban_family_get_knob (families[i], k)->initial);
    }
  for (gsize i = 0; i < n; i++)
    for (gsize s = 0; families[i]->n_sized > 0 && families[i]->knobs[0].words[s] != NULL; s++)
      {
        g_autofree char *text
            = g_strdup_printf ("%s:size=%s", families[i]->name, families[i]->knobs[0].words[s]);
        g_autoptr (GError) error = NULL;
        g_autoptr (GobanWorkloadSpec) spec = goban_workload_spec_new (text, &error);

        g_assert_no_error (error);
        for (gsize k = 1; k <= families[i]->n_sized; k++)
          g_assert_cmpint (spec->values[k], ==,
                           families[i]->sizes[s * families[i]->n_sized + k - 1]);
      }
}

/* A wider model has a wider feed-forward part, unless that is said. */
static void
test_ffn_follows_width (void)
{
  static const struct
  {
    const char *spec, *text;
    gint64 ffn;
  } rows[] = {
    { "gpt:width=1536", "gpt:width=1536", 6144 },
    { "gpt:width=1536,ffn=6144", "gpt:width=1536", 6144 },
    { "gpt:ffn=3072,width=1536", "gpt:width=1536,ffn=3072", 3072 },
    { "llama:width=2048", "llama:width=2048", 7168 },
    { "vit:size=vit-h-14,width=640", "vit:size=vit-h-14,width=640", 2560 },
  };

  for (gsize i = 0; i < G_N_ELEMENTS (rows); i++)
    {
      g_autoptr (GError) error = NULL;
      g_autoptr (GobanWorkloadSpec) spec = goban_workload_spec_new (rows[i].spec, &error);
      gsize k = 0;

      g_assert_no_error (error);
      g_assert_cmpstr (spec->text, ==, rows[i].text);
      while (!g_str_equal (spec->family->knobs[k].name, "ffn"))
        k++;
      g_assert_cmpint (spec->values[k], ==, rows[i].ffn);
      g_assert_cmpint (goban_family_get_default (spec->family, k, spec->values), ==,
                       i == 2 ? 6144 : rows[i].ffn);
    }
}

static void
test_read_without_making (void)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GobanWorkloadSpec) spec
      = goban_workload_spec_new ("rnnlm:mode=inference,steps=7,layers=2", &error);
  g_autoptr (GobanGraph) graph = NULL;

  g_assert_no_error (error);
  g_assert_cmpstr (spec->family->name, ==, "rnnlm");
  g_assert_cmpstr (spec->text, ==, "rnnlm:steps=7,mode=inference");
  g_assert_cmpint (spec->values[0], ==, 2);
  g_assert_cmpint (spec->values[1], ==, 7);
  g_assert_cmpint (spec->values[spec->family->n_knobs], ==, 1);
  graph = goban_workload_generate (spec->text, &error);
  g_assert_no_error (error);
  g_assert_cmpfloat (spec->n_nodes, >, goban_graph_get_n_nodes (graph));

  g_assert_null (goban_workload_spec_new ("rnnlm:layers=1000,steps=1000", &error));
  g_assert_error (error, GOBAN_ERROR, GOBAN_ERROR_INVALID);
}

TEST_PROGRAM (spec)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/workloads/spec/sizes-are-defaults", test_sizes_are_defaults);
  g_test_add_func ("/workloads/spec/ffn-follows-width", test_ffn_follows_width);
  g_test_add_func ("/workloads/spec/read-without-making", test_read_without_making);
  g_test_add_func ("/workloads/spec/unknown-words-are-named-with-what-there-is",
                   test_unknown_words);
  g_test_add_func ("/workloads/spec/bad-numbers-are-named-with-their-range", test_bad_numbers);
  g_test_add_func ("/workloads/spec/graphs-too-large-are-refused", test_too_large);
  g_test_add_func ("/workloads/spec/estimates-are-near", test_estimates);
  g_test_add_func ("/workloads/spec/small-and-odd-sizes-are-made", test_small_and_odd);
  g_test_add_func ("/workloads/spec/name-is-canonical", test_names);
  g_test_add_func ("/workloads/spec/paths-are-no-specs", test_is_spec);
  g_test_add_func ("/workloads/spec/knobs-are-whole", test_knobs_are_whole);
  return g_test_run ();
}
