#include "engine/learn/rl/go/learner.h"

#include "engine/core/error.h"
#include "engine/core/quantity.h"
#include "engine/learn/rl/go/rollouts.h"
#include "engine/learn/rl/setting-fields.h"

#include <math.h>
#include <string.h>

/* GO's constants are not published; these are standard values. */
static GobanPpoConfig
paper_config (void)
{
  return (GobanPpoConfig){
    .rate = 3e-4,
    .last_rate = 3e-5,
    .n_rollouts = 16,
    .n_epochs = 4,
    .clip = 0.2,
    .entropy = 0.01,
    .last_entropy = 0.001,
    .invalid_reward = -10,
    .clip_norm = 1,
  };
}

GobanPpoConfig
goban_ppo_config_goban (void)
{
  return (GobanPpoConfig){
    .rate = 2e-3,
    .last_rate = 5e-4,
    .n_rollouts = 16,
    .n_epochs = 3,
    .clip = 0.2,
    .entropy = 0.01,
    .last_entropy = 0.001,
    .credit = 2,
    .is_fellows = TRUE,
    .clip_norm = 1,
  };
}

GobanLearner *
goban_learner_new (GobanNet *net, const GobanPpoConfig *config, guint64 seed)
{
  GobanLearner *self = g_new0 (GobanLearner, 1);

  self->net = net;
  self->config = *config;
  self->adam = goban_adam_new (config->rate);
  self->adam.clip_norm = config->clip_norm;
  goban_rng_init (&self->rng, seed);
  return self;
}

void
goban_learner_free (GobanLearner *self)
{
  goban_net_free (self->net);
  g_free (self);
}

/* --- an update ------------------------------------------------------------------------------- */

static double
mix_cosine (double first, double last, double fraction)
{
  return last + (first - last) * 0.5 * (1 + cos (G_PI * CLAMP (fraction, 0, 1)));
}

/* Computes advantages_of (n) from the rewards. */
static void
weigh_rewards (GobanLearner *self, GobanRollouts *rollouts, GobanBaseline *baseline,
               double *advantages_of)
{
  double *rewards = rollouts->rewards;
  double mean = 0, square = 0, expected;

  for (guint r = 0; r < rollouts->n; r++)
    {
      if (self->config.invalid_reward < 0 && rollouts->outcomes[r].overflow_bytes > 0)
        rewards[r] = self->config.invalid_reward;
      mean += rewards[r] / rollouts->n;
    }
  expected = self->config.is_fellows || baseline->n_rewards == 0 ? mean : baseline->mean_reward;
  for (guint r = 0; r < rollouts->n; r++)
    square += (rewards[r] - mean) * (rewards[r] - mean) / rollouts->n;
  for (guint r = 0; r < rollouts->n; r++)
    {
      advantages_of[r] = rewards[r] - expected;
      if (self->config.is_fellows)
        advantages_of[r] /= sqrt (square) + 1e-9;
      baseline->n_rewards++;
      baseline->mean_reward += (rewards[r] - baseline->mean_reward) / (double) baseline->n_rewards;
    }
}

static void
tell (const GobanRollouts *rollouts, GobanUpdate *update)
{
  *update = (GobanUpdate){ .n_rollouts = rollouts->n,
                           .mean_us = NAN,
                           .best_us = NAN,
                           .top_share = goban_rollouts_get_top_share (rollouts) };
  for (guint r = 0; r < rollouts->n; r++)
    {
      const GobanOutcome *outcome = &rollouts->outcomes[r];

      update->mean_reward += rollouts->rewards[r] / rollouts->n;
      if (outcome->overflow_bytes > 0)
        continue;
      update->mean_us
          = update->n_valid == 0 ? outcome->makespan_us : update->mean_us + outcome->makespan_us;
      update->best_us = update->n_valid == 0 ? outcome->makespan_us
                                             : MIN (update->best_us, outcome->makespan_us);
      update->n_valid++;
    }
  if (update->n_valid > 0)
    update->mean_us /= update->n_valid;
}

