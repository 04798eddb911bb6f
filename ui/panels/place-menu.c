#include "ui/panels/place-menu.h"

#include "engine/core/i18n.h"
#include "engine/core/quantity.h"
#include "engine/session/chosen-networks.h"
#include "engine/session/session-log.h"
#include "engine/study/run/guest-policy.h"
#include "ui/panels/task-choice.h"
#include "ui/widgets/short-label.h"
#include "ui/widgets/template.h"
#include "ui/widgets/term.h"
#include "ui/widgets/text.h"

#include <string.h>

#define NO_LIMIT N_ ("no limit")

/* The last choice for a policy. */
typedef struct
{
  gboolean is_set;
  double evaluations;
  double seconds;
} Budget;

/* The page of a policy's budget. */
typedef struct
{
  GtkWidget *name;
  GtkWidget *blurb;
  GtkWidget *about;
  GtkWidget *network;
  GtkWidget *source;
  GtkWidget *evaluations;
  GtkWidget *initial; /* how many the policy makes unasked */
  GtkWidget *seconds;
  GtkWidget *seed;
  GtkWidget *hint;
  GtkWidget *start;
} BudgetPage;

struct _GobanPlaceMenu
{
  GtkPopover parent;

  GobanSession *session;
  GobanPolicyInfo *policies; /* (n_policies) */
  Budget *budgets;           /* (n_policies) */
  gsize n_policies;
  guint version; /* of the list of policies that is shown */
  gboolean any_has_tasks;
  gsize shown; /* whose budget the page is about */

  GtkWidget *stack; /* "list" or "budget" */
  GtkWidget *search;
  GtkWidget *rows; /* of the list: headings and policies */
  GtkWidget *tasks;
  BudgetPage page;
};

G_DEFINE_FINAL_TYPE (GobanPlaceMenu, goban_place_menu, GTK_TYPE_POPOVER)

static const struct
{
  const char *effort;
  const char *title;
  const char *note;
} groups[] = {
  { "quick", N_ ("Quick"), N_ ("one pass over the graph") },
  { "search", N_ ("Search"), N_ ("simulates plan after plan until its budget is spent") },
  { "learned", N_ ("Learned"), N_ ("the same, and trains a network meanwhile") },
};

static GtkWidget *
new_label (const char *text, const char *css_class)
{
  GtkWidget *label = goban_new_label (text);

  gtk_label_set_xalign (GTK_LABEL (label), 0.0);
  if (css_class != NULL)
    gtk_widget_add_css_class (label, css_class);
  return label;
}

/* --- the budget ------------------------------------------------------------------------------- */

static double
get_number (GtkWidget *spin)
{
  return gtk_spin_button_get_value (GTK_SPIN_BUTTON (spin));
}

static void
set_number (GtkWidget *spin, double value)
{
  gtk_spin_button_set_value (GTK_SPIN_BUTTON (spin), value);
}

/* A policy that makes no simulations of its own accord ends by itself. */
static gboolean
has_limit (GobanPlaceMenu *self)
{
  return get_number (self->page.evaluations) > 0 || get_number (self->page.seconds) > 0
         || self->policies[self->shown].default_evaluations == 0;
}

static void
budget_changed_cb (GobanPlaceMenu *self)
{
  gboolean is_limited = has_limit (self);

  gtk_widget_set_sensitive (self->page.start, is_limited);
  goban_set_label_text (self->page.hint,
                        is_limited ? _ ("It ends when either is spent; “Stop” in the status line "
                                        "ends it sooner, with the best plan so far.")
                                   : _ ("Limit the simulations or the seconds: without either it "
                                        "would never end."));
}

static gboolean
show_limit_cb (GtkSpinButton *spin)
{
  if (gtk_spin_button_get_value (spin) > 0)
    return FALSE;

  gtk_editable_set_text (GTK_EDITABLE (spin), _ (NO_LIMIT));
  return TRUE;
}

static int
read_limit_cb (GtkSpinButton *spin, double *value)
{
  const char *text = gtk_editable_get_text (GTK_EDITABLE (spin));

  if (g_ascii_strcasecmp (text, _ (NO_LIMIT)) != 0 && *text != '\0')
    return FALSE;

  *value = 0;
  return TRUE;
}

guint64
goban_place_menu_next_seed (GobanSession *session, const char *policy)
{
  GListModel *runs = goban_session_get_runs (session);
  guint64 seed = 0;

  for (guint i = 0; i < g_list_model_get_n_items (runs); i++)
    {
      GobanRun *run = goban_run_list_get (runs, i);

      seed += g_str_equal (goban_plan_get_policy (goban_run_get_plan (run)), policy);
    }
  return seed;
}

