/* json-tape.h: a strict JSON parser that reads one value at a time onto a reusable tape of tokens.
 *
 * For files whose tree would take many times their memory: the caller skips or reads the values of a text in
 * turn, and the tape holds the last one alone. A text is checked once, whole, by goban_json_tape_init(), so that
 * nothing afterwards meets a mistake of grammar.
 *
 * Tokens are numbered from 0, the value itself. Behind an array's token come those of its elements, behind an
 * object's the keys, each with its value; `next` leads past a value. Of members with one key the last counts: the keys
 * of the others are null.
 */
#pragma once

#include "engine/io/json-members.h"

G_BEGIN_DECLS

typedef enum
{
  GOBAN_JSON_NULL,
  GOBAN_JSON_BOOLEAN,
  GOBAN_JSON_INTEGER, /* without point and power, within 64 bits */
  GOBAN_JSON_REAL,
  GOBAN_JSON_STRING,
  GOBAN_JSON_ARRAY,
  GOBAN_JSON_OBJECT,
} GobanJsonType;

typedef struct
{
  GobanJsonType type;
  guint32 next; /* the token behind this value and all that is in it */
  union
  {
    gint64 integer; /* also of booleans: 0 or 1 */
    double real;
    gsize text;       /* of strings: an offset, for goban_json_tape_text() */
    guint32 n_inside; /* elements or members */
  };
} GobanJsonToken;

/* A value of a text: from its first byte to behind its last. */
typedef struct
{
  const char *begin; /* (nullable): there is none */
  const char *end;
} GobanJsonSpan;

typedef struct
{
  const char *path;
  const char *data;
  const char *end;
  const char *at;    /* position of the next value */
  const char *begin; /* of the element that is on the tape */
  GArray *tokens;    /* GobanJsonToken */
  GByteArray *texts; /* unescaped, each with a zero */
} GobanJsonTape;

/**
 * goban_json_tape_init:
 *
 * Checks the whole text; leaves the tape at its root. Clear it in either case.
 *
 * Returns: %FALSE with %GOBAN_ERROR_PARSE set to "path:line:column: ..."
 */
gboolean goban_json_tape_init (GobanJsonTape *self, const char *data, gsize size, const char *path,
                               GError **error);
void goban_json_tape_clear (GobanJsonTape *self);

/* --- walking --------------------------------------------------------------------------------- */

/* At the root: whether it is an object. */
gboolean goban_json_tape_is_object (GobanJsonTape *self);

/* The values of the root object's members of these names; the last of a name. @names: (n) */
void goban_json_tape_find_members (GobanJsonTape *self, const char *const *names, guint n,
                                   GobanJsonSpan *values);

/* Goes into the array @span, before its first element. */
void goban_json_tape_enter (GobanJsonTape *self, const GobanJsonSpan *span);

/* Reads the next element of the array onto the tape. %FALSE behind the last. */
gboolean goban_json_tape_next (GobanJsonTape *self);

/* Reads a value onto the tape. */
void goban_json_tape_read (GobanJsonTape *self, const GobanJsonSpan *span);

/* --- what is on the tape --------------------------------------------------------------------- */

static inline const GobanJsonToken *
goban_json_tape_token (const GobanJsonTape *self, guint32 token)
{
  return &g_array_index (self->tokens, GobanJsonToken, token);
}

/* Borrowed until the next reading. */
static inline const char *
goban_json_tape_text (const GobanJsonTape *self, guint32 token)
{
  return (const char *) self->texts->data + goban_json_tape_token (self, token)->text;
}

gboolean goban_json_tape_is (const GobanJsonTape *self, guint32 token, GobanJsonType type);

/* A number that is finite. */
gboolean goban_json_tape_number (const GobanJsonTape *self, guint32 token, double *value);

/* Each of these leaves @value alone and returns %TRUE if the member is missing or null; as
 * json-members.h has them. A container is given by its token, 0 if it is missing. */
gboolean goban_json_tape_get_number (const GobanJsonTape *self, const GobanJsonPlace *place,
                                     guint32 object, const char *member, double *value,
                                     GError **error);
gboolean goban_json_tape_get_amount (const GobanJsonTape *self, const GobanJsonPlace *place,
                                     guint32 object, const char *member, double *value,
                                     GError **error);
gboolean goban_json_tape_get_boolean (const GobanJsonTape *self, const GobanJsonPlace *place,
                                      guint32 object, const char *member, gboolean *value,
                                      GError **error);
gboolean goban_json_tape_get_string (const GobanJsonTape *self, const GobanJsonPlace *place,
                                     guint32 object, const char *member, const char **value,
                                     GError **error);
gboolean goban_json_tape_get_array (const GobanJsonTape *self, const GobanJsonPlace *place,
                                    guint32 object, const char *member, guint32 *value,
                                    GError **error);
gboolean goban_json_tape_get_object (const GobanJsonTape *self, const GobanJsonPlace *place,
                                     guint32 object, const char *member, guint32 *value,
                                     GError **error);

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (GobanJsonTape, goban_json_tape_clear)

G_END_DECLS