typedef struct
{
  GobanLearner *learner;
  GobanRollouts *rollouts;
  GobanPass *pass;
  double entropy; /* beta now */
  GobanPpoStats total;
  guint n_terms;
} Epoch;

/* Adds the gradients of rollouts first .. first + n - 1, which share the logits of the pass. */
static void
add_gradients (Epoch *self, guint first, guint n)
{
  GobanRollouts *rollouts = self->rollouts;
  int n_iterations = rollouts->config.n_iterations;
  g_autofree const guint32 **chosen = g_new (const guint32 *, n);

  for (int t = goban_rollouts_get_first_iteration (rollouts); t < n_iterations; t++)
    for (guint k = 0; k < GOBAN_N_TASKS; k++)
      {
        gsize offset = (gsize) first * rollouts->n_rows;
        GobanPpoStats stats;
        GobanPpo ppo;

        if (rollouts->old[t][k] == NULL)
          continue;
        for (guint i = 0; i < n; i++)
          chosen[i] = rollouts->choices[first + i]->chosen[t][k];
        ppo = (GobanPpo){
          .R = (int) n,
          .N = (int) rollouts->n_rows,
          .A = (int) goban_board_get_n_actions (rollouts->board, k),
          .logits = goban_pass_get_logits (self->pass, t, k),
          .chosen = chosen,
          .old = rollouts->old[t][k] + offset,
          .advantages = rollouts->advantages[k] + offset,
          .clip = self->learner->config.clip,
          .entropy = self->entropy,
          .scale = (double) n / rollouts->n,
        };
        goban_ppo_backward (goban_pass_get_logits_grad (self->pass, t, k), &ppo, &stats);
        self->total.entropy += stats.entropy;
        self->total.clipped += stats.clipped;
        self->n_terms++;
      }
}

static void
run_epoch (Epoch *self)
{
  GobanNet *net = self->learner->net;

  self->total = (GobanPpoStats){ 0 };
  self->n_terms = 0;
  if (!self->rollouts->config.is_sampled)
    {
      goban_pass_decide (self->pass, net, NULL, NULL);
      add_gradients (self, 0, self->rollouts->n);
      goban_pass_decide_backward (self->pass, net, NULL);
    }
  else
    for (guint r = 0; r < self->rollouts->n; r++)
      {
        goban_pass_decide (self->pass, net, self->rollouts->choices[r], NULL);
        add_gradients (self, r, 1);
        goban_pass_decide_backward (self->pass, net, self->rollouts->choices[r]);
      }
  goban_pass_embed_backward (self->pass, net);
}

/* Whether the drawn choices have finite log-probabilities; they do unless the network contains
 * NAN. */
static gboolean
check_finite (GobanLearner *self, const GobanRollouts *rollouts, GError **error)
{
  GobanParams *params = self->net->params;
  gsize size = (gsize) rollouts->n * rollouts->n_rows;
  gboolean is_finite = TRUE;

  for (guint k = 0; k < GOBAN_N_TASKS; k++)
    for (gsize i = 0; rollouts->old[rollouts->config.n_iterations - 1][k] != NULL && i < size; i++)
      is_finite &= isfinite (rollouts->old[rollouts->config.n_iterations - 1][k][i]) != 0;
  if (is_finite)
    return TRUE;

  for (guint t = 0; t < params->tensors->len; t++)
    for (gsize i = 0; i < goban_params_get_size (params, t); i++)
      if (!isfinite (goban_params_value (params, t)[i]))
        return goban_refuse (error, GOBAN_ERROR_INVALID,
                             "tensor “%s” of network “%s” is not finite",
                             goban_params_get_tensor (params, t)->name, params->network);
  return goban_refuse (error, GOBAN_ERROR_INVALID,
                       "the logits of network “%s” are not finite, though its tensors are",
                       params->network);
}

