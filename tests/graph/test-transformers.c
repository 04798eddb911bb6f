#include "engine/core/error.h"
#include "engine/graph/collectives.h"
#include "engine/graph/workloads/workload.h"
#include "tests/graph/workload-probe.h"
#include "tests/support/test-program.h"

#include <math.h>
#include <string.h>

static double
add_up_flops (const GobanGraph *graph)
{
  double flops = 0;

  for (GobanNodeId v = 0; v < goban_graph_get_n_nodes (graph); v++)
    flops += goban_graph_get_node (graph, v)->flops;
  return flops;
}

static const GobanNode *
node_of (const GobanGraph *graph, const char *name)
{
  GobanNodeId node = goban_graph_find_node (graph, name);

  if (node == GOBAN_NO_NODE)
    g_error ("%s has no node %s", goban_graph_get_name (graph), name);
  return goban_graph_get_node (graph, node);
}

/* --- published numbers ------------------------------------------------------------------------ */

static void
test_published_parameters (void)
{
  static const struct
  {
    const char *spec;
    double params;
  } rows[] = {
    /* the checkpoints of Hugging Face's hub */
    { "gpt:size=gpt2", 124439808 },
    { "gpt:size=gpt2-medium", 354823168 },
    { "gpt:size=gpt2-large", 774030080 },
    { "gpt:size=gpt2-xl", 1557611200 },
    { "llama:size=llama-2-7b", 6738415616 },
    { "llama:size=llama-2-13b", 13015864320 },
    { "llama:size=llama-2-70b", 68976648192 },
    { "llama:size=llama-3-1b", 1235814400 },
    { "llama:size=llama-3-3b", 3212749824 },
    { "llama:size=llama-3-8b", 8030261248 },
    { "llama:size=llama-3-70b", 70553706496 },
    { "llama:size=llama-3-405b", 405853388800 },
    { "llama:size=mistral-7b", 7241732096 },
    { "mixtral:size=mixtral-8x7b", 46702792704 },
    { "mixtral:size=mixtral-8x22b", 140620634112 },
    /* torchvision's */
    { "vit:size=vit-b-16", 86567656 },
    { "vit:size=vit-b-32", 88224232 },
    { "vit:size=vit-l-16", 304326632 },
    { "vit:size=vit-l-32", 306535400 },
    { "vit:size=vit-h-14", 632045800 },
    /* as the authors' code counts */
    { "dit:size=dit-xl-2", 675129632 },
    { "llama:size=tinyllama-1.1b", 1100048384 },
  };
  /* Brown et al. 2020 and Narayanan et al. 2021, rounded as they are there. */
  static const struct
  {
    const char *spec;
    double billions, digit;
  } rounded[] = {
    { "gpt:size=gpt3-6.7b", 6.7, 0.1 },         { "gpt:size=gpt3-175b", 175, 1 },
    { "gpt:size=megatron-1.7b", 1.7, 0.1 },     { "gpt:size=megatron-3.6b", 3.6, 0.1 },
    { "gpt:size=megatron-7.5b", 7.5, 0.1 },     { "gpt:size=megatron-18.4b", 18.4, 0.1 },
    { "gpt:size=megatron-39.1b", 39.1, 0.1 },   { "gpt:size=megatron-76.1b", 76.1, 0.1 },
    { "gpt:size=megatron-145.6b", 145.6, 0.1 }, { "gpt:size=megatron-530b", 529.6, 0.1 },
    { "gpt:size=megatron-1t", 1008, 0.1 },      { "dit:size=dit-l-2", 0.458, 0.002 },
    { "dit:size=dit-b-2", 0.130, 0.002 },       { "dit:size=dit-s-2", 0.033, 0.002 },
  };

  for (gsize i = 0; i < G_N_ELEMENTS (rows); i++)
    {
      g_autoptr (GobanGraph) graph = probe_generate (rows[i].spec);

      g_test_message ("%s", rows[i].spec);
      g_assert_cmpfloat (probe_params (graph), ==, rows[i].params);
    }
  for (gsize i = 0; i < G_N_ELEMENTS (rounded); i++)
    {
      g_autoptr (GobanGraph) graph = probe_generate (rounded[i].spec);
      double billions = probe_params (graph) / 1e9;

      g_test_message ("%s", rounded[i].spec);
      g_assert_cmpfloat_with_epsilon (billions, rounded[i].billions, rounded[i].digit / 2);
    }
}

/* A step's FLOPs are 6 a token and parameter of a matrix that rows are multiplied with (a table
 * that is the head's too is one; else it and positions are not), and of attention 12 L s h a token,
 * or 7 L s h of a fused one: causal, with its scores made twice (Chowdhery et al. 2022, appendix B;
 * Dao et al. 2022). */
