/* json-stream.h: reading of JSON lists that would fill the memory, one element at a time.
 *
 * For graphs of millions of nodes. The whole text is checked once, so that nothing afterwards meets
 * a mistake of grammar; then the stream holds one member of the root, or one element of a list in
 * the root, at a time. Values are read with the functions of json-reader.h, and are gone when the
 * stream goes on.
 *
 * Decision E37 (engine/NOTES.md).
 */
#pragma once

#include "engine/core/json-reader.h"

typedef struct _GobanJsonStream GobanJsonStream;

/* As goban_json_reader_new(); the root must be an object. (transfer full) (nullable) */
GobanJsonStream *goban_json_stream_new (const char *data, gsize size, const char *path,
                                        GError **error) G_GNUC_WARN_UNUSED_RESULT;
/* The same of a text whose root is a list, read leniently, and before its first element. */
GobanJsonStream *goban_json_stream_new_list (const char *data, gsize size, const char *path,
                                             GError **error) G_GNUC_WARN_UNUSED_RESULT;
/* The root may be an object or a list, and the text is read leniently, as json-tape.h describes.
 * For what programs write that may be stopped while they do so. */
GobanJsonStream *goban_json_stream_new_lenient (const char *data, gsize size, const char *path,
                                                GError **error) G_GNUC_WARN_UNUSED_RESULT;
/* Whether bytes behind the last whole value are left out. */
gboolean goban_json_stream_is_cut (const GobanJsonStream *self);
/* The number of values that are NaN or infinite. */
guint goban_json_stream_count_not_numbers (const GobanJsonStream *self);
void goban_json_stream_free (GobanJsonStream *self);

/* Reads a member of the root; missing if it is absent or null. Not allowed after
 * goban_json_stream_enter(). */
GobanJsonValue goban_json_stream_read (GobanJsonStream *self, const char *key);

/* Refuses the root's first member that is not among the NULL-terminated @keys, as
 * goban_json_check_object() does. */
gboolean goban_json_stream_check_members (GobanJsonStream *self, const char *const *keys,
                                          GError **error);

/* Goes before the first element of the list of that key. %FALSE with an error if there is no such
 * list. */
gboolean goban_json_stream_enter (GobanJsonStream *self, const char *key, GError **error);

/* Reads the next element of the list. %FALSE behind the last. */
gboolean goban_json_stream_next (GobanJsonStream *self, GobanJsonValue *element);

/* Returns the memory of the text before this element to the system. The text must be pages of its
 * own. */
void goban_json_stream_forget (GobanJsonStream *self);

/* Sets "a.json:3: nodes[2]: ..." about an element already read, and returns %FALSE; @format is
 * translated. */
gboolean goban_json_stream_refuse (const GobanJsonStream *self, guint element, GError **error,
                                   const char *format, ...) G_GNUC_PRINTF (4, 5);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (GobanJsonStream, goban_json_stream_free)
