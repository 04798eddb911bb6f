/* feed.h: snapshots of the decisions of a running policy, for other threads. */
#pragma once

#include "engine/decisions/decisions.h"

typedef struct _GobanDecisionsWriter GobanDecisionsWriter; /* decisions-writer.h */

/* A place that a writer stands in as long as it writes; counted, for all threads. */
typedef struct _GobanDecisionsFeed GobanDecisionsFeed;

GobanDecisionsFeed *goban_decisions_feed_new (void) G_GNUC_WARN_UNUSED_RESULT;
GobanDecisionsFeed *goban_decisions_feed_ref (GobanDecisionsFeed *self);
void goban_decisions_feed_unref (GobanDecisionsFeed *self);
/* The first writer, or %NULL, which it must be before the writer ends. Both may be %NULL. */
void goban_decisions_feed_set (GobanDecisionsFeed *self, GobanDecisionsWriter *writer);
/* A snapshot of the writer; %NULL if there is none. (transfer full) (nullable) */
GobanDecisions *goban_decisions_feed_peek (GobanDecisionsFeed *self) G_GNUC_WARN_UNUSED_RESULT;

G_DEFINE_AUTOPTR_CLEANUP_FUNC (GobanDecisionsFeed, goban_decisions_feed_unref)
