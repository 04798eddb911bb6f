#include "engine/session/compare-set-private.h"

#include "engine/core/error.h"
#include "engine/study/log/log-lines.h"
#include "engine/study/run/run-list.h"

static GParamSpec *props[GOBAN_COMPARE_N_PROPS];

G_DEFINE_FINAL_TYPE (GobanCompareSet, goban_compare_set, G_TYPE_OBJECT)

/* --- construction and disposal ------------------------------------------------------------ */

static void
goban_compare_set_dispose (GObject *object)
{
  GobanCompareSet *self = GOBAN_COMPARE_SET (object);

  goban_compare_set_drop_job (self);
  g_clear_pointer (&self->difference, goban_difference_unref);
  g_clear_pointer (&self->graphs, goban_graph_matching_unref);
  g_clear_object (&self->others);
  g_clear_pointer (&self->matchings, g_ptr_array_unref);
  g_clear_pointer (&self->matched_to, goban_run_unref);
  g_clear_pointer (&self->state, goban_state_unref);
  g_ptr_array_set_size (self->wanted, 0);
  g_ptr_array_set_size (self->runs, 0);
  G_OBJECT_CLASS (goban_compare_set_parent_class)->dispose (object);
}

static void
goban_compare_set_finalize (GObject *object)
{
  GobanCompareSet *self = GOBAN_COMPARE_SET (object);

  g_clear_pointer (&self->wanted, g_ptr_array_unref);
  g_clear_pointer (&self->runs, g_ptr_array_unref);
  G_OBJECT_CLASS (goban_compare_set_parent_class)->finalize (object);
}

static void
goban_compare_set_get_property (GObject *object, guint id, GValue *value, GParamSpec *pspec)
{
  GobanCompareSet *self = GOBAN_COMPARE_SET (object);

  switch (id)
    {
    case GOBAN_COMPARE_PROP_OPEN:
      g_value_set_boolean (value, self->is_open);
      break;
    case GOBAN_COMPARE_PROP_RUNS:
      g_value_set_pointer (value, self->runs);
      break;
    case GOBAN_COMPARE_PROP_PAIR:
      g_value_set_pointer (value, self->pair);
      break;
    case GOBAN_COMPARE_PROP_MODE:
      g_value_set_int (value, self->looks.mode);
      break;
    case GOBAN_COMPARE_PROP_UNCHANGED:
      g_value_set_int (value, self->looks.unchanged);
      break;
    case GOBAN_COMPARE_PROP_MIN_CHANGE:
      g_value_set_double (value, self->looks.min_change_us);
      break;
    case GOBAN_COMPARE_PROP_SYNC:
      g_value_set_uint (value, self->looks.sync);
      break;
    case GOBAN_COMPARE_PROP_SCALES:
      g_value_set_boolean (value, self->looks.has_own_scales);
      break;
    case GOBAN_COMPARE_PROP_LANES:
      g_value_set_boolean (value, self->looks.has_all_lanes);
      break;
    case GOBAN_COMPARE_PROP_DEVICES:
      g_value_set_boolean (value, self->looks.has_own_devices);
      break;
    case GOBAN_COMPARE_PROP_DIFFERENCE:
      g_value_set_pointer (value, self->difference);
      break;
    case GOBAN_COMPARE_PROP_RACING:
      g_value_set_boolean (value, self->is_racing);
      break;
    default:
      G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, pspec);
    }
}

