#include "ui/commands/plan-commands.h"

#include "engine/session/chosen-folders.h"
#include "engine/session/session-jobs.h"
#include "engine/session/session-log.h"
#include "engine/session/session-runs.h"
#include "ui/panels/place-menu.h"

struct _GobanPlanCommands
{
  GObject parent;

  GobanSite site;
  GobanPlanList *plans;
  GobanConsoleView *console;
};

G_DEFINE_FINAL_TYPE (GobanPlanCommands, goban_plan_commands, G_TYPE_OBJECT)

/* Each time with another seed, so that asking again gives another plan if the policy draws at
 * random. */
static void
place (GobanPlanCommands *self, GVariant *parameter)
{
  const char *const policies[] = { g_variant_get_string (parameter, NULL), NULL };
  GobanRunOptions options
      = { .seed = goban_place_menu_next_seed (self->site.session, policies[0]),
          .network = goban_chosen_networks_get (self->site.session, policies[0]) };

  goban_session_place_with (self->site.session, policies, &options);
}

static void
place_with (GobanPlanCommands *self, GVariant *parameter)
{
  const char *policies[2] = { NULL };
  const char *tasks;
  GobanRunOptions options = { 0 };
  g_autoptr (GError) error = NULL;

  g_variant_get (parameter, "(&sttd&s)", &policies[0], &options.seed, &options.max_evaluations,
                 &options.max_seconds, &tasks);
  if (*tasks != '\0' && !goban_tasks_parse (tasks, &options.decisions, &error))
    {
      goban_session_say (self->site.session, TRUE, "%s", error->message);
      return;
    }
  options.network = goban_chosen_networks_get (self->site.session, policies[0]);
  goban_session_place_with (self->site.session, policies, &options);
}

static void
place_quick (GobanPlanCommands *self, GVariant *parameter)
{
  g_autoptr (GPtrArray) quick = g_ptr_array_new ();
  gsize n;
  g_autofree GobanPolicyInfo *policies = goban_policies (&n);

  for (gsize i = 0; i < n; i++)
    if (g_str_equal (policies[i].effort, "quick")
        && goban_place_menu_next_seed (self->site.session, policies[i].name) == 0)
      g_ptr_array_add (quick, (gpointer) policies[i].name);
  if (quick->len == 0)
    {
      goban_session_say (self->site.session, FALSE, "Every quick policy has a plan in the list");
      return;
    }
  g_ptr_array_add (quick, NULL);
  goban_session_place_with (self->site.session, (const char *const *) quick->pdata, NULL);
}

static void
next_plan (GobanPlanCommands *self, GVariant *parameter)
{
  goban_plan_list_step (self->plans, 1);
}

static void
previous_plan (GobanPlanCommands *self, GVariant *parameter)
{
  goban_plan_list_step (self->plans, -1);
}

static void
remove_plan (GobanPlanCommands *self, GVariant *parameter)
{
  GobanRun *run = goban_session_get_current_run (self->site.session);

  if (run != NULL)
    goban_session_remove_run (self->site.session, run);
}

static void
stop (GobanPlanCommands *self, GVariant *parameter)
{
  if (goban_session_get_job (self->site.session) != NULL)
    {
      goban_session_finish_job (self->site.session);
      goban_status_bar_set_stopping (self->site.status);
    }
  goban_console_view_interrupt (self->console);
}

static const GobanCommand commands[] = {
  { "place", G_CALLBACK (place) },
  { "place-with", G_CALLBACK (place_with) },
  { "place-quick", G_CALLBACK (place_quick) },
  { "next-plan", G_CALLBACK (next_plan) },
  { "previous-plan", G_CALLBACK (previous_plan) },
  { "remove-plan", G_CALLBACK (remove_plan) },
  { "stop", G_CALLBACK (stop) },
};

/* --- construction and disposal --------------------------------------------------------------- */

static void
goban_plan_commands_class_init (GobanPlanCommandsClass *klass)
{
}

static void
goban_plan_commands_init (GobanPlanCommands *self)
{
}

GobanPlanCommands *
goban_plan_commands_new (const GobanSite *site, GobanPlanList *plans, GobanConsoleView *console)
{
  GobanPlanCommands *self = g_object_new (GOBAN_TYPE_PLAN_COMMANDS, NULL);

  self->site = *site;
  self->plans = plans;
  self->console = console;
  goban_site_connect (site, commands, G_N_ELEMENTS (commands), self);
  return self;
}
