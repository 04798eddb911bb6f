#include "engine/session/companions.h"

#include "engine/core/attached-object.h"
#include "engine/session/compare-set-looks.h"
#include "engine/session/compare-set.h"
#include "engine/session/session-derived.h"
#include "engine/session/session-marks.h"
#include "engine/session/view-time.h"

#define GOBAN_TYPE_COMPANIONS (goban_companions_get_type ())
G_DECLARE_FINAL_TYPE (GobanCompanions, goban_companions, GOBAN, COMPANIONS, GObject)

struct _GobanCompanions
{
  GObject parent_instance;

  GobanSession *session; /* borrowed, the owner */
  GPtrArray *all;        /* GobanSession, each with one run */
  gboolean is_mirroring;
};

G_DEFINE_FINAL_TYPE (GobanCompanions, goban_companions, G_TYPE_OBJECT)

static void
goban_companions_finalize (GObject *object)
{
  g_ptr_array_unref (GOBAN_COMPANIONS (object)->all);
  G_OBJECT_CLASS (goban_companions_parent_class)->finalize (object);
}

static void
goban_companions_class_init (GobanCompanionsClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = goban_companions_finalize;
}

static void
goban_companions_init (GobanCompanions *self)
{
  self->all = g_ptr_array_new_with_free_func (g_object_unref);
}

/* (nullable) */
static GobanSession *
find_session (GobanCompanions *self, GobanRun *run)
{
  if (goban_run_get_graph (run) == goban_session_get_graph (self->session))
    return self->session;
  for (guint i = 0; i < self->all->len; i++)
    if (goban_session_get_current_run (g_ptr_array_index (self->all, i)) == run)
      return g_ptr_array_index (self->all, i);
  return NULL;
}

static void
drop_sessions (GobanCompanions *self)
{
  GobanCompareSet *set = goban_session_get_compare_set (self->session);

  for (guint i = self->all->len; i > 0; i--)
    if (goban_compare_set_find (
            set, goban_session_get_current_run (g_ptr_array_index (self->all, i - 1)))
        < 0)
      g_ptr_array_remove_index (self->all, i - 1);
}

static GobanSelection *
find_partners (const GobanGraphMatching *matching, guint side, const GobanSelection *nodes)
{
  g_autoptr (GArray) found = g_array_new (FALSE, FALSE, sizeof (GobanNodeId));
  guint n, n_partners;
  const GobanNodeId *ids = goban_selection_get_ids (nodes, &n);

  for (guint i = 0; i < n; i++)
    {
      const GobanNodeId *partners
          = goban_graph_matching_get_partners (matching, side, ids[i], &n_partners);

      if (n_partners > 0)
        g_array_append_vals (found, partners, n_partners);
    }
  return goban_selection_new ((const GobanNodeId *) (gconstpointer) found->data, found->len);
}

/* One of the pair. */
static GobanRun *
get_run (GobanCompareSet *set, guint side)
{
  guint places[2] = { 0, 1 };

  goban_compare_set_get_pair (set, &places[0], &places[1]);
  return goban_compare_set_get_run (set, places[side]);
}

static void
mirror_selection (GobanSession *from, GParamSpec *pspec, GobanCompanions *self)
{
  GobanCompareSet *set = goban_session_get_compare_set (self->session);
  GobanGraphMatching *matching = goban_compare_set_get_graph_matching (set);

  if (self->is_mirroring || matching == NULL || !goban_compare_set_is_open (set)
      || (goban_compare_set_get_sync (set) & GOBAN_SYNC_SELECTION) == 0)
    return;
  self->is_mirroring = TRUE;
  for (guint side = 0; side < 2; side++)
    {
      GobanSession *own = find_session (self, get_run (set, side));
      GobanSession *other = find_session (self, get_run (set, 1 - side));

      if (own == from && other != NULL)
        {
          g_autoptr (GobanSelection) partners
              = find_partners (matching, side, goban_session_get_selection (from));

          goban_session_set_selection (other, partners);
        }
    }
  self->is_mirroring = FALSE;
}

/* The matching has come: what is selected in the open graph has partners. */
static void
matched_cb (GobanCompanions *self)
{
  mirror_selection (self->session, NULL, self);
}

static void
mirror_time (GobanCompanions *self)
{
  double time_us = goban_view_get_time_us (goban_session_get_view (self->session));

  for (guint i = 0; i < self->all->len; i++)
    goban_view_play_to (goban_session_get_view (g_ptr_array_index (self->all, i)), time_us);
}

static GObject *
new_companions (GObject *owner)
{
  GobanCompanions *self = g_object_new (GOBAN_TYPE_COMPANIONS, NULL);
  GobanCompareSet *set;

  self->session = GOBAN_SESSION (owner);
  set = goban_session_get_compare_set (self->session);
  g_signal_connect_object (set, "notify::runs", G_CALLBACK (drop_sessions), self,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (set, "notify::difference", G_CALLBACK (matched_cb), self,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (self->session, "notify::selection", G_CALLBACK (mirror_selection), self,
                           0);
  g_signal_connect_object (goban_session_get_view (self->session), "notify::time",
                           G_CALLBACK (mirror_time), self, G_CONNECT_SWAPPED);
  return G_OBJECT (self);
}

GobanSession *
goban_companion_for (GobanSession *session, GobanRun *run)
{
  GobanCompanions *self
      = goban_attached_object (G_OBJECT (session), "goban-companions", new_companions);
  GobanSession *found = find_session (self, run);

  if (found != NULL)
    return found;
  found = goban_session_new ();
  goban_session_derive (found, run);
  g_signal_connect_object (found, "notify::selection", G_CALLBACK (mirror_selection), self, 0);
  g_ptr_array_add (self->all, found);
  return found;
}
