/* companions.h: sessions in which the other graphs of a comparison are looked at.
 *
 * The pictures of a graph follow a session, and a session has one graph. Selections of the two
 * graphs of the compared pair are kept at partners (engine/graph/graph-matching.h), and the time of
 * the session that compares is theirs. Main thread.
 */
#pragma once

#include "engine/session/session.h"

/* The session that has the graph of @run, a member of the compare set of @session: that itself, or
 * one for that run alone, which lives as long as the run is a member. Borrowed. */
GobanSession *goban_companion_for (GobanSession *session, GobanRun *run);