static void
goban_compare_set_class_init (GobanCompareSetClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  GParamFlags flags = G_PARAM_READABLE | G_PARAM_STATIC_STRINGS;

  object_class->dispose = goban_compare_set_dispose;
  object_class->finalize = goban_compare_set_finalize;
  object_class->get_property = goban_compare_set_get_property;

  props[GOBAN_COMPARE_PROP_OPEN] = g_param_spec_boolean ("open", NULL, NULL, FALSE, flags);
  props[GOBAN_COMPARE_PROP_RUNS] = g_param_spec_pointer ("runs", NULL, NULL, flags);
  props[GOBAN_COMPARE_PROP_PAIR] = g_param_spec_pointer ("pair", NULL, NULL, flags);
  props[GOBAN_COMPARE_PROP_MODE]
      = g_param_spec_int ("mode", NULL, NULL, 0, GOBAN_N_COMPARE_MODES - 1, 0, flags);
  props[GOBAN_COMPARE_PROP_UNCHANGED]
      = g_param_spec_int ("unchanged", NULL, NULL, 0, GOBAN_N_UNCHANGED - 1, 0, flags);
  props[GOBAN_COMPARE_PROP_MIN_CHANGE] = g_param_spec_double (
      "min-change", NULL, NULL, 0, G_MAXDOUBLE, GOBAN_COMPARE_MIN_CHANGE_US, flags);
  props[GOBAN_COMPARE_PROP_SYNC]
      = g_param_spec_uint ("sync", NULL, NULL, 0, GOBAN_SYNC_ALL, 0, flags);
  props[GOBAN_COMPARE_PROP_SCALES] = g_param_spec_boolean ("scales", NULL, NULL, FALSE, flags);
  props[GOBAN_COMPARE_PROP_LANES] = g_param_spec_boolean ("lanes", NULL, NULL, FALSE, flags);
  props[GOBAN_COMPARE_PROP_DEVICES] = g_param_spec_boolean ("devices", NULL, NULL, FALSE, flags);
  props[GOBAN_COMPARE_PROP_DIFFERENCE] = g_param_spec_pointer ("difference", NULL, NULL, flags);
  props[GOBAN_COMPARE_PROP_RACING] = g_param_spec_boolean ("racing", NULL, NULL, FALSE, flags);
  g_object_class_install_properties (object_class, GOBAN_COMPARE_N_PROPS, props);

  g_signal_new ("log", GOBAN_TYPE_COMPARE_SET, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE,
                1, G_TYPE_STRING);
}

static void
goban_compare_set_init (GobanCompareSet *self)
{
  self->others = g_list_store_new (GOBAN_TYPE_RUN_ROW);
  self->wanted = goban_run_array_new ();
  self->runs = goban_run_array_new ();
  self->pair[1] = 1;
  self->looks = goban_compare_looks_usual ();
}

GobanCompareSet *
goban_compare_set_new (GListModel *runs)
{
  GobanCompareSet *self = g_object_new (GOBAN_TYPE_COMPARE_SET, NULL);

  self->list = runs;
  return self;
}

/* --- notifications ------------------------------------------------------------------------ */

void
goban_compare_set_notify (GobanCompareSet *self, guint property)
{
  g_object_notify_by_pspec (G_OBJECT (self), props[property]);
}

/* Runs have places in the list, from 1, as view.show has them; those of other graphs, from -1. */
static void
log_show (GobanCompareSet *self)
{
  g_autoptr (GString) line = g_string_new ("compare.show(");

  for (guint i = 0; i < self->runs->len; i++)
    {
      GobanRun *run = g_ptr_array_index (self->runs, i);
      guint place = 0;
      gboolean is_listed = goban_run_list_find (self->list, run, &place)
                           || !goban_run_list_find (G_LIST_MODEL (self->others), run, &place);

      g_string_append_printf (line, "%s%s%u", i > 0 ? ", " : "", is_listed ? "" : "-", place + 1);
    }
  g_string_append_c (line, ')');
  goban_log_emit (self, "%s", line->str);
}

/* --- the runs ------------------------------------------------------------------------------- */

static gboolean
is_in (GPtrArray *runs, GobanRun *run)
{
  return g_ptr_array_find (runs, run, NULL);
}

static gboolean
is_listed (GobanCompareSet *self, GobanRun *run)
{
  return goban_run_list_find (self->list, run, NULL)
         || goban_run_list_find (G_LIST_MODEL (self->others), run, NULL);
}

static gboolean
find_pair (GobanCompareSet *self, guint *before, guint *after)
{
  if (self->runs->len < 2)
    return FALSE;

  if (self->pair[0] >= self->wanted->len || self->pair[1] >= self->wanted->len
      || !g_ptr_array_find (self->runs, g_ptr_array_index (self->wanted, self->pair[0]), before)
      || !g_ptr_array_find (self->runs, g_ptr_array_index (self->wanted, self->pair[1]), after))
    {
      *before = 0;
      *after = 1;
    }
  return TRUE;
}

GobanRun *
goban_compare_set_peek_pair (GobanCompareSet *self, gboolean is_after)
{
  guint places[2];

  if (!find_pair (self, &places[0], &places[1]))
    return NULL;
  return g_ptr_array_index (self->runs, places[is_after]);
}