static void
test_flops_of_a_step (void)
{
  static const struct
  {
    const char *size;
    double not_multiplied; /* parameters */
    double layers, sequence, width;
  } rows[] = {
    { "gpt:size=gpt2-xl,batch=2", 1024 * 1600, 48, 1024, 1600 },
    { "gpt:size=gpt3-175b,batch=1", 2048.0 * 12288, 96, 2048, 12288 },
    { "llama:size=llama-3-8b", 128256.0 * 4096, 32, 8192, 4096 },
    { "llama:size=llama-3-70b", 128256.0 * 8192, 80, 8192, 8192 },
    { "llama:size=llama-2-7b,sequence=512,batch=4", 32000.0 * 4096, 32, 512, 4096 },
    /* 6 of 8 experts of three matrices are not a token's */
    { "mixtral:batch=1", 32000.0 * 4096 + 32 * 6 * 3 * 4096.0 * 14336, 32, 4096, 4096 },
  };

  for (gsize i = 0; i < G_N_ELEMENTS (rows); i++)
    for (guint flash = 0; flash < 2; flash++)
      {
        g_autofree char *spec = g_strdup_printf ("%s,flash=%u", rows[i].size, flash);
        g_autoptr (GobanGraph) graph = probe_generate (spec);
        double n_tokens = (double) probe_output (graph, "embedding/ids")->dims[0];
        double per_token
            = 6 * (probe_params (graph) - rows[i].not_multiplied)
              + (flash == 1 ? 7 : 12) * rows[i].layers * rows[i].sequence * rows[i].width;
        double ratio = add_up_flops (graph) / (per_token * n_tokens);

        g_test_message ("%s: %.4f", spec, ratio);
        g_assert_cmpfloat_with_epsilon (ratio, 1, 0.01);
      }
}

/* Multiply-accumulates of an image: torchvision's (in 10^9), and Peebles and Xie 2023, table 1. */
static void
test_macs_of_an_image (void)
{
  static const struct
  {
    const char *size;
    double published;
  } rows[] = {
    { "vit:size=vit-b-16", 17.56 }, { "vit:size=vit-b-32", 4.41 },  { "vit:size=vit-l-16", 61.55 },
    { "vit:size=vit-l-32", 15.38 }, { "dit:size=dit-xl-2", 118.6 }, { "dit:size=dit-l-2", 80.7 },
    { "dit:size=dit-b-2", 23.0 },   { "dit:size=dit-s-2", 6.06 },
  };

  for (gsize i = 0; i < G_N_ELEMENTS (rows); i++)
    {
      g_autofree char *spec = g_strconcat (rows[i].size, ",batch=1,mode=inference", NULL);
      g_autoptr (GobanGraph) graph = probe_generate (spec);
      double ratio = probe_macs (graph, GOBAN_PHASE_FORWARD) / (rows[i].published * 1e9);

      g_test_message ("%s: %.4f", spec, ratio);
      g_assert_cmpfloat_with_epsilon (ratio, 1, 0.015);
    }
}

/* --- shards ----------------------------------------------------------------------------------- */

/* A random model whose knobs fit together, and divisors of it. */
typedef struct
{
  gboolean is_llama;
  int experts, top_k, ep; /* experts: 0 for none */
  int layers, heads, kv_heads, head_width, ffn, vocabulary, sequence, batch, tp, element_bytes;
  gboolean is_sequence_parallel, flash;
  char spec[400];
} Case;

static int
pick (const int *values, guint n)
{
  return values[g_test_rand_int_range (0, (int) n)];
}

