#include "ui/decisions/decision-lines.h"

#include "engine/core/attached-object.h"
#include "engine/core/i18n.h"
#include "engine/core/quantity.h"
#include "engine/session/view-time.h"
#include "engine/study/analysis/moments/moment-state.h"
#include "engine/study/run/run-origin.h"
#include "ui/widgets/signals.h"

struct _GobanDecisionLines
{
  GObject parent_instance;

  GobanSession *session;   /* borrowed: it owns this */
  GobanRun *run;           /* (nullable) */
  GobanMomentLines *lines; /* (nullable): of the run; made when they are asked for */
  GHashTable *left;        /* name of a run: the moment that was shown last, as a pointer */
  gboolean was_shown;      /* a moment, when the run changed */
};

G_DEFINE_FINAL_TYPE (GobanDecisionLines, goban_decision_lines, G_TYPE_OBJECT)

static GobanView *
view_of (GobanDecisionLines *self)
{
  return goban_session_get_view (self->session);
}

static GobanDecisions *
decisions_of (GobanDecisionLines *self)
{
  return self->run != NULL ? goban_run_get_decisions (self->run) : NULL;
}

GobanMomentLines *
goban_decision_lines_get (GobanDecisionLines *self)
{
  g_return_val_if_fail (GOBAN_IS_DECISION_LINES (self), NULL);

  if (self->lines == NULL && goban_moments_can_be_walked (decisions_of (self)))
    self->lines
        = goban_moment_lines_new (decisions_of (self), goban_view_get_stops (view_of (self)));
  return self->lines;
}

guint
goban_decision_lines_get_shown (GobanDecisionLines *self)
{
  int moment;

  g_return_val_if_fail (GOBAN_IS_DECISION_LINES (self), GOBAN_NO_LINE);

  moment = goban_view_get_moment (view_of (self));
  if (moment == GOBAN_NO_MOMENT || goban_decision_lines_get (self) == NULL)
    return GOBAN_NO_LINE;
  return goban_moment_lines_find (self->lines, (GobanMoment) moment);
}

guint
goban_decision_lines_get_shown_plan (GobanDecisionLines *self)
{
  guint line = goban_decision_lines_get_shown (self);

  if (goban_decision_lines_get (self) == NULL || self->lines->moments->len == 0)
    return GOBAN_NO_LINE;
  return line == GOBAN_NO_LINE ? 0 : goban_moment_lines_find_plan (self->lines, line);
}

void
goban_decision_lines_show (GobanDecisionLines *self, guint line)
{
  g_return_if_fail (GOBAN_IS_DECISION_LINES (self));

  if (goban_decision_lines_get (self) == NULL)
    return;
  goban_view_set_moment (
      view_of (self),
      line == GOBAN_NO_LINE ? 0 : (int) goban_moment_lines_get_moment (self->lines, line));
}

/* --- coming and going ------------------------------------------------------------------------ */

void
goban_decision_lines_visit (GobanDecisionLines *self)
{
  gpointer left;
  const GobanForcedDecision *forced;
  GobanMoment moment;

  g_return_if_fail (GOBAN_IS_DECISION_LINES (self));

  if (goban_view_get_moment (view_of (self)) != GOBAN_NO_MOMENT
      || goban_decision_lines_get (self) == NULL || self->lines->moments->len == 0)
    return;
  forced = &goban_run_get_origin (self->run)->forced;
  if (g_hash_table_lookup_extended (self->left, goban_run_get_name (self->run), NULL, &left))
    moment = GPOINTER_TO_UINT (left);
  else if (forced->of != NULL)
    moment = forced->moment;
  else
    moment = goban_moment_lines_get_moment (self->lines, 0);
  goban_view_play_moment (view_of (self),
                          (int) MIN (moment, goban_decisions_get_n_moments (decisions_of (self))));
}

void
goban_decision_lines_leave (GobanDecisionLines *self)
{
  g_return_if_fail (GOBAN_IS_DECISION_LINES (self));

  goban_view_play_moment (view_of (self), GOBAN_NO_MOMENT);
}

static void
moment_changed_cb (GobanDecisionLines *self)
{
  int moment = goban_view_get_moment (view_of (self));
  gboolean is_of_run = self->run == goban_session_get_current_run (self->session);

  if (moment != GOBAN_NO_MOMENT && is_of_run && self->run != NULL)
    g_hash_table_insert (self->left, g_strdup (goban_run_get_name (self->run)),
                         GUINT_TO_POINTER ((guint) moment));
  if (is_of_run)
    self->was_shown = moment != GOBAN_NO_MOMENT;
}

static void
read_again (GobanDecisionLines *self)
{
  g_clear_pointer (&self->lines, goban_moment_lines_free);
  g_signal_emit_by_name (self, "changed");
}

/* People who look at decisions see those of each run that they choose. */
static void
run_changed_cb (GobanDecisionLines *self)
{
  gboolean was_shown = self->was_shown;

  goban_run_set (&self->run, goban_session_get_current_run (self->session));
  read_again (self);
  if (was_shown)
    goban_decision_lines_visit (self);
}

static void
graph_changed_cb (GobanDecisionLines *self)
{
  g_hash_table_remove_all (self->left);
}

/* --- walking --------------------------------------------------------------------------------- */