static gboolean
set_open (GobanCompareSet *self, gboolean is_open)
{
  if (self->is_open == is_open)
    return FALSE;

  self->is_open = is_open;
  goban_compare_set_notify (self, GOBAN_COMPARE_PROP_OPEN);
  return TRUE;
}

static void
tell (GobanCompareSet *self, gboolean has_new_runs, gboolean has_new_pair)
{
  /* Whoever hears of a new pair may ask for its difference at once. */
  if (has_new_pair)
    goban_compare_set_forget_difference (self, FALSE);
  if (self->runs->len == 0)
    set_open (self, FALSE);
  if (has_new_runs)
    goban_compare_set_notify (self, GOBAN_COMPARE_PROP_RUNS);
  if (!has_new_pair)
    return;
  goban_compare_set_notify (self, GOBAN_COMPARE_PROP_PAIR);
  goban_compare_set_notify (self, GOBAN_COMPARE_PROP_DIFFERENCE);
}

/* Sets the members to @wanted (transfer full) and the pair to its elements @before and @after;
 * notifies the changes. */
static gboolean
take_wanted (GobanCompareSet *self, GPtrArray *wanted, guint before, guint after)
{
  GobanRun *last_before = goban_compare_set_peek_pair (self, FALSE),
           *last_after = goban_compare_set_peek_pair (self, TRUE);
  g_autoptr (GPtrArray) last_wanted = self->wanted;
  g_autoptr (GPtrArray) last = self->runs;
  gboolean is_same;

  self->wanted = wanted;
  self->runs = goban_run_array_new ();
  for (guint i = 0; i < wanted->len; i++)
    if (is_listed (self, g_ptr_array_index (wanted, i)))
      g_ptr_array_add (self->runs, goban_run_ref (g_ptr_array_index (wanted, i)));
  self->pair[0] = before;
  self->pair[1] = after;
  is_same = last->len == self->runs->len;
  for (guint i = 0; is_same && i < last->len; i++)
    is_same = g_ptr_array_index (last, i) == g_ptr_array_index (self->runs, i);
  tell (self, !is_same,
        last_before != goban_compare_set_peek_pair (self, FALSE)
            || last_after != goban_compare_set_peek_pair (self, TRUE));
  return !is_same;
}

guint
goban_compare_set_get_n_runs (GobanCompareSet *self)
{
  g_return_val_if_fail (GOBAN_IS_COMPARE_SET (self), 0);

  return self->runs->len;
}

GobanRun *
goban_compare_set_get_run (GobanCompareSet *self, guint i)
{
  g_return_val_if_fail (GOBAN_IS_COMPARE_SET (self) && i < self->runs->len, NULL);

  return g_ptr_array_index (self->runs, i);
}

int
goban_compare_set_find (GobanCompareSet *self, GobanRun *run)
{
  guint place;

  g_return_val_if_fail (GOBAN_IS_COMPARE_SET (self), -1);

  return g_ptr_array_find (self->runs, run, &place) ? (int) place : -1;
}

void
goban_compare_set_show (GobanCompareSet *self, GobanRun *const *runs, guint n)
{
  GobanRun *before = goban_compare_set_peek_pair (self, FALSE),
           *after = goban_compare_set_peek_pair (self, TRUE);
  GPtrArray *wanted;
  guint pair[2] = { 0, 1 };
  gboolean is_new;

  g_return_if_fail (GOBAN_IS_COMPARE_SET (self) && n <= GOBAN_COMPARE_MAX);

  wanted = goban_run_array_new ();
  for (guint i = 0; i < n; i++)
    {
      g_return_if_fail (is_listed (self, runs[i]) && !is_in (wanted, runs[i]));
      g_ptr_array_add (wanted, goban_run_ref (runs[i]));
    }
  if (before == NULL || !g_ptr_array_find (wanted, before, &pair[0])
      || !g_ptr_array_find (wanted, after, &pair[1]))
    {
      pair[0] = 0;
      pair[1] = 1;
    }
  is_new = take_wanted (self, wanted, pair[0], pair[1]);
  is_new |= n > 0 && set_open (self, TRUE);
  if (is_new)
    log_show (self);
}