static Case
random_case (void)
{
  Case c = { .is_llama = g_test_rand_bit (), .flash = g_test_rand_bit () };
  gboolean is_f32 = g_test_rand_bit ();

  c.tp = pick ((const int[]){ 2, 3, 4, 6, 8 }, 5);
  c.layers = g_test_rand_int_range (1, 4);
  c.heads = c.tp * g_test_rand_int_range (1, 4);
  c.kv_heads = c.heads;
  if (c.is_llama && c.heads % 2 == 0 && g_test_rand_bit ())
    c.kv_heads = c.tp % 2 == 0 && g_test_rand_bit () ? 2 : c.heads;
  c.head_width = 2 * g_test_rand_int_range (1, 9);
  c.ffn = c.tp * g_test_rand_int_range (1, 40);
  c.vocabulary = c.tp * g_test_rand_int_range (2, 60);
  c.sequence = c.tp * g_test_rand_int_range (1, 12);
  c.batch = g_test_rand_int_range (1, 5);
  c.is_sequence_parallel = g_test_rand_bit ();
  c.ep = g_test_rand_int_range (1, 4);
  c.experts = c.is_llama && g_test_rand_bit () ? c.ep * g_test_rand_int_range (1, 4) : 0;
  c.top_k = g_test_rand_int_range (1, MAX (c.experts, 1) + 1);
  c.element_bytes = is_f32 ? 4 : 2;
  g_snprintf (c.spec, sizeof c.spec,
              "%s:layers=%d,width=%d,heads=%d,ffn=%d,vocabulary=%d,sequence=%d,batch=%d,flash=%d,"
              "dtype=%s",
              c.experts > 0 ? "mixtral"
              : c.is_llama  ? "llama"
                            : "gpt",
              c.layers, c.heads * c.head_width, c.heads, c.ffn, c.vocabulary, c.sequence, c.batch,
              c.flash, is_f32 ? "f32" : "bf16");
  if (c.is_llama)
    {
      g_autofree char *more = g_strdup_printf (",kv-heads=%d", c.kv_heads);

      g_strlcat (c.spec, more, sizeof c.spec);
    }
  if (c.experts > 0)
    {
      g_autofree char *more = g_strdup_printf (",experts=%d,top-k=%d", c.experts, c.top_k);

      g_strlcat (c.spec, more, sizeof c.spec);
    }
  return c;
}

static char *
sharded_spec (const Case *c)
{
  g_autofree char *experts = g_strdup_printf (",ep=%d", c->ep);

  return g_strdup_printf ("%s,tp=%d,sp=%d%s", c->spec, c->tp, c->is_sequence_parallel,
                          c->experts > 0 ? experts : "");
}

static GobanGraph *
generate_sharded (const Case *c)
{
  g_autofree char *spec = sharded_spec (c);

  return probe_generate (spec);
}

/* What every rank has all of. */
static gboolean
is_replicated (const char *name)
{
  return strstr (name, "/norm/") != NULL || g_str_has_suffix (name, "positions")
         || strstr (name, "/router/") != NULL || g_str_has_suffix (name, "output/bias")
         || g_str_has_suffix (name, "down/bias");
}

/* Parameters of all ranks together, those that all have counted once, are the whole model's. */
static void
check_parameters (const Case *c, const GobanGraph *whole, const GobanGraph *shard)
{
  double queries = c->heads, copies = MAX (c->kv_heads, c->tp);

  for (GobanNodeId v = 0; v < goban_graph_get_n_nodes (whole); v++)
    {
      const GobanNode *node = goban_graph_get_node (whole, v);
      const GobanNode *part = node_of (shard, node->name);
      double n = c->tp * part->param_count * (strstr (node->name, "/experts/") ? c->ep : 1);

      if (node->param_count == 0)
        continue;
      if (is_replicated (node->name))
        g_assert_cmpfloat (part->param_count, ==, node->param_count);
      else if (strstr (node->name, "/qkv/") != NULL)
        g_assert_cmpfloat_with_epsilon (n * (queries + 2 * c->kv_heads),
                                        node->param_count * (queries + 2 * copies), 1e-6);
      else
        g_assert_cmpfloat (n, ==, node->param_count);
    }
}

/* Names do not tell how many ranks there are, but for the collectives. Products and what is between
 * them are shared out; norms and sums are only with sequence parallelism. */
static void
check_work (const Case *c, const GobanGraph *whole, const GobanGraph *shard)
{
  guint n_collectives;
  double surplus = 0; /* copies of keys and values are made on several ranks */

  goban_graph_get_collectives (shard, &n_collectives);
  g_assert_cmpuint (goban_graph_get_n_nodes (shard), ==,
                    goban_graph_get_n_nodes (whole) + n_collectives);
  for (GobanNodeId v = 0; v < goban_graph_get_n_nodes (whole); v++)
    {
      const GobanNode *node = goban_graph_get_node (whole, v);
      const GobanNode *part = node_of (shard, node->name);

      g_assert_cmpstr (node->op, ==, part->op);
      g_assert_cmpint (node->phase, ==, part->phase);
      if (strstr (node->op, "Norm") != NULL || strstr (node->name, "/router/MatMul") != NULL)
        g_assert_cmpfloat_with_epsilon (part->flops * (c->is_sequence_parallel ? c->tp : 1),
                                        node->flops, 1e-6 * node->flops);
      if (strstr (node->name, "/qkv/") != NULL)
        surplus += c->tp * part->macs - node->macs;
      else if (strstr (node->name, "/router/") == NULL)
        g_assert_cmpfloat_with_epsilon (c->tp * part->macs, node->macs, 1e-6);
    }
  if (c->kv_heads >= c->tp)
    g_assert_cmpfloat_with_epsilon (surplus, 0, 1e-6);
  else
    g_assert_cmpfloat_with_epsilon (surplus,
                                    3.0 * c->layers * c->batch * c->sequence * 2
                                        * (c->tp - c->kv_heads) * c->head_width * c->heads
                                        * c->head_width,
                                    1e-3);
}

