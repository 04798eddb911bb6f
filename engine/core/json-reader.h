/* json-reader.h: typed reading of JSON, with errors that name the line and the path of a value.
 *
 *   a.json:14: devices[2].memory is -3: a number of at least 0 is needed
 *   a.json:15: devices[2].memroy is not known: did you mean memory?
 *
 * A text is read as a whole; json-stream.h is for those whose values would fill the memory.
 *
 * A member that is null counts as missing, and a missing member leaves its variable unchanged; of
 * members with one key the last counts. 1 and 0 are accepted for true and false. Functions with a
 * GError return %FALSE with %GOBAN_ERROR_PARSE set; every message begins with "file:line: ".
 */
#pragma once

#include "engine/core/file-read.h"
#include "engine/core/json-tape.h"

typedef struct _GobanJsonReader GobanJsonReader;

/* Handle of a value, or of its absence. Valid until its reader is freed or its stream advances. */
typedef struct
{
  const GobanJsonReader *reader;
  guint32 token; /* GOBAN_JSON_MISSING: there is no such member */
} GobanJsonValue;

#define GOBAN_JSON_MISSING G_MAXUINT32

/* Both limits are included; infinite ones are not mentioned in messages. */
typedef struct
{
  double least;
  double most;
} GobanJsonRange;

#define GOBAN_JSON_ANY ((GobanJsonRange){ -G_MAXDOUBLE, G_MAXDOUBLE })
#define GOBAN_JSON_AMOUNT ((GobanJsonRange){ 0, G_MAXDOUBLE })

typedef struct
{
  gint64 least;
  gint64 most;
} GobanJsonWhole;

#define GOBAN_JSON_COUNT ((GobanJsonWhole){ 0, G_MAXINT64 })

/* The elements of a list, or the members of an object. */
typedef struct
{
  const GobanJsonReader *reader;
  guint32 next;
  guint32 end;
  guint n;
} GobanJsonItems;

/* --- life cycle ------------------------------------------------------------------------------- */

/**
 * goban_json_reader_new:
 * @data: (array length=length): borrowed for the life of the reader
 * @length: negative for a string
 * @path: its name in messages, copied
 *
 * Returns: (transfer full) (nullable): %NULL with %GOBAN_ERROR_PARSE "path:line:column: ..." set at
 *   the first mistake of grammar, at text that is not UTF-8, and at nesting deeper than
 *   GOBAN_JSON_MAX_DEPTH
 */
GobanJsonReader *goban_json_reader_new (const char *data, gssize length, const char *path,
                                        GError **error) G_GNUC_WARN_UNUSED_RESULT;
/* The same of a file of bounded size; "-" is standard input, unless only regular files are read. */
GobanJsonReader *goban_json_reader_new_for_file (const char *path, const GobanFileReading *reading,
                                                 GError **error) G_GNUC_WARN_UNUSED_RESULT;
void goban_json_reader_free (GobanJsonReader *self);

const char *goban_json_reader_get_path (const GobanJsonReader *self);
GobanJsonValue goban_json_reader_get_root (const GobanJsonReader *self);

/* --- values ----------------------------------------------------------------------------------- */

/* The member of an object; missing if it is absent or null, or if @object is not an object. */
GobanJsonValue goban_json_find (GobanJsonValue object, const char *key);
gboolean goban_json_has (GobanJsonValue object, const char *key);

static inline gboolean
goban_json_is_missing (GobanJsonValue value)
{
  return value.token == GOBAN_JSON_MISSING;
}

/* GOBAN_JSON_NULL if it is missing. */
GobanJsonType goban_json_get_type (GobanJsonValue value);

/* Whether it is true. */
gboolean goban_json_is_true (GobanJsonValue value);

/* Whether it is a finite number; @number is set then. */
gboolean goban_json_is_number (GobanJsonValue value, double *number);

/* (nullable): the @n bytes of a number as the file has it, which a double may not hold exactly;
 * %NULL if it is not a number */
const char *goban_json_peek_digits (GobanJsonValue value, gsize *n);