void
goban_compare_set_replace (GobanCompareSet *self, guint i, GobanRun *run)
{
  g_autoptr (GPtrArray) wanted = NULL;
  guint before = 0, after = 1, place;

  g_return_if_fail (GOBAN_IS_COMPARE_SET (self) && i < self->runs->len && is_listed (self, run));

  if (g_ptr_array_index (self->runs, i) == run)
    return;

  find_pair (self, &before, &after);
  wanted = goban_run_array_copy (self->runs);
  if (g_ptr_array_find (wanted, run, &place))
    wanted->pdata[place] = g_steal_pointer (&wanted->pdata[i]);
  else
    goban_run_unref (wanted->pdata[i]);
  wanted->pdata[i] = wanted->pdata[i] == NULL ? run : goban_run_ref (run);
  take_wanted (self, g_steal_pointer (&wanted), before, after);
  log_show (self);
}

/* Fills a set of fewer than two: first with its present members, then with the current run behind
 * its origin. */
static void
fill_up (GobanCompareSet *self)
{
  GPtrArray *wanted = goban_run_array_new ();
  GobanRun *current = self->state != NULL ? self->state->current : NULL;
  GobanRun *ghost = self->state != NULL ? self->state->ghost : NULL;
  guint n = g_list_model_get_n_items (self->list);

  for (guint i = 0; i < self->runs->len; i++)
    g_ptr_array_add (wanted, goban_run_ref (g_ptr_array_index (self->runs, i)));
  if (wanted->len == 0 && ghost != NULL && is_listed (self, ghost))
    g_ptr_array_add (wanted, goban_run_ref (ghost));
  /* A plan that takes as long as the current one is often the same plan. */
  for (guint i = 0; i < 2 * n && wanted->len == 0; i++)
    {
      GobanRun *run = goban_run_list_get (self->list, i % n);

      if (run != current
          && (i >= n || current == NULL
              || goban_run_get_makespan_us (run) != goban_run_get_makespan_us (current)))
        g_ptr_array_add (wanted, goban_run_ref (run));
    }
  if (wanted->len < 2 && current != NULL && !is_in (wanted, current))
    g_ptr_array_add (wanted, goban_run_ref (current));
  for (guint i = 0; i < n && wanted->len < 2; i++)
    {
      GobanRun *run = goban_run_list_get (self->list, i);

      if (!is_in (wanted, run))
        g_ptr_array_add (wanted, goban_run_ref (run));
    }
  if (wanted->len == 1 && goban_run_list_get (G_LIST_MODEL (self->others), 0) != NULL)
    g_ptr_array_insert (wanted, 0,
                        goban_run_ref (goban_run_list_get (G_LIST_MODEL (self->others), 0)));
  take_wanted (self, wanted, 0, 1);
}

/* In place of the pair's second. */
static void
take_current (GobanCompareSet *self)
{
  GobanRun *current = self->state != NULL ? self->state->current : NULL;
  GPtrArray *wanted;
  guint before = 0, after = 1;

  if (current == NULL || current == self->closed_with || is_in (self->runs, current)
      || !is_listed (self, current))
    return;
  find_pair (self, &before, &after);
  wanted = goban_run_array_copy (self->runs);
  goban_run_unref (wanted->pdata[after]);
  wanted->pdata[after] = goban_run_ref (current);
  take_wanted (self, wanted, before, after);
}

gboolean
goban_compare_set_is_open (GobanCompareSet *self)
{
  g_return_val_if_fail (GOBAN_IS_COMPARE_SET (self), FALSE);

  return self->is_open;
}

void
goban_compare_set_open (GobanCompareSet *self)
{
  g_return_if_fail (GOBAN_IS_COMPARE_SET (self));

  if (self->is_open)
    return;
  if (self->runs->len < 2)
    fill_up (self);
  else
    take_current (self);
  if (self->runs->len == 0)
    return;
  set_open (self, TRUE);
  log_show (self);
}

void
goban_compare_set_restore (GobanCompareSet *self, GobanRun *const *runs, guint n,
                           const guint pair[2], gboolean is_open)
{
  GPtrArray *wanted;

  g_return_if_fail (GOBAN_IS_COMPARE_SET (self) && n <= GOBAN_COMPARE_MAX);

  wanted = goban_run_array_new ();
  for (guint i = 0; i < n; i++)
    g_ptr_array_add (wanted, goban_run_ref (runs[i]));
  take_wanted (self, wanted, pair[0], pair[1]);
  self->closed_with = self->state != NULL ? self->state->current : NULL;
  set_open (self, is_open && self->runs->len > 0);
}