int
goban_decision_lines_find (GobanDecisionLines *self, int by)
{
  GobanLevel level;
  GobanMoment moment;
  guint line;

  g_return_val_if_fail (GOBAN_IS_DECISION_LINES (self), GOBAN_NO_MOMENT);

  if (goban_decision_lines_get (self) == NULL)
    return GOBAN_NO_MOMENT;
  if (ABS (by) == 2)
    return by < 0
               ? 0
               : (int) goban_moment_lines_get_moment (self->lines, self->lines->moments->len - 1);
  level = goban_view_get_level (view_of (self));
  moment = (GobanMoment) MAX (goban_view_get_moment (view_of (self)), 0);
  if (level != GOBAN_LEVEL_MOMENT)
    return (int) goban_decisions_next_stop (decisions_of (self), level,
                                            goban_view_get_stops (view_of (self)), moment, by);
  line = goban_moment_lines_find (self->lines, moment);
  if (by > 0)
    line = line == GOBAN_NO_LINE ? 0 : MIN (line + 1, self->lines->moments->len - 1);
  else if (line != GOBAN_NO_LINE && goban_moment_lines_get_moment (self->lines, line) == moment)
    line = line == 0 ? GOBAN_NO_LINE : line - 1;
  return line == GOBAN_NO_LINE ? 0 : (int) goban_moment_lines_get_moment (self->lines, line);
}

guint
goban_decision_lines_find_plan (GobanDecisionLines *self, int by)
{
  guint plan = goban_decision_lines_get_shown_plan (self);
  guint line = goban_decision_lines_get_shown (self);
  guint first, n;

  if (plan == GOBAN_NO_LINE)
    return GOBAN_NO_LINE;
  n = self->lines->plans->len;
  first = goban_moment_lines_get_plan (self->lines, plan)->first;
  if (line == GOBAN_NO_LINE)
    return by > 0 ? 0 : line;
  if (by < 0 && line > first)
    return first;
  if (by < 0 ? plan == 0 : plan + 1 == n)
    return line;
  return goban_moment_lines_get_plan (self->lines, by < 0 ? plan - 1 : plan + 1)->first;
}

/* --- numbers --------------------------------------------------------------------------------- */

static char *
dup_number (guint number, guint of)
{
  char n[GOBAN_QUANTITY_LEN], all[GOBAN_QUANTITY_LEN];

  return g_strdup_printf (_ ("%s of %s"), goban_format_grouped (n, number),
                          goban_format_grouped (all, of));
}

char *
goban_decision_lines_dup_number (GobanDecisionLines *self, guint line)
{
  const GobanLinesPlan *plan;

  g_return_val_if_fail (GOBAN_IS_DECISION_LINES (self), NULL);

  if (goban_decision_lines_get (self) == NULL || self->lines->moments->len == 0)
    return g_strdup ("");
  plan = goban_moment_lines_get_plan (
      self->lines, line == GOBAN_NO_LINE ? 0 : goban_moment_lines_find_plan (self->lines, line));
  return dup_number (line == GOBAN_NO_LINE ? 0 : line - plan->first + 1, plan->n);
}

char *
goban_decision_lines_dup_plan_number (GobanDecisionLines *self, guint plan)
{
  g_return_val_if_fail (GOBAN_IS_DECISION_LINES (self), NULL);

  if (plan == GOBAN_NO_LINE || goban_decision_lines_get (self) == NULL)
    return g_strdup ("");
  return dup_number (plan + 1, self->lines->plans->len);
}

/* --- construction and disposal --------------------------------------------------------------- */

static void
goban_decision_lines_dispose (GObject *object)
{
  GobanDecisionLines *self = GOBAN_DECISION_LINES (object);

  g_clear_pointer (&self->lines, goban_moment_lines_free);
  g_clear_pointer (&self->run, goban_run_unref);
  g_clear_pointer (&self->left, g_hash_table_unref);
  G_OBJECT_CLASS (goban_decision_lines_parent_class)->dispose (object);
}

static void
goban_decision_lines_class_init (GobanDecisionLinesClass *klass)
{
  G_OBJECT_CLASS (klass)->dispose = goban_decision_lines_dispose;
  goban_signal_add (klass, "changed", 0);
}

static void
goban_decision_lines_init (GobanDecisionLines *self)
{
  self->left = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
}

static GObject *
new_lines (GObject *session)
{
  GobanDecisionLines *self = g_object_new (GOBAN_TYPE_DECISION_LINES, NULL);
  GobanView *view = goban_session_get_view (GOBAN_SESSION (session));

  self->session = GOBAN_SESSION (session);
  GOBAN_CONNECT (session, "notify::graph", graph_changed_cb, self);
  GOBAN_CONNECT (session, "notify::current-run", run_changed_cb, self);
  GOBAN_CONNECT (view, "notify::level", read_again, self);
  GOBAN_CONNECT (view, "notify::moment", moment_changed_cb, self);
  goban_run_set (&self->run, goban_session_get_current_run (self->session));
  moment_changed_cb (self);
  return G_OBJECT (self);
}

GobanDecisionLines *
goban_decision_lines_of (GobanSession *session)
{
  g_return_val_if_fail (GOBAN_IS_SESSION (session), NULL);

  return goban_attached_object (G_OBJECT (session), "goban-decision-lines", new_lines);
}