typedef struct
{
  guint n[GOBAN_N_COLLECTIVES];
  guint n_losses;
  guint n_choices[GOBAN_N_COLLECTIVES];
} Tally;

/* Each has the rows of all ranks, or of the experts that they go to; small ones are of the loss and
 * of the choices of experts. */
static Tally
check_bytes (const Case *c, const GobanGraph *shard)
{
  double rows_bytes = (double) c->batch * c->sequence * c->heads * c->head_width * c->element_bytes;
  Tally tally = { 0 };
  guint n;
  const GobanNodeCollective *collectives = goban_graph_get_collectives (shard, &n);

  for (guint i = 0; i < n; i++)
    {
      const char *name = goban_graph_get_node (shard, collectives[i].node)->name;

      gboolean is_exchange = collectives[i].kind == GOBAN_COLLECTIVE_ALL_TO_ALL;

      g_assert_cmpuint (collectives[i].n_ranks, ==, (guint) (is_exchange ? c->ep : c->tp));
      g_assert_cmpstr (collectives[i].group, ==, is_exchange ? "ep" : "tp");
      if (g_str_has_prefix (name, "head/loss/"))
        {
          g_assert_cmpfloat (collectives[i].bytes, ==, 4.0 * c->batch * c->sequence);
          tally.n_losses++;
          continue;
        }
      if (strstr (name, "/router/") != NULL)
        {
          g_assert_cmpfloat (collectives[i].bytes, ==,
                             (double) c->batch * c->sequence * c->top_k * c->element_bytes);
          tally.n_choices[collectives[i].kind]++;
          continue;
        }
      g_assert_cmpfloat (collectives[i].bytes, ==, rows_bytes * (is_exchange ? c->top_k : 1));
      tally.n[collectives[i].kind]++;
    }
  return tally;
}

/* Two all-reduces a layer and direction, one behind the embedding and one of the head's input's
 * gradient. With sequence parallelism each is a gather and a scatter; a gather more for the
 * gradient of each weight whose rows were gathered. Experts' tokens are exchanged before and after,
 * in both directions, and what chose them is summed as their rows are; nothing is gathered again
 * for them. */
static void
check_collectives (const Case *c, const GobanGraph *shard)
{
  Tally tally = check_bytes (c, shard);
  guint n_layers = (guint) c->layers;

  guint n_expert_layers = c->experts > 0 ? n_layers : 0;

  g_assert_cmpuint (tally.n_losses, ==, 3);
  g_assert_cmpuint (tally.n[GOBAN_COLLECTIVE_ALL_TO_ALL], ==, c->ep > 1 ? 4 * n_expert_layers : 0);
  if (!c->is_sequence_parallel)
    {
      g_assert_cmpuint (tally.n[GOBAN_COLLECTIVE_ALL_REDUCE], ==, 4 * n_layers + 2);
      g_assert_cmpuint (tally.n_choices[GOBAN_COLLECTIVE_ALL_REDUCE], ==, n_expert_layers);
      return;
    }
  g_assert_cmpuint (tally.n[GOBAN_COLLECTIVE_ALL_REDUCE], ==, 0);
  g_assert_cmpuint (tally.n[GOBAN_COLLECTIVE_REDUCE_SCATTER], ==, 4 * n_layers + 2);
  g_assert_cmpuint (tally.n[GOBAN_COLLECTIVE_ALL_GATHER], ==, 6 * n_layers + 3 - n_expert_layers);
  g_assert_cmpuint (tally.n_choices[GOBAN_COLLECTIVE_ALL_GATHER], ==, n_expert_layers);
  g_assert_cmpuint (tally.n_choices[GOBAN_COLLECTIVE_REDUCE_SCATTER], ==, n_expert_layers);
}

/* Every variable, but a fixed table of positions, is updated by a gradient of its own shape, and
 * nothing is made in vain. */