/* (nullable): %NULL if it is not a text */
const char *goban_json_peek_text (GobanJsonValue value);

/* The value must be there. Texts are borrowed. */
gboolean goban_json_read_number (GobanJsonValue value, GobanJsonRange range, double *number,
                                 GError **error);
gboolean goban_json_read_whole (GobanJsonValue value, GobanJsonWhole range, gint64 *number,
                                GError **error);
gboolean goban_json_read_text (GobanJsonValue value, const char **text, GError **error);

/* --- members of an object --------------------------------------------------------------------- */

/**
 * goban_json_check_object:
 * @keys: (nullable): all known keys, NULL-terminated; those that begin with "!" are required. %NULL
 *   allows any
 *
 * Returns: %FALSE with an error if @value is not an object, lacks a required key or has an unknown
 *   one. The error suggests the nearest known key or, if none is near, lists all of them.
 */
gboolean goban_json_check_object (GobanJsonValue value, const char *const *keys, GError **error);

gboolean goban_json_get_number (GobanJsonValue object, const char *key, GobanJsonRange range,
                                double *number, GError **error);
gboolean goban_json_get_whole (GobanJsonValue object, const char *key, GobanJsonWhole range,
                               gint64 *number, GError **error);
gboolean goban_json_get_boolean (GobanJsonValue object, const char *key, gboolean *value,
                                 GError **error);
gboolean goban_json_get_text (GobanJsonValue object, const char *key, const char **text,
                              GError **error);
/* A text that is not empty. */
gboolean goban_json_get_name (GobanJsonValue object, const char *key, const char **name,
                              GError **error);
/* One of the NULL-terminated @words; @index is its place among them. */
gboolean goban_json_get_word (GobanJsonValue object, const char *key, const char *const *words,
                              guint *index, GError **error);
/* *texts: (transfer container): the texts of a list, NULL-terminated */
gboolean goban_json_get_texts (GobanJsonValue object, const char *key, const char ***texts,
                               GError **error);

/* --- lists ------------------------------------------------------------------------------------ */

/* Goes through a list; a missing one has no elements. */
gboolean goban_json_get_list (GobanJsonValue object, const char *key, GobanJsonItems *items,
                              GError **error);
gboolean goban_json_read_list (GobanJsonValue value, GobanJsonItems *items, GError **error);
/* The element of a list; missing if there is no such element. */
GobanJsonValue goban_json_get_element (GobanJsonValue object, const char *key, guint index);
gboolean goban_json_items_next (GobanJsonItems *items, GobanJsonValue *value);

/* Goes through the members of an object whose keys are not known beforehand, in the order of the
 * text. */
gboolean goban_json_get_members (GobanJsonValue object, const char *key, GobanJsonItems *members,
                                 GError **error);
gboolean goban_json_read_members (GobanJsonValue value, GobanJsonItems *members, GError **error);
gboolean goban_json_members_next (GobanJsonItems *members, const char **key, GobanJsonValue *value);

/* --- mistakes --------------------------------------------------------------------------------- */

/* Sets "a.json:3: devices[2].memory: ..." and returns %FALSE; @format is translated. */
gboolean goban_json_refuse (GobanJsonValue value, GError **error, const char *format, ...)
    G_GNUC_PRINTF (3, 4);
/* Sets "a.json:3: devices[2].memory is -3: @need is needed" and returns %FALSE; @need is
 * translated. */
gboolean goban_json_refuse_value (GobanJsonValue value, const char *need, GError **error);
/* Sets "a.json:2: devices[2].memory is missing" and returns %FALSE. */
gboolean goban_json_refuse_missing (GobanJsonValue object, const char *key, GError **error);
/* "a.json:3: devices[2].memory", for errors of other kinds. (transfer full) */
char *goban_json_dup_place (GobanJsonValue value) G_GNUC_WARN_UNUSED_RESULT;

G_DEFINE_AUTOPTR_CLEANUP_FUNC (GobanJsonReader, goban_json_reader_free)
