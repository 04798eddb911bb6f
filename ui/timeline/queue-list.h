/* queue-list.h: list of a device's queues at a moment: ready ops in their order with their keys,
 * transfers under way and waiting. A row that is activated selects its node. */
#pragma once

#include "engine/session/session.h"
#include "engine/study/analysis/playback-state.h"

#include <gtk/gtk.h>

#define GOBAN_TYPE_QUEUE_LIST (goban_queue_list_get_type ())
G_DECLARE_FINAL_TYPE (GobanQueueList, goban_queue_list, GOBAN, QUEUE_LIST, GtkWidget)

GtkWidget *goban_queue_list_new (GobanSession *session) G_GNUC_WARN_UNUSED_RESULT;

/* Shows a device of the moments, which are of @run. Widgets of rows are used again. */
void goban_queue_list_show (GobanQueueList *self, GobanRun *run, const GobanDeviceMoments *moments,
                            GobanDeviceId device);

/* All rows as text, one a line. (transfer full) */
char *goban_queue_list_dup_text (GobanQueueList *self) G_GNUC_WARN_UNUSED_RESULT;