/* @file: (nullable): the policy's own */
static void
show_network (GobanPlaceMenu *self, const char *file)
{
  g_autofree char *text = file != NULL ? g_strdup_printf (_ ("Network: %s"), file) : NULL;

  goban_set_label_text (self->page.network, text);
  gtk_widget_set_visible (self->page.network, file != NULL);
}

static void
show_budget (GobanPlaceMenu *self, gsize policy)
{
  const GobanPolicyInfo *info = &self->policies[policy];
  const Budget *budget = &self->budgets[policy];
  double initial = (double) info->default_evaluations;
  g_autofree char *about = goban_dup_without_flags (_ (info->about));
  g_autofree char *text = NULL;
  g_autofree char *source = g_strdup_printf (_ ("After %s"), info->source);
  char count[GOBAN_QUANTITY_LEN];

  self->shown = policy;
  goban_set_label_text (self->page.name, info->name);
  goban_set_label_text (self->page.blurb, _ (info->blurb));
  goban_set_label_text (self->page.about, about);
  gtk_widget_set_visible (self->page.about, *info->about != '\0');
  goban_set_label_text (self->page.source, source);
  show_network (self, goban_chosen_networks_get (self->session, info->name));
  if (initial > 0)
    text = g_strdup_printf (_ ("Default: %s"),
                            goban_format_grouped (count, info->default_evaluations));
  goban_set_label_text (self->page.initial, text);

  set_number (self->page.evaluations, budget->is_set ? budget->evaluations : initial);
  set_number (self->page.seconds, budget->is_set ? budget->seconds : 0);
  set_number (self->page.seed, (double) goban_place_menu_next_seed (self->session, info->name));
  budget_changed_cb (self);
  gtk_widget_set_visible (self->tasks, info->has_tasks);
  gtk_stack_set_visible_child_name (GTK_STACK (self->stack), "budget");
  gtk_widget_grab_focus (self->page.evaluations);
}

static void
back_cb (GobanPlaceMenu *self)
{
  gtk_widget_set_visible (self->tasks, self->any_has_tasks);
  gtk_stack_set_visible_child_name (GTK_STACK (self->stack), "list");
}

/* The other policies do not take tasks, so the lines of their runs do not mention them. */
static GobanTasks
get_decisions (GobanPlaceMenu *self, gsize policy)
{
  return self->policies[policy].has_tasks ? goban_task_choice_get (GOBAN_TASK_CHOICE (self->tasks))
                                          : GOBAN_TASKS_DEFAULT;
}

static void
place_with (GobanPlaceMenu *self, const char *policy, const GobanRunOptions *options)
{
  g_autofree char *tasks = goban_tasks_to_text (options->decisions);

  gtk_widget_activate_action (GTK_WIDGET (self), "win.place-with", "(sttds)", policy, options->seed,
                              options->max_evaluations, options->max_seconds, tasks);
  gtk_popover_popdown (GTK_POPOVER (self));
}

/* Else the choice below would be first: nothing has a place yet when GTK looks for one to focus. */
static void
focus_search_cb (GobanPlaceMenu *self)
{
  gtk_widget_grab_focus (self->search);
}

gboolean
goban_place_menu_start (GobanPlaceMenu *self)
{
  GobanRunOptions options;

  g_return_val_if_fail (GOBAN_IS_PLACE_MENU (self), FALSE);

  /* A typed number counts without a Tab after it. */
  gtk_spin_button_update (GTK_SPIN_BUTTON (self->page.evaluations));
  gtk_spin_button_update (GTK_SPIN_BUTTON (self->page.seconds));
  gtk_spin_button_update (GTK_SPIN_BUTTON (self->page.seed));
  if (!has_limit (self))
    return FALSE;

  goban_place_menu_get_budget (self, &options);
  self->budgets[self->shown]
      = (Budget){ TRUE, get_number (self->page.evaluations), get_number (self->page.seconds) };
  place_with (self, self->policies[self->shown].name, &options);
  return TRUE;
}

/* A spin button of GTK 4.8 does not say it. */
static void
start_on_enter (GobanPlaceMenu *self, GtkWidget *spin)
{
  g_signal_connect_swapped (gtk_editable_get_delegate (GTK_EDITABLE (spin)), "activate",
                            G_CALLBACK (goban_place_menu_start), self);
}

