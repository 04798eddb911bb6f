/* json-tape.h: strict JSON parser that puts one value at a time onto a reusable tape of tokens.
 *
 * The base of json-reader.h. A text is either checked as a whole and then read piece by piece, so
 * that a file whose tokens would fill the memory needs those of one element at a time; or it is
 * read at once.
 *
 * Tokens are numbered from 0, the value itself. An array's token is followed by those of its
 * elements, an object's by the keys, each with its value; `next` leads past a value. Of members
 * with one key the last counts: the keys of the others get the type null.
 */
#pragma once

#include <glib.h>

/* Nesting is bounded, because the parser recurses. */
#define GOBAN_JSON_MAX_DEPTH 64

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
  gsize at; /* offset of its first byte in the text */
} GobanJsonToken;

typedef struct
{
  const char *path; /* borrowed; names the text in messages */
  const char *data;
  const char *end;
  const char *at; /* position of the next value */
  guint depth;
  /* Set before parsing: NaN, Infinity and a comma behind the last value are accepted, and a text
   * that ends early is one that ends behind the last whole value in the root or in a list there. A
   * backslash that begins no escape stands for itself, and a zero and half of a surrogate pair for
   * U+FFFD. */
  gboolean is_lenient;
  const char *whole; /* behind that value; NULL: none yet */
  gboolean is_cut;   /* the text ends there, and all that is open ends with it */
  guint n_not_numbers;
  GobanJsonToken *tokens;
  guint32 n_tokens;
  guint32 token_room;
  char *texts; /* unescaped, each with a zero */
  gsize n_texts;
  gsize text_room;
} GobanJsonTape;

/* A member of the root: its key, borrowed until the end of the call, and its value in the text. */
typedef void (*GobanJsonMemberFunc) (const char *key, const char *value, gpointer user_data);

/* %FALSE with %GOBAN_ERROR_PARSE set if the text is empty or not UTF-8. Clear the tape in either
 * case. */
gboolean goban_json_tape_init (GobanJsonTape *self, const char *data, gsize size, const char *path,
                               GError **error);
void goban_json_tape_clear (GobanJsonTape *self);

/* Goes through the text to its end and back to its root. With @keeps its root is on the tape
 * afterwards. %FALSE with %GOBAN_ERROR_PARSE "path:line:column: ..." set at the first mistake of
 * grammar. */
gboolean goban_json_tape_parse (GobanJsonTape *self, gboolean keeps, GError **error);

/* The same without keeping anything; calls @func for each member of a root that is an object. */
gboolean goban_json_tape_parse_members (GobanJsonTape *self, GobanJsonMemberFunc func,
                                        gpointer user_data, GError **error);

/* In a parsed text: skips blanks and, if it is next, @byte. FALSE if another byte is next. */
gboolean goban_json_tape_take (GobanJsonTape *self, char byte);

/* In a parsed text: skips the next value, which is on the tape afterwards if @keeps. */
void goban_json_tape_read (GobanJsonTape *self, gboolean keeps);

static inline const GobanJsonToken *
goban_json_tape_token (const GobanJsonTape *self, guint32 token)
{
  return &self->tokens[token];
}

/* Borrowed until the next reading. */
static inline const char *
goban_json_tape_text (const GobanJsonTape *self, guint32 token)
{
  return self->texts + goban_json_tape_token (self, token)->text;
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (GobanJsonTape, goban_json_tape_clear)