/* Updates the network from the drawn rollouts. */
static gboolean
learn (Epoch *self, GobanBaseline *baseline, double credit, double fraction, GobanUpdate *update,
       GError **error)
{
  GobanLearner *learner = self->learner;
  GobanParams *params = learner->net->params;
  g_autofree double *advantages_of = g_new (double, self->rollouts->n);

  weigh_rewards (learner, self->rollouts, baseline, advantages_of);
  goban_rollouts_add_rewards (self->rollouts, advantages_of, credit);
  tell (self->rollouts, update);

  learner->adam.rate = mix_cosine (learner->config.rate, learner->config.last_rate, fraction);
  for (guint e = 0; e < learner->config.n_epochs; e++)
    {
      if (e > 0)
        goban_pass_embed (self->pass, learner->net);
      goban_params_zero_grad (params);
      run_epoch (self);
      if (e == 0)
        update->entropy = self->total.entropy / MAX (self->n_terms, 1);
      if (!goban_adam_step (&learner->adam, params, &update->gradient_norm, error))
        return FALSE;
    }
  update->clipped = self->total.clipped / MAX (self->n_terms, 1);
  return TRUE;
}

/* Devices that the next decisions leave as they are. */
static void
write_given (GobanDecisionsWriter *span, const GobanPlan *plan)
{
  goban_decisions_writer_set_plan (span,
                                   &(GobanDecisionHead){ .task = GOBAN_TASK_PLACEMENT,
                                                         .options = GOBAN_OPTION_PLAN,
                                                         .flags = GOBAN_DECISION_CARRIED },
                                   plan);
  goban_decisions_writer_settle (span, plan);
}

/* Writes rollout @r to @in, and that it is the plan to go on with. @is_drawn: FALSE: the
 * likeliest */
static void
write_rollout (Epoch *self, GobanSearch *search, guint r, guint64 evaluation, gboolean is_drawn,
               GobanDecisionsWriter *in)
{
  GobanRollouts *rollouts = self->rollouts;
  GobanPlan *plan = rollouts->plans[r];
  const GobanSpanResult result = goban_search_get_result (rollouts->outcomes[r]);
  GobanDecisionsWriter *span
      = goban_decisions_writer_open (in, &(GobanSpanHead){ .name = "rollout",
                                                           .level = GOBAN_LEVEL_PLAN,
                                                           .evaluation = evaluation,
                                                           .n_left_out = r,
                                                           .has_base = TRUE });

  if (!goban_tasks_have (rollouts->problem->decisions, GOBAN_TASK_PLACEMENT))
    write_given (span, rollouts->problem->base);
  goban_rollouts_write (rollouts, self->pass, self->learner->net, r, is_drawn, span);
  if (search->best_evaluation == evaluation)
    goban_search_set_best (search, span, NULL);
  else
    goban_decisions_writer_settle (span, plan);
  search->written = search->n_evaluations;
  goban_decisions_writer_close (span, &result, TRUE);
}

/* The same within the span of an update. */
static void
write_update (Epoch *self, GobanSearch *search, guint r, guint64 evaluation)
{
  GobanLearner *learner = self->learner;
  const GobanSpanResult result = goban_search_get_result (self->rollouts->outcomes[r]);
  GobanDecisionsWriter *span = goban_decisions_writer_open (
      search->decisions,
      &(GobanSpanHead){ .name = "update",
                        .level = GOBAN_LEVEL_ROUND,
                        .n_left_out = learner->n_updates - learner->n_written - 1 });

  write_rollout (self, search, r, evaluation, TRUE, span);
  goban_decisions_writer_close (span, &result, TRUE);
  learner->n_written = learner->n_updates;
}

/* Number of rollouts of the next update; 0 if the budget is spent. */
static guint
count_rollouts (const GobanLearner *self, const GobanSearch *search, GobanUpdate *update)
{
  guint n = MAX (self->config.n_rollouts, 1);

  *update = (GobanUpdate){ .mean_us = NAN, .best_us = NAN };
  return search != NULL ? goban_search_clip (search, n) : n;
}