/* --- building the list ------------------------------------------------------------------------ */

static void
row_cb (GtkWidget *row, gpointer user_data)
{
  GobanPlaceMenu *self = user_data;

  goban_place_menu_choose (self, g_object_get_data (G_OBJECT (row), "goban-policy"));
}

static GtkWidget *
new_row (GobanPlaceMenu *self, const GobanPolicyInfo *info, GtkSizeGroup *names)
{
  GtkWidget *row = gtk_button_new ();
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 14);
  GtkWidget *name = new_label (info->name, "name");
  GtkWidget *blurb = goban_short_label_new (GOBAN_KEEP_START, 0);

  gtk_size_group_add_widget (names, name);
  goban_short_label_set_max_chars (GOBAN_SHORT_LABEL (blurb), 84);
  goban_short_label_set_text (GOBAN_SHORT_LABEL (blurb), _ (info->blurb));
  gtk_widget_add_css_class (blurb, "note");
  gtk_widget_set_hexpand (blurb, TRUE);
  gtk_box_append (GTK_BOX (box), name);
  gtk_box_append (GTK_BOX (box), blurb);
  if (!g_str_equal (info->effort, "quick"))
    gtk_box_append (GTK_BOX (box), gtk_image_new_from_icon_name ("go-next-symbolic"));
  gtk_button_set_child (GTK_BUTTON (row), box);
  goban_set_accessible_label (row, info->name);
  gtk_widget_add_css_class (row, "flat");
  goban_set_tooltip (row, info->source);
  goban_explain_term (row, info->name);
  g_object_set_data (G_OBJECT (row), "goban-policy", (gpointer) info->name);
  g_signal_connect (row, "clicked", G_CALLBACK (row_cb), self);
  return row;
}

/* --- finding a policy ------------------------------------------------------------------------- */

/* (nullable): of a heading */
static const char *
get_policy (GtkWidget *row)
{
  return g_object_get_data (G_OBJECT (row), "goban-policy");
}

/* How well a policy fits what is typed: 3 is its name, 2 its beginning, 1 a part; 0: not. */
static int
rank_policy (const char *policy, const char *typed)
{
  if (g_str_equal (policy, typed))
    return 3;
  if (g_str_has_prefix (policy, typed))
    return 2;
  return strstr (policy, typed) != NULL;
}

/* (transfer full) */
static char *
dup_typed (GobanPlaceMenu *self)
{
  g_autofree char *text = g_utf8_strdown (gtk_editable_get_text (GTK_EDITABLE (self->search)), -1);

  return g_strdup (g_strstrip (text));
}

/* A heading is shown if a policy below it is. */
static void
search_changed_cb (GobanPlaceMenu *self)
{
  g_autofree char *typed = dup_typed (self);
  GtkWidget *heading = NULL;

  for (GtkWidget *row = gtk_widget_get_first_child (self->rows); row != NULL;
       row = gtk_widget_get_next_sibling (row))
    {
      const char *policy = get_policy (row);
      gboolean fits = policy != NULL && rank_policy (policy, typed) > 0;

      gtk_widget_set_visible (row, fits);
      if (policy == NULL)
        heading = row;
      else if (fits && heading != NULL)
        gtk_widget_set_visible (heading, TRUE);
    }
}

/* The policy that fits best, the first of several. */
static void
search_activated_cb (GobanPlaceMenu *self)
{
  g_autofree char *typed = dup_typed (self);
  const char *best = NULL;
  int most = 0;

  for (GtkWidget *row = gtk_widget_get_first_child (self->rows); row != NULL && *typed != '\0';
       row = gtk_widget_get_next_sibling (row))
    {
      const char *policy = get_policy (row);
      int rank = policy != NULL ? rank_policy (policy, typed) : 0;

      if (rank > most)
        {
          most = rank;
          best = policy;
        }
    }
  if (best != NULL)
    goban_place_menu_choose (self, best);
}

/* Tasks are ticked for one policy: quick ones that learn no tasks could not decide them. */
static void
place_all_cb (GobanPlaceMenu *self)
{
  gtk_popover_popdown (GTK_POPOVER (self));
  if (self->any_has_tasks
      && goban_task_choice_get (GOBAN_TASK_CHOICE (self->tasks)) != GOBAN_TASKS_DEFAULT)
    goban_session_say (self->session, FALSE, "%s",
                       _ ("“Place with all” ignores the chosen decisions: choose one policy that "
                          "can make them"));
}