void
goban_compare_set_close (GobanCompareSet *self)
{
  g_return_if_fail (GOBAN_IS_COMPARE_SET (self));

  self->closed_with = self->state != NULL ? self->state->current : NULL;
  if (set_open (self, FALSE))
    goban_log_emit (self, "compare.close()");
}

/* --- the pair and the options --------------------------------------------------------------- */

gboolean
goban_compare_set_get_pair (GobanCompareSet *self, guint *before, guint *after)
{
  g_return_val_if_fail (GOBAN_IS_COMPARE_SET (self), FALSE);

  return find_pair (self, before, after);
}

/* Drops runs that are gone, so that indices of the set are indices of the chosen runs. */
static void
settle (GobanCompareSet *self)
{
  guint before = 0, after = 1;

  find_pair (self, &before, &after);
  for (guint i = self->wanted->len; i > 0; i--)
    if (!is_in (self->runs, g_ptr_array_index (self->wanted, i - 1)))
      g_ptr_array_remove_index (self->wanted, i - 1);
  self->pair[0] = before;
  self->pair[1] = after;
}

void
goban_compare_set_set_pair (GobanCompareSet *self, guint before, guint after)
{
  g_return_if_fail (GOBAN_IS_COMPARE_SET (self));
  g_return_if_fail (before != after && MAX (before, after) < self->runs->len);

  settle (self);
  if (self->pair[0] == before && self->pair[1] == after)
    return;

  self->pair[0] = before;
  self->pair[1] = after;
  goban_log_emit (self, "compare.pair(%u, %u)", before + 1, after + 1);
  tell (self, FALSE, TRUE);
}

void
goban_compare_set_swap (GobanCompareSet *self)
{
  gpointer *before, *after, run;

  g_return_if_fail (GOBAN_IS_COMPARE_SET (self));

  if (self->runs->len < 2)
    return;

  settle (self);
  before = &self->wanted->pdata[self->pair[0]];
  after = &self->wanted->pdata[self->pair[1]];
  run = *before;
  *before = *after;
  *after = run;
  before = &self->runs->pdata[self->pair[0]];
  after = &self->runs->pdata[self->pair[1]];
  run = *before;
  *before = *after;
  *after = run;
  goban_log_emit (self, "compare.swap()");
  tell (self, TRUE, TRUE);
}

/* --- the session ---------------------------------------------------------------------------- */

/* The successor of @run: the result of an edit, the run that an undo restored, or its plan on
 * another cluster. */
static GobanRun *
find_heir (GobanRun *run, const GobanState *last, const GobanState *next)
{
  if (next->ghost == run && next->current != NULL && !goban_state_has_run (last, next->current))
    return next->current;
  if (goban_state_has_run (next, run) || !goban_state_has_run (last, run))
    return NULL;
  if (last->current == run && last->ghost != NULL && goban_state_has_run (next, last->ghost))
    return last->ghost;
  for (guint i = 0; i < next->runs->len; i++)
    {
      GobanRun *heir = g_ptr_array_index (next->runs, i);

      if (!goban_state_has_run (last, heir)
          && g_str_equal (goban_run_get_name (heir), goban_run_get_name (run)))
        return heir;
    }
  return NULL;
}

void
goban_compare_set_follow (GobanCompareSet *self, const GobanState *last, GobanState *next)
{
  GPtrArray *wanted;

  g_return_if_fail (GOBAN_IS_COMPARE_SET (self));

  goban_state_ref (next);
  g_clear_pointer (&self->state, goban_state_unref);
  self->state = next;
  if (self->wanted->len == 0)
    return;

  wanted = goban_run_array_new ();
  for (guint i = 0; i < self->wanted->len; i++)
    {
      GobanRun *run = g_ptr_array_index (self->wanted, i);
      GobanRun *heir = find_heir (run, last, next);
      gboolean is_free = heir != NULL && !is_in (self->wanted, heir) && !is_in (wanted, heir);

      g_ptr_array_add (wanted, goban_run_ref (is_free ? heir : run));
    }
  take_wanted (self, wanted, self->pair[0], self->pair[1]);
}

void
goban_compare_set_reset (GobanCompareSet *self)
{
  g_return_if_fail (GOBAN_IS_COMPARE_SET (self));

  take_wanted (self, goban_run_array_new (), 0, 1);
}