gboolean
goban_learner_update (GobanLearner *self, GobanProblem *problem, GobanBaseline *baseline,
                      GobanSearch *search, double fraction, GobanUpdate *update, GError **error)
{
  const GobanNetConfig *config = &self->net->config;
  guint n = count_rollouts (self, search, update);
  g_autoptr (GobanRollouts) rollouts = goban_rollouts_new (problem, config, n);
  Epoch epoch
      = { .learner = self,
          .rollouts = rollouts,
          .pass = goban_problem_get_pass (problem, config),
          .entropy = mix_cosine (self->config.entropy, self->config.last_entropy, fraction) };
  /* Credit is local, so its weight falls to 0 at the end (decision G5). */
  double credit = self->config.credit * (1 - CLAMP (fraction, 0, 1));
  guint64 n_before = search != NULL ? search->n_evaluations : 0;

  if (n == 0)
    return TRUE;
  self->n_updates++;
  if (!config->is_numbered)
    goban_pass_draw_labels (epoch.pass, &self->rng);
  goban_pass_embed (epoch.pass, self->net);
  goban_rollouts_draw (rollouts, epoch.pass, self->net, &self->rng);
  if (!check_finite (self, rollouts, error))
    return FALSE;
  goban_rollouts_simulate (rollouts, search, credit > 0);
  if (search != NULL && search->decisions != NULL && search->best_evaluation > n_before)
    write_update (&epoch, search, (guint) (search->best_evaluation - n_before - 1),
                  search->best_evaluation);
  return learn (&epoch, baseline, credit, fraction, update, error);
}

/* --- plans without learning ------------------------------------------------------------------- */

/* A rollout of the likeliest decisions. (transfer full) */
static GobanRollouts *
decide_greedily (GobanLearner *self, GobanProblem *problem)
{
  const GobanNetConfig *config = &self->net->config;
  GobanRollouts *rollouts = goban_rollouts_new (problem, config, 1);
  GobanPass *pass = goban_problem_get_pass (problem, config);
  GobanRng rng = self->rng;

  goban_pass_set_labels (pass, NULL);
  goban_pass_embed (pass, self->net);
  goban_rollouts_draw (rollouts, pass, self->net, &rng);
  goban_rollouts_set_best (rollouts, pass, self->net);
  return rollouts;
}

void
goban_learner_try (GobanLearner *self, GobanProblem *problem, GobanSearch *search)
{
  g_autoptr (GobanRollouts) rollouts = decide_greedily (self, problem);
  Epoch epoch = { .learner = self,
                  .rollouts = rollouts,
                  .pass = goban_problem_get_pass (problem, &self->net->config) };

  goban_rollouts_simulate (rollouts, search, FALSE);
  if (search->decisions != NULL && search->best_evaluation == search->n_evaluations)
    write_rollout (&epoch, search, 0, search->best_evaluation, FALSE, search->decisions);
}

#define GOBAN_ROWS 64

GobanGoSettings
goban_go_settings_paper (void)
{
  return (GobanGoSettings){
    .net = goban_net_config_paper (),
    .ppo = paper_config (),
  };
}

GobanGoSettings
goban_go_settings_goban (void)
{
  return (GobanGoSettings){
    .net = goban_net_config_goban (),
    .ppo = goban_ppo_config_goban (),
    .n_rows = GOBAN_ROWS,
    .order = GOBAN_GO_ORDER_RANKS,
  };
}

#define FIELD(kind, ...) GOBAN_SETTING_FIELD (kind, GobanGoSettings, __VA_ARGS__, NULL)
#define WORDS(key, member, ...)                                                                    \
  GOBAN_SETTING_WORDS (GobanGoSettings, key, member, ((const char *const[]){ __VA_ARGS__, NULL }))

static const GobanSettingField fields[] = {
  FIELD (NUMBER, "rate", ppo.rate, 0, 1),
  FIELD (NUMBER, "last-rate", ppo.last_rate, 0, 1),
  FIELD (COUNT, "rollouts", ppo.n_rollouts, 1, 4096),
  FIELD (COUNT, "epochs", ppo.n_epochs, 1, 100),
  FIELD (NUMBER, "clip", ppo.clip, 1e-3, 10),
  FIELD (NUMBER, "entropy", ppo.entropy, 0, 10),
  FIELD (NUMBER, "last-entropy", ppo.last_entropy, 0, 10),
  FIELD (NUMBER, "credit", ppo.credit, 0, 100),
  FIELD (COUNT, "fellows", ppo.is_fellows, 0, 1),
  FIELD (NUMBER, "invalid-reward", ppo.invalid_reward, -100, 0),
  FIELD (NUMBER, "clip-norm", ppo.clip_norm, 0, 1e6),
  FIELD (COUNT, "rows", n_rows, 0, 1e7),
  WORDS ("order", order, "fifo", "ranks"),
  WORDS ("fuse", fuses_alike, "none", "default"),
};