static GtkWidget *
new_group_heading (GobanPlaceMenu *self, gsize group)
{
  GtkWidget *row = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 8);
  GtkWidget *title = new_label (_ (groups[group].title), "heading");
  GtkWidget *note = new_label (_ (groups[group].note), "note");

  gtk_widget_set_hexpand (note, TRUE);
  goban_explain_term (title, _ (groups[group].title));
  gtk_box_append (GTK_BOX (row), title);
  gtk_box_append (GTK_BOX (row), note);
  if (g_str_equal (groups[group].effort, "quick"))
    {
      GtkWidget *all = gtk_button_new_with_label (_ ("Place with all"));

      gtk_widget_add_css_class (all, "flat");
      goban_set_tooltip (all, _ ("Place with each quick policy and show the best plan"));
      gtk_actionable_set_action_name (GTK_ACTIONABLE (all), "win.place-quick");
      g_signal_connect_swapped (all, "clicked", G_CALLBACK (place_all_cb), self);
      gtk_box_append (GTK_BOX (row), all);
    }
  gtk_widget_add_css_class (row, "group");
  return row;
}

static void
add_rows (GobanPlaceMenu *self)
{
  g_autoptr (GtkSizeGroup) names = gtk_size_group_new (GTK_SIZE_GROUP_HORIZONTAL);

  for (gsize g = 0; g < G_N_ELEMENTS (groups); g++)
    {
      gtk_box_append (GTK_BOX (self->rows), new_group_heading (self, g));
      for (gsize i = 0; i < self->n_policies; i++)
        if (g_str_equal (self->policies[i].effort, groups[g].effort))
          gtk_box_append (GTK_BOX (self->rows), new_row (self, &self->policies[i], names));
    }
}

static gboolean
has_policy (GobanPlaceMenu *self, const char *name, gsize *i)
{
  for (*i = 0; *i < self->n_policies; (*i)++)
    if (g_str_equal (self->policies[*i].name, name))
      return TRUE;
  return FALSE;
}

/* Takes the policies as they are now; budgets that were asked for stay. */
static void
take_policies (GobanPlaceMenu *self)
{
  gsize n, old;
  guint version = goban_policies_get_version ();
  GobanPolicyInfo *policies = goban_policies (&n);
  Budget *budgets = g_new0 (Budget, n);

  for (gsize i = 0; i < n; i++)
    if (has_policy (self, policies[i].name, &old))
      budgets[i] = self->budgets[old];
  g_free (self->policies);
  g_free (self->budgets);
  self->policies = policies;
  self->budgets = budgets;
  self->n_policies = n;
  self->version = version;
}

/* Scripts may have added policies since the menu was last shown. */
static void
show_cb (GobanPlaceMenu *self)
{
  GtkWidget *row;

  back_cb (self);
  gtk_editable_set_text (GTK_EDITABLE (self->search), "");
  if (self->version == goban_policies_get_version ())
    return;
  take_policies (self);
  while ((row = gtk_widget_get_first_child (self->rows)) != NULL)
    gtk_box_remove (GTK_BOX (self->rows), row);
  add_rows (self);
}

static void
goban_place_menu_dispose (GObject *object)
{
  GobanPlaceMenu *self = GOBAN_PLACE_MENU (object);

  g_clear_object (&self->session);

  G_OBJECT_CLASS (goban_place_menu_parent_class)->dispose (object);
}

static void
goban_place_menu_finalize (GObject *object)
{
  GobanPlaceMenu *self = GOBAN_PLACE_MENU (object);

  g_free (self->policies);
  g_free (self->budgets);

  G_OBJECT_CLASS (goban_place_menu_parent_class)->finalize (object);
}

