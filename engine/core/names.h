/* names.h: a set of names: immutable, reference-counted, ascending by their bytes. Any thread. */
#pragma once

#include <glib.h>

typedef struct _GobanNames GobanNames;

/* Copies and sorts the NULL-terminated @names, without duplicates. (transfer full) */
GobanNames *goban_names_new (const char *const *names) G_GNUC_WARN_UNUSED_RESULT;
/* The same with @name, or without it. (transfer full) */
GobanNames *goban_names_with (const GobanNames *self, const char *name) G_GNUC_WARN_UNUSED_RESULT;
GobanNames *goban_names_without (const GobanNames *self,
                                 const char *name) G_GNUC_WARN_UNUSED_RESULT;
GobanNames *goban_names_ref (GobanNames *self);
void goban_names_unref (GobanNames *self);

/* (array zero-terminated=1), borrowed */
const char *const *goban_names_get (const GobanNames *self);
guint goban_names_get_n (const GobanNames *self);
gboolean goban_names_contain (const GobanNames *self, const char *name);
gboolean goban_names_equal (const GobanNames *a, const GobanNames *b);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (GobanNames, goban_names_unref)