static void
check_gradients (const GobanGraph *graph)
{
  guint n_variables = 0;

  for (GobanNodeId v = 0; v < goban_graph_get_n_nodes (graph); v++)
    {
      const GobanNode *node = goban_graph_get_node (graph, v);
      GobanEdgeSpan in = goban_graph_get_in_edges (graph, v);

      n_variables += node->param_count > 0;
      g_assert_true (g_str_has_prefix (node->name, "gradients/")
                     == (node->phase == GOBAN_PHASE_BACKWARD));
      if (node->phase == GOBAN_PHASE_BACKWARD && goban_graph_get_out_edges (graph, v).n == 0)
        g_error ("%s: nobody needs %s", goban_graph_get_name (graph), node->name);
      if (!g_str_equal (node->op, "FusedAdam"))
        continue;

      const GobanTensor *gradient
          = goban_graph_get_tensor (graph, goban_graph_get_edge (graph, in.ids[1])->tensor);
      g_autofree char *variable = g_strdup (node->name + strlen ("optimizer/"));
      double count = 1;

      *strrchr (variable, '/') = '\0';
      for (guint i = 0; i < gradient->n_dims; i++)
        count *= (double) gradient->dims[i];
      g_assert_cmpfloat (count, ==, node_of (graph, variable)->param_count);
    }
  if (g_str_has_prefix (goban_graph_get_name (graph), "dit"))
    n_variables--;
  g_assert_cmpuint (probe_count (graph, "FusedAdam"), ==, n_variables);
}

static void
test_shards (void)
{
  for (guint i = 0; i < 60; i++)
    {
      Case c = random_case ();
      g_autoptr (GobanGraph) whole = probe_generate (c.spec);
      g_autoptr (GobanGraph) shard = generate_sharded (&c);
      guint n;

      g_test_message ("%s", goban_graph_get_name (shard));
      goban_graph_get_collectives (whole, &n);
      g_assert_cmpuint (n, ==, 0);
      check_parameters (&c, whole, shard);
      check_work (&c, whole, shard);
      check_collectives (&c, shard);
      check_gradients (whole);
      check_gradients (shard);
    }
}

/* A vocabulary is rounded up to equal shards, as gpt2's odd one needs. */
static void
test_odd_vocabulary (void)
{
  g_autoptr (GobanGraph) graph = probe_generate ("gpt:tp=4");

  g_assert_cmpfloat (node_of (graph, "embedding/table")->param_count, ==, 12565.0 * 768);
  g_assert_cmpint (probe_output (graph, "head/MatMul")->dims[1], ==, 12565);
}

/* --- coarse ----------------------------------------------------------------------------------- */

static double
roofline_us (const GobanGraph *graph)
{
  double sum_us = 0;

  /* an A100's 312 TFLOP/s and 2,039 GB/s, at 83 % and 59 % */
  for (GobanNodeId v = 0; v < goban_graph_get_n_nodes (graph); v++)
    {
      const GobanNode *node = goban_graph_get_node (graph, v);

      if (goban_graph_find_collective (graph, v) == NULL)
        sum_us += MAX (node->flops / (0.83 * 312e6),
                       (node->read_bytes + node->written_bytes) / (0.59 * 2039e3));
    }
  return sum_us;
}

/* Sums stay, collectives stay, and so do the bytes that are resident. */
static void
check_coarse (const char *spec)
{
  g_autofree char *coarse_spec = g_strconcat (spec, ",granularity=coarse", NULL);
  g_autoptr (GobanGraph) fine = probe_generate (spec);
  g_autoptr (GobanGraph) coarse = probe_generate (coarse_spec);
  double resident[2] = { 0 }, bytes[2] = { 0 };
  guint n, n_fine;
  const GobanNodeCollective *of_coarse = goban_graph_get_collectives (coarse, &n);

  for (guint g = 0; g < 2; g++)
    for (GobanNodeId v = 0; v < goban_graph_get_n_nodes (g == 0 ? fine : coarse); v++)
      {
        const GobanNode *node = goban_graph_get_node (g == 0 ? fine : coarse, v);

        resident[g] += node->param_bytes;
        bytes[g] += node->read_bytes + node->written_bytes;
      }
  goban_graph_get_collectives (fine, &n_fine);
  g_assert_cmpfloat (resident[0], ==, resident[1]);
  g_assert_cmpfloat_with_epsilon (bytes[0], bytes[1], 1e-9 * bytes[0]);
  g_assert_cmpfloat (probe_params (fine), ==, probe_params (coarse));
  g_assert_cmpfloat_with_epsilon (add_up_flops (fine), add_up_flops (coarse),
                                  1e-9 * add_up_flops (fine));
  g_assert_cmpuint (n, ==, n_fine);
  for (guint i = 0; i < n; i++)
    {
      const char *name = goban_graph_get_node (coarse, of_coarse[i].node)->name;
      GobanNodeId node = goban_graph_find_node (fine, name);

      g_assert_cmpuint (node, !=, GOBAN_NO_NODE);

      const GobanNodeCollective *same = goban_graph_find_collective (fine, node);

      g_assert_cmpint (same->kind, ==, of_coarse[i].kind);
      g_assert_cmpfloat (same->bytes, ==, of_coarse[i].bytes);
      g_assert_cmpuint (same->n_ranks, ==, of_coarse[i].n_ranks);
      g_assert_cmpstr (same->group, ==, of_coarse[i].group);
    }
}

