/* opening.h: opens graph and plan files in a session. Main thread. */
#pragma once

#include "engine/session/session.h"

/* Loads a graph in a worker, opens it, places it with the default policies (single, critical-path,
 * heft, metis, tf-default) and shows the best plan. Errors are emitted by "message". */
void goban_session_open_path (GobanSession *self, const char *path);

/* A graph that has been read and is not open yet. */
typedef struct _GobanReadGraph GobanReadGraph;
/* @read: (transfer full) */
typedef void (*GobanReadGraphFunc) (gpointer owner, GobanReadGraph *read);
/* The first half of goban_session_open_path(): so that a question about the open document is asked
 * for graphs only. @func is called if the file is one, while @owner, a GObject, lives. A running
 * search goes on. */
void goban_session_read_path (GobanSession *self, const char *path, GobanReadGraphFunc func,
                              gpointer owner);
const char *goban_read_graph_get_path (const GobanReadGraph *self);
/* The second half. */
void goban_read_graph_open (const GobanReadGraph *self);
void goban_read_graph_free (GobanReadGraph *self);

/* Replaces the open graph, in a worker, by a copy with the measured times of a profile
 * (engine/io/traces/measured-times.h). Its plans go on with it, simulated again. */
void goban_session_open_profile (GobanSession *self, const char *path);
/* Opens a plan file made for the open graph, as a run. */
void goban_session_open_plan (GobanSession *self, const char *path);
