/* attached-object.h: objects that belong to another one, made on first use.
 *
 * So a session has parts of higher layers, such as its document and its trainings.
 * The owner keeps each under a key. Main thread.
 */
#pragma once

#include <glib-object.h>

typedef GObject *(*GobanAttachedNew) (GObject *owner);

/* The object of @owner under @key; @make makes it at the first call. It lives as long as @owner and
 * must not hold a reference of it. Borrowed. */
gpointer goban_attached_object (GObject *owner, const char *key, GobanAttachedNew make);