static void
test_coarse_sums (void)
{
  for (guint i = 0; i < 40; i++)
    {
      Case c = random_case ();
      g_autofree char *spec = sharded_spec (&c);

      g_test_message ("%s", spec);
      check_coarse (c.spec);
      check_coarse (spec);
    }
}

/* The times of the nodes add up to those of the ops, within 1 %. */
static void
test_coarse_times (void)
{
  static const char *const specs[]
      = { "gpt:size=gpt2-xl", "gpt:size=megatron-18.4b,flash=0,dropout=1,tp=8,batch=4",
          "llama:size=llama-3-70b,tp=8,sp=1", "llama:size=llama-3-8b", "mixtral:ep=8,tp=2" };

  for (gsize i = 0; i < G_N_ELEMENTS (specs); i++)
    {
      g_autofree char *spec = g_strconcat (specs[i], ",granularity=coarse", NULL);
      g_autoptr (GobanGraph) fine = probe_generate (specs[i]);
      g_autoptr (GobanGraph) coarse = probe_generate (spec);
      double ratio = roofline_us (coarse) / roofline_us (fine);

      g_test_message ("%s: %u nodes of %u, %.4f of their time", specs[i],
                      goban_graph_get_n_nodes (coarse), goban_graph_get_n_nodes (fine), ratio);
      g_assert_cmpfloat_with_epsilon (ratio, 1, 0.01);
    }
}

/* The layers of a vision model are shared out, all else is every rank's. */
static void
test_shards_of_images (void)
{
  static const char *const specs[] = { "vit:batch=2", "dit:size=dit-s-2,batch=3,flash=0",
                                       "dit:size=dit-b-2,layers=3,dtype=f32" };

  for (gsize i = 0; i < G_N_ELEMENTS (specs); i++)
    {
      g_autofree char *spec = g_strconcat (specs[i], ",tp=3", NULL);
      g_autoptr (GobanGraph) whole = probe_generate (specs[i]);
      g_autoptr (GobanGraph) shard = probe_generate (spec);
      guint n;

      goban_graph_get_collectives (whole, &n);
      g_assert_cmpuint (n, ==, 0);
      goban_graph_get_collectives (shard, &n);
      g_assert_cmpuint (n, >, 0);
      g_assert_cmpuint (goban_graph_get_n_nodes (shard), ==, goban_graph_get_n_nodes (whole) + n);
      for (GobanNodeId v = 0; v < goban_graph_get_n_nodes (whole); v++)
        {
          const GobanNode *node = goban_graph_get_node (whole, v);
          const GobanNode *part = node_of (shard, node->name);
          gboolean is_shared = strstr (node->name, "layer_") != NULL
                               && strstr (node->name, "/modulation/") == NULL;

          g_assert_cmpfloat_with_epsilon (part->macs * (is_shared ? 3 : 1), node->macs, 1e-6);
        }
      check_gradients (whole);
      check_gradients (shard);
      check_coarse (spec);
    }
}

/* --- numbers of bytes ------------------------------------------------------------------------- */

/* In mixed precision 2 bytes of weight and 12 of master copy and moments, and 40 bytes of traffic
 * a parameter; in f32 4 and 8, and 28. */
static void
test_optimizer (void)
{
  static const struct
  {
    const char *dtype;
    double resident, traffic;
  } rows[] = { { "bf16", 14, 40 }, { "f16", 14, 40 }, { "f32", 12, 28 } };

  for (gsize i = 0; i < G_N_ELEMENTS (rows); i++)
    {
      g_autofree char *spec = g_strdup_printf ("llama:size=llama-3-1b,dtype=%s", rows[i].dtype);
      g_autoptr (GobanGraph) graph = probe_generate (spec);
      double resident = 0, weights = 0, traffic = 0;

      for (GobanNodeId v = 0; v < goban_graph_get_n_nodes (graph); v++)
        {
          const GobanNode *node = goban_graph_get_node (graph, v);

          resident += node->param_bytes;
          if (node->phase == GOBAN_PHASE_UPDATE)
            traffic += node->read_bytes + node->written_bytes;
          else
            weights += node->param_bytes;
        }
      g_assert_cmpfloat (weights, ==, (i < 2 ? 2 : 4) * 1235814400.0);
      g_assert_cmpfloat (resident, ==, rows[i].resident * 1235814400);
      g_assert_cmpfloat (traffic, ==, rows[i].traffic * 1235814400);
      g_assert_cmpstr (probe_output (graph, "layer_0/mlp/up/MatMul")->dtype, ==, rows[i].dtype);
    }
}