static void
goban_place_menu_class_init (GobanPlaceMenuClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = goban_place_menu_dispose;
  G_OBJECT_CLASS (klass)->finalize = goban_place_menu_finalize;
  g_type_ensure (GOBAN_TYPE_TASK_CHOICE);
  goban_template_set (widget_class, "panels/place-menu.ui");
  gtk_widget_class_bind_template_child (widget_class, GobanPlaceMenu, stack);
  gtk_widget_class_bind_template_child (widget_class, GobanPlaceMenu, search);
  gtk_widget_class_bind_template_child (widget_class, GobanPlaceMenu, rows);
  gtk_widget_class_bind_template_child (widget_class, GobanPlaceMenu, tasks);
  GOBAN_TEMPLATE_BIND (widget_class, GobanPlaceMenu, "name", page.name);
  GOBAN_TEMPLATE_BIND (widget_class, GobanPlaceMenu, "blurb", page.blurb);
  GOBAN_TEMPLATE_BIND (widget_class, GobanPlaceMenu, "about", page.about);
  GOBAN_TEMPLATE_BIND (widget_class, GobanPlaceMenu, "network", page.network);
  GOBAN_TEMPLATE_BIND (widget_class, GobanPlaceMenu, "source", page.source);
  GOBAN_TEMPLATE_BIND (widget_class, GobanPlaceMenu, "evaluations", page.evaluations);
  GOBAN_TEMPLATE_BIND (widget_class, GobanPlaceMenu, "initial", page.initial);
  GOBAN_TEMPLATE_BIND (widget_class, GobanPlaceMenu, "seconds", page.seconds);
  GOBAN_TEMPLATE_BIND (widget_class, GobanPlaceMenu, "seed", page.seed);
  GOBAN_TEMPLATE_BIND (widget_class, GobanPlaceMenu, "hint", page.hint);
  GOBAN_TEMPLATE_BIND (widget_class, GobanPlaceMenu, "start", page.start);
  gtk_widget_class_bind_template_callback (widget_class, back_cb);
  gtk_widget_class_bind_template_callback (widget_class, show_cb);
  gtk_widget_class_bind_template_callback (widget_class, focus_search_cb);
  gtk_widget_class_bind_template_callback (widget_class, search_changed_cb);
  gtk_widget_class_bind_template_callback (widget_class, search_activated_cb);
  gtk_widget_class_bind_template_callback (widget_class, gtk_popover_popdown);
  gtk_widget_class_bind_template_callback (widget_class, show_limit_cb);
  gtk_widget_class_bind_template_callback (widget_class, read_limit_cb);
  gtk_widget_class_bind_template_callback (widget_class, budget_changed_cb);
  gtk_widget_class_bind_template_callback (widget_class, goban_place_menu_start);
}

static void
goban_place_menu_init (GobanPlaceMenu *self)
{
  take_policies (self);
  for (gsize i = 0; i < self->n_policies; i++)
    self->any_has_tasks |= self->policies[i].has_tasks;

  goban_template_init (GTK_WIDGET (self));
  add_rows (self);
  show_limit_cb (GTK_SPIN_BUTTON (self->page.evaluations));
  show_limit_cb (GTK_SPIN_BUTTON (self->page.seconds));
  start_on_enter (self, self->page.evaluations);
  start_on_enter (self, self->page.seconds);
  start_on_enter (self, self->page.seed);
}

GtkWidget *
goban_place_menu_new (GobanSession *session)
{
  GobanPlaceMenu *self = g_object_new (GOBAN_TYPE_PLACE_MENU, NULL);

  self->session = g_object_ref (session);
  return GTK_WIDGET (self);
}

void
goban_place_menu_choose (GobanPlaceMenu *self, const char *policy)
{
  gsize i;

  g_return_if_fail (GOBAN_IS_PLACE_MENU (self));

  if (!has_policy (self, policy, &i))
    return;
  if (!g_str_equal (self->policies[i].effort, "quick"))
    {
      show_budget (self, i);
      return;
    }
  place_with (self, policy,
              &(GobanRunOptions){ .seed = goban_place_menu_next_seed (self->session, policy),
                                  .decisions = get_decisions (self, i) });
}

void
goban_place_menu_set_budget (GobanPlaceMenu *self, guint64 max_evaluations, double max_seconds,
                             guint64 seed)
{
  g_return_if_fail (GOBAN_IS_PLACE_MENU (self));

  set_number (self->page.evaluations, (double) max_evaluations);
  set_number (self->page.seconds, max_seconds);
  set_number (self->page.seed, (double) seed);
}

void
goban_place_menu_get_budget (GobanPlaceMenu *self, GobanRunOptions *options)
{
  g_return_if_fail (GOBAN_IS_PLACE_MENU (self));

  *options = (GobanRunOptions){
    .seed = (guint64) get_number (self->page.seed),
    .max_evaluations = (guint64) get_number (self->page.evaluations),
    .max_seconds = get_number (self->page.seconds),
    .decisions = get_decisions (self, self->shown),
  };
}

void
goban_place_menu_set_tasks (GobanPlaceMenu *self, GobanTasks decisions)
{
  g_return_if_fail (GOBAN_IS_PLACE_MENU (self));

  goban_task_choice_set (GOBAN_TASK_CHOICE (self->tasks), decisions);
}