static gboolean
set_preset (GobanGoSettings *self, const char *name, GError **error)
{
  if (strcmp (name, "paper") == 0)
    *self = goban_go_settings_paper ();
  else if (strcmp (name, "goban") == 0)
    *self = goban_go_settings_goban ();
  else
    return goban_refuse (error, GOBAN_ERROR_INVALID, "preset=%s: the presets are goban and paper",
                         name);
  return TRUE;
}

static gboolean
set_field (GobanGoSettings *self, const char *key, const char *value, GString *of_net,
           GError **error)
{
  const GobanSettingField *field = goban_setting_fields_find (fields, G_N_ELEMENTS (fields), key);
  double number;

  if (field == NULL)
    g_string_append_printf (of_net, "%s%s=%s", of_net->len > 0 ? "," : "", key, value);
  else if (field->words != NULL)
    {
      g_autofree char *all = g_strjoinv (", ", (char **) field->words);

      return goban_setting_field_set (field, self, value)
             || goban_refuse (error, GOBAN_ERROR_INVALID, "%s=%s: it may be one of %s", key, value,
                              all);
    }
  else if (!goban_parse_number (value, &number) || !goban_setting_field_set (field, self, value))
    return goban_refuse (error, GOBAN_ERROR_INVALID, "%s=%s: %s is a %snumber from %g to %g", key,
                         value, key, field->kind == GOBAN_SETTING_NUMBER ? "" : "whole ",
                         field->least, field->most);
  return TRUE;
}

/* Splits "KEY=VALUE" into key and value without blanks. (transfer full) */
static char **
split_word (const char *word)
{
  const char *equals = strchr (word, '=');
  gsize n_key = equals != NULL ? (gsize) (equals - word) : strlen (word);
  char **pair = g_new0 (char *, 3);

  pair[0] = g_strstrip (g_strndup (word, n_key));
  pair[1] = g_strstrip (g_strdup (equals != NULL ? equals + 1 : ""));
  return pair;
}

/* Applies the words that set the preset, or all others. */
static gboolean
set_words (GobanGoSettings *self, char *const *words, gboolean are_presets, GString *of_net,
           GError **error)
{
  for (guint i = 0; words[i] != NULL; i++)
    {
      g_auto (GStrv) pair = split_word (words[i]);
      gboolean is_preset = strcmp (pair[0], "preset") == 0;

      if (pair[0][0] == '\0' || is_preset != are_presets)
        continue;
      if (is_preset ? !set_preset (self, pair[1], error)
                    : !set_field (self, pair[0], pair[1], of_net, error))
        return FALSE;
    }
  return TRUE;
}

gboolean
goban_go_settings_parse (GobanGoSettings *self, const char *text, GError **error)
{
  g_auto (GStrv) words = g_strsplit (text != NULL ? text : "", ",", -1);
  g_autoptr (GString) of_net = g_string_new (NULL);
  GobanGoSettings own = goban_go_settings_goban ();

  /* The preset comes first, wherever it stands, because the others change it. */
  if (!set_words (&own, words, TRUE, of_net, error)
      || !set_words (&own, words, FALSE, of_net, error)
      || !goban_net_config_parse (of_net->str, &own.net, error))
    return FALSE;
  *self = own;
  return TRUE;
}

char *
goban_go_settings_to_text (const GobanGoSettings *self)
{
  g_autofree char *of_net = goban_net_config_to_text (&self->net);
  GString *text = g_string_new (NULL);

  for (guint i = 0; i < G_N_ELEMENTS (fields); i++)
    {
      g_string_append_printf (text, "%s=", fields[i].key);
      goban_setting_field_append (&fields[i], self, text);
      g_string_append_c (text, ',');
    }
  g_string_append (text, of_net);
  return g_string_free (text, FALSE);
}