/* Activations that a layer keeps, in bytes: 34 s b h and 5 a s s b of scores (Korthikanti et al.
 * 2022); what a fused attention keeps is a number a row and head. */
static void
test_scores_take_memory (void)
{
  g_autoptr (GobanGraph) fused = probe_generate ("gpt:batch=2");
  g_autoptr (GobanGraph) plain = probe_generate ("gpt:batch=2,flash=0,dropout=1");

  g_assert_cmpfloat (probe_output (plain, "layer_0/attention/scores")->size_bytes, ==,
                     2.0 * 2 * 12 * 1024 * 1024);
  g_assert_cmpuint (probe_count (plain, "Dropout"), ==, 12);
  g_assert_cmpuint (probe_count (plain, "DropoutGrad"), ==, 36);
  g_assert_cmpuint (probe_count (plain, "FlashAttention"), ==, 0);
  g_assert_cmpuint (probe_count (fused, "FlashAttention"), ==, 12);
  for (GobanTensorId t = 0; t < goban_graph_get_n_tensors (fused); t++)
    g_assert_cmpfloat (goban_graph_get_tensor (fused, t)->size_bytes, <=, 2.0 * 2 * 1024 * 50257);
}

/* --- serving ---------------------------------------------------------------------------------- */

/* Keys and values of 8 heads of 128 numbers, 2 bytes each, for each token and layer. */
#define CACHE_BYTES (2.0 * 8 * 128 * 2)

static void
test_prefill (void)
{
  g_autoptr (GobanGraph) graph = probe_generate ("llama:mode=prefill,batch=3,sequence=2048");
  const GobanNode *cache = node_of (graph, "layer_31/attention/kv_cache");
  const GobanNode *attention = node_of (graph, "layer_31/attention/FlashAttention");

  g_assert_cmpfloat (cache->param_bytes, ==, 3 * 2048 * CACHE_BYTES);
  g_assert_cmpfloat (cache->param_count, ==, 0);
  g_assert_cmpuint (cache->group, ==, attention->group);
  /* queries, keys and values are read; the rows, a number a head, and the cache are written */
  g_assert_cmpfloat (attention->read_bytes, ==, 3 * 2048.0 * (4096 + 2 * 1024) * 2);
  g_assert_cmpfloat (attention->written_bytes, ==, 3 * 2048 * (4096 * 2 + 32 * 4 + CACHE_BYTES));
  /* only what follows the last token is asked for */
  g_assert_cmpint (probe_output (graph, "head/MatMul")->dims[0], ==, 3);
  g_assert_cmpfloat (probe_macs (graph, GOBAN_PHASE_BACKWARD), ==, 0);
}

static void
test_decode (void)
{
  g_autoptr (GobanGraph) graph = probe_generate ("llama:mode=decode,batch=16,context=1000,tp=4");
  const GobanNode *cache = node_of (graph, "layer_0/attention/kv_cache");
  const GobanNode *attention = node_of (graph, "layer_0/attention/FlashAttention");

  g_assert_cmpfloat (cache->param_bytes, ==, 16 * 1000 * CACHE_BYTES / 4);
  g_assert_cmpfloat (attention->read_bytes, ==,
                     16 * ((4096 + 2 * 1024) / 4 * 2 + 1000 * CACHE_BYTES / 4));
  g_assert_cmpfloat (attention->macs, ==, 2.0 * 16 * 8 * 1000 * 128);
  g_assert_cmpint (probe_output (graph, "layer_0/mlp/up/MatMul")->dims[0], ==, 16);
  g_assert_cmpint (probe_output (graph, "head/ArgMax")->dims[0], ==, 16);
}

/* A token has two experts: only their weights are read, and of many tokens' all are. */
static void
test_few_tokens_read_few_experts (void)
{
  g_autoptr (GobanGraph) one = probe_generate ("mixtral:mode=decode");
  g_autoptr (GobanGraph) many = probe_generate ("mixtral:mode=decode,batch=8");
  double expert_bytes = 14336.0 * 4096 * 2;

  g_assert_cmpfloat (node_of (one, "layer_0/experts/down/GroupedMatMul")->read_bytes, ==,
                     2 * (14336 * 2 + expert_bytes));
  g_assert_cmpfloat (node_of (many, "layer_0/experts/down/GroupedMatMul")->read_bytes, ==,
                     8 * (2 * 14336 * 2 + expert_bytes));
}

