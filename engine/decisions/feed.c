#include "engine/decisions/feed.h"

#include "engine/decisions/decisions-writer.h"

struct _GobanDecisionsFeed
{
  GMutex mutex;
  GobanDecisionsWriter *writer; /* (nullable): borrowed */
};

GobanDecisionsFeed *
goban_decisions_feed_new (void)
{
  GobanDecisionsFeed *self = g_atomic_rc_box_new0 (GobanDecisionsFeed);

  g_mutex_init (&self->mutex);
  return self;
}

GobanDecisionsFeed *
goban_decisions_feed_ref (GobanDecisionsFeed *self)
{
  return g_atomic_rc_box_acquire (self);
}

static void
feed_clear (gpointer data)
{
  GobanDecisionsFeed *self = data;

  g_mutex_clear (&self->mutex);
}

void
goban_decisions_feed_unref (GobanDecisionsFeed *self)
{
  g_atomic_rc_box_release_full (self, feed_clear);
}

void
goban_decisions_feed_set (GobanDecisionsFeed *self, GobanDecisionsWriter *writer)
{
  if (self == NULL)
    return;
  g_mutex_lock (&self->mutex);
  self->writer = writer;
  g_mutex_unlock (&self->mutex);
}

GobanDecisions *
goban_decisions_feed_peek (GobanDecisionsFeed *self)
{
  GobanDecisions *snapshot;

  g_mutex_lock (&self->mutex);
  snapshot = goban_decisions_writer_peek (self->writer);
  g_mutex_unlock (&self->mutex);
  return snapshot;
}