/* --- refusals --------------------------------------------------------------------------------- */

static void
test_refusals (void)
{
  static const struct
  {
    const char *spec, *message;
  } rows[] = {
    { "gpt:size=gpt2-medium,tp=3", "tp=3 does not divide the 16 heads; say 1, 2, 4, 8 or 16" },
    { "gpt:size=gpt2-xl,tp=8", "tp=8 does not divide the 25 heads; say 1, 5 or 25" },
    { "gpt:ffn=3073,tp=2",
      "tp=2 does not divide the 3073 numbers of the feed-forward part; say 1" },
    { "llama:heads=24,width=3072,ffn=768,tp=12",
      "tp=12 does not divide the 8 kv-heads, nor they it; say 1, 2, 4, 8 or 24" },
    { "gpt:width=770", "heads=12 does not divide the width of 770; say a width of 768 or 780" },
    { "llama:kv-heads=5", "kv-heads=5 does not divide the 32 heads; say kv-heads=1" },
    { "gpt:sequence=2048",
      "positions=1024 are fewer than the 2048 tokens of a sequence; say positions=2048" },
    { "gpt:tp=4,sp=1,sequence=1001",
      "tp=4 does not divide the sequence of 1001 tokens, as sp=1 needs it; say sequence=1004" },
    { "vit:image=225", "patch=16 does not divide the image of 225; say an image of 240" },
    { "mixtral:ep=3", "ep=3 does not divide the 8 experts; say 1, 2, 4 or 8" },
    { "mixtral:top-k=9", "top-k=9 is more than the 8 experts" },
    { "llama:tp=2,sp=1,mode=decode",
      "sp=1 shards sequences, and mode=decode has one token of each; say sp=0" },
  };
  g_autoptr (GError) unknown = NULL;

  for (gsize i = 0; i < G_N_ELEMENTS (rows); i++)
    {
      g_autoptr (GError) error = NULL;

      g_assert_null (goban_workload_generate (rows[i].spec, &error));
      g_assert_error (error, GOBAN_ERROR, GOBAN_ERROR_INVALID);
      g_assert_cmpstr (error->message, ==, rows[i].message);
    }
  g_assert_null (goban_workload_generate ("gpt:size=gpt5", &unknown));
  g_assert_nonnull (strstr (unknown->message, "“gpt5”; it may be gpt2, gpt2-medium"));
}

/* A size gives defaults; what is said beside it counts, and the name tells only that. */
static void
test_sizes (void)
{
  g_autoptr (GobanGraph) graph
      = probe_generate ("gpt:layers=2,width=1600,size=gpt2-xl,heads=20,batch=8");
  g_autoptr (GobanGraph) same = probe_generate ("gpt:size=gpt2-xl,layers=48,sequence=1024");

  g_assert_cmpstr (goban_graph_get_name (graph), ==, "gpt:size=gpt2-xl,layers=2,heads=20");
  g_assert_cmpstr (goban_graph_get_name (same), ==, "gpt:size=gpt2-xl");
  g_assert_cmpint (probe_output (graph, "layer_1/mlp/up/MatMul")->dims[1], ==, 6400);
}

TEST_PROGRAM (transformers)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/workloads/transformers/published-parameters", test_published_parameters);
  g_test_add_func ("/workloads/transformers/flops-of-a-step", test_flops_of_a_step);
  g_test_add_func ("/workloads/transformers/macs-of-an-image", test_macs_of_an_image);
  g_test_add_func ("/workloads/transformers/shards-of-images", test_shards_of_images);
  g_test_add_func ("/workloads/transformers/shards-add-up-to-the-whole", test_shards);
  g_test_add_func ("/workloads/transformers/vocabulary-is-rounded-up", test_odd_vocabulary);
  g_test_add_func ("/workloads/transformers/coarse-keeps-the-sums", test_coarse_sums);
  g_test_add_func ("/workloads/transformers/coarse-keeps-the-times", test_coarse_times);
  g_test_add_func ("/workloads/transformers/optimizer-in-mixed-precision", test_optimizer);
  g_test_add_func ("/workloads/transformers/scores-take-memory", test_scores_take_memory);
  g_test_add_func ("/workloads/transformers/prefill-writes-the-cache", test_prefill);
  g_test_add_func ("/workloads/transformers/decode-reads-the-cache", test_decode);
  g_test_add_func ("/workloads/transformers/few-tokens-read-few-experts",
                   test_few_tokens_read_few_experts);
  g_test_add_func ("/workloads/transformers/refusals-say-what-would-do", test_refusals);
  g_test_add_func ("/workloads/transformers/sizes-are-defaults", test_sizes);
  return g_test_run ();
}
