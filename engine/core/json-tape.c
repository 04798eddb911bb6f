#include "engine/core/json-tape.h"

#include "engine/core/error.h"
#include "engine/core/i18n.h"

#include <math.h>
#include <string.h>

/* Objects with more members than this have their keys looked up in a table to find those given
 * twice. */
#define FEW_MEMBERS 16

/* --- mistakes --------------------------------------------------------------------------------- */

/* Lines and columns count from 1, columns in characters. */
static gboolean
refuse_at (const GobanJsonTape *self, const char *at, const char *what, GError **error)
{
  guint line = 1, column = 1;

  for (const char *p = self->data; p < at; p++)
    {
      if (*p == '\n')
        {
          line++;
          column = 1;
        }
      else if (((guchar) *p & 0xc0) != 0x80)
        column++;
    }
  return goban_refuse (error, GOBAN_ERROR_PARSE, "%s:%u:%u: %s", self->path, line, column,
                       _ (what));
}

static gboolean
refuse (const GobanJsonTape *self, const char *expected, GError **error)
{
  gsize n = self->at < self->end ? (gsize) (g_utf8_next_char (self->at) - self->at) : 0;
  g_autofree char *what = NULL;

  if (n == 0)
    return refuse_at (self, self->at, N_ ("unexpected end of file; is the file complete?"), error);
  what = g_strdup_printf (_ ("unexpected “%.*s”; %s is expected"), (int) n, self->at, _ (expected));
  return refuse_at (self, self->at, what, error);
}

/* UTF-8 without zeros, of which most is ASCII as a rule. */
static gboolean
is_text (const char *data, gsize size, const char **bad)
{
  const char *zero = memchr (data, '\0', size);

  /* The first byte that is not ASCII, or the end. */
  const char *p = data;
  const char *end = data + size;
  guint64 bytes;

  for (; end - p >= 8; p += 8)
    {
      memcpy (&bytes, p, sizeof bytes);
      if ((bytes & 0x8080808080808080u) != 0)
        break;
    }
  while (p < end && (guchar) *p < 0x80)
    p++;
  const char *from = p;

  if (!g_utf8_validate_len (from, (gsize) (data + size - from), bad))
    {
      *bad = zero != NULL && zero < *bad ? zero : *bad;
      return FALSE;
    }
  *bad = zero;
  return zero == NULL;
}

/* Whether the text ends within the character at @bad. */
static gboolean
is_cut_character (const char *bad, const char *end)
{
  return g_utf8_get_char_validated (bad, end - bad) == (gunichar) -2;
}

/* --- reading ---------------------------------------------------------------------------------- */

#define LOW_BITS 0x7f7f7f7f7f7f7f7fu
#define HIGH_BITS 0x8080808080808080u
#define EVERY_BYTE 0x0101010101010101u

/* Eight bytes, of which the first is the lowest on any processor. */
static inline guint64
load_eight (const char *p)
{
  guint64 bytes;

  memcpy (&bytes, p, sizeof bytes);
  return GUINT64_FROM_LE (bytes);
}

/* The first of eight bytes whose highest bit is set in @marks, which has one. */
static inline gsize
find_first_mark (guint64 marks)
{
  return (gsize) __builtin_ctzll (marks) / 8;
}

static inline const char *
skip_spaces (const char *p, const char *end)
{
  for (; end - p >= 8; p += 8)
    {
      guint64 differing = load_eight (p) ^ (EVERY_BYTE * ' ');
      guint64 marks = (((differing & LOW_BITS) + LOW_BITS) | differing) & HIGH_BITS;

      if (marks != 0)
        return p + find_first_mark (marks);
    }
  while (p < end && *p == ' ')
    p++;
  return p;
}

/* Lines begin with many spaces, while one follows a comma or a colon at most. */
static inline void
skip_blanks (GobanJsonTape *self)
{
  const char *p = self->at, *end = self->end;

  for (; p < end && (guchar) *p <= ' '; p++)
    if (*p == '\n')
      p = skip_spaces (p + 1, end) - 1;
    else if (*p != ' ' && *p != '\t' && *p != '\r')
      break;
  self->at = p;
}

gboolean
goban_json_tape_take (GobanJsonTape *self, char byte)
{
  skip_blanks (self);
  if (self->at == self->end)
    return self->is_cut && (byte == ']' || byte == '}');
  if (*self->at != byte)
    return FALSE;
  self->at++;
  return TRUE;
}

static guint32
add_token (GobanJsonTape *self, GobanJsonType type, const char *at)
{
  if (self->n_tokens == self->token_room)
    {
      self->token_room = MAX (2 * self->token_room, 64);
      self->tokens = g_renew (GobanJsonToken, self->tokens, self->token_room);
    }
  self->tokens[self->n_tokens] = (GobanJsonToken){ .type = type,
                                                   .next = self->n_tokens + 1,
                                                   .at = (gsize) (at - self->data) };
  return self->n_tokens++;
}

static void
add_bytes (GobanJsonTape *self, const char *from, gsize n)
{
  if (n == 0)
    return;
  if (n > self->text_room - self->n_texts)
    {
      self->text_room = MAX (2 * self->text_room, self->n_texts + n + 256);
      self->texts = g_realloc (self->texts, self->text_room);
    }
  memcpy (self->texts + self->n_texts, from, n);
  self->n_texts += n;
}

static GobanJsonToken *
get_token (GobanJsonTape *self, guint32 token)
{
  return &self->tokens[token];
}

/* The value of the four hexadecimal digits after "\\u" at p; 0 if they are not there. */
static guint
read_unit (const char *p, const char *end)
{
  guint value = 0;

  if (end - p < 6 || p[0] != '\\' || p[1] != 'u')
    return 0;
  for (guint i = 2; i < 6; i++)
    {
      if (!g_ascii_isxdigit (p[i]))
        return 0;
      value = value * 16 + (guint) g_ascii_xdigit_value (p[i]);
    }
  return value;
}

/* The character that the escape at *p stands for, and *p behind it; 0 if it stands for none: a
 * zero, half of a surrogate pair, octal bytes as in C. */
static gunichar
read_escape (const char **p, const char *end)
{
  static const char letters[] = "\"\\/bfnrt";
  static const char bytes[] = "\"\\/\b\f\n\r\t";
  guint unit = read_unit (*p, end), low;
  const char *letter;

  if (unit == 0)
    {
      letter = end - *p > 1 && (*p)[1] != '\0' ? strchr (letters, (*p)[1]) : NULL;
      *p += 2;
      return letter != NULL ? (gunichar) bytes[letter - letters] : 0;
    }
  *p += 6;
  if (unit < 0xd800 || unit >= 0xe000)
    return unit;
  low = read_unit (*p, end);
  if (unit >= 0xdc00 || low < 0xdc00 || low >= 0xe000)
    return 0;
  *p += 6;
  return 0x10000 + ((unit - 0xd800) << 10) + (low - 0xdc00);
}

/* Goes past the escape at p, and appends its character to the texts if @keeps. (nullable) on
 * failure */
static const char *
take_escape (GobanJsonTape *self, const char *p, gboolean keeps, GError **error)
{
  const char *from = p;
  gunichar c = read_escape (&p, self->end);
  char utf8[6];

  /* An escape that is cut off is in a string that never ends. */
  if (c == 0 && memchr (from + 1, '"', (gsize) (self->end - from) - 1) == NULL)
    {
      self->at = self->end;
      refuse (self, "", error);
      return NULL;
    }
  if (c == 0 && self->is_lenient)
    {
      gboolean is_unit = self->end - from >= 6 && from[1] == 'u' && g_ascii_isxdigit (from[2])
                         && g_ascii_isxdigit (from[3]) && g_ascii_isxdigit (from[4])
                         && g_ascii_isxdigit (from[5]);

      c = is_unit ? 0xfffd : '\\';
      p = from + (is_unit ? 6 : 1);
    }
  if (c == 0)
    {
      refuse_at (self, from, N_ ("this escape does not stand for a character"), error);
      return NULL;
    }
  if (keeps)
    add_bytes (self, utf8, (gsize) g_unichar_to_utf8 (c, utf8));
  return p;
}

/* Marks bytes that are that one. Above the first one there may be other marks: only of a zero does
 * subtracting 1 set a highest bit that was clear, unless it borrows from the next byte. */
static inline guint64
mark_byte (guint64 bytes, guchar byte)
{
  guint64 differing = bytes ^ (EVERY_BYTE * byte);

  return (differing - EVERY_BYTE) & ~differing & HIGH_BITS;
}

/* The next quote or backslash, or the end. */
static inline const char *
find_special (const char *p, const char *end)
{
  for (; end - p >= 8; p += 8)
    {
      guint64 bytes = load_eight (p);
      guint64 marks = mark_byte (bytes, '"') | mark_byte (bytes, '\\');

      if (marks != 0)
        return p + find_first_mark (marks);
    }
  while (p < end && *p != '"' && *p != '\\')
    p++;
  return p;
}

/* At a quote. Without @keeps the string is only checked. */
static gboolean
read_string (GobanJsonTape *self, gboolean keeps, GError **error)
{
  const char *p = self->at + 1;
  const char *from = p;

  if (keeps)
    get_token (self, add_token (self, GOBAN_JSON_STRING, self->at))->text = self->n_texts;
  while ((p = find_special (p, self->end)) < self->end && *p != '"')
    {
      if (keeps)
        add_bytes (self, from, (gsize) (p - from));
      p = from = take_escape (self, p, keeps, error);
      if (p == NULL)
        return FALSE;
    }
  self->at = p;
  if (p == self->end)
    return refuse (self, "", error);
  if (keeps)
    {
      add_bytes (self, from, (gsize) (p - from) + 1);
      self->texts[self->n_texts - 1] = '\0'; /* in place of the quote */
    }
  self->at = p + 1;
  return TRUE;
}

static inline gboolean
is_digit (char c)
{
  return (guchar) (c - '0') < 10;
}

static inline const char *
skip_digits (const char *p, const char *end)
{
  while (p < end && is_digit (*p))
    p++;
  return p;
}

static void
keep_number (GobanJsonTape *self, const char *from, gboolean is_whole)
{
  g_autofree char *text = g_strndup (from, self->at - from);
  guint32 token = add_token (self, GOBAN_JSON_REAL, from);
  gint64 integer;

  if (is_whole && g_ascii_string_to_signed (text, 10, G_MININT64, G_MAXINT64, &integer, NULL))
    {
      get_token (self, token)->type = GOBAN_JSON_INTEGER;
      get_token (self, token)->integer = integer;
    }
  else
    get_token (self, token)->real = g_ascii_strtod (text, NULL);
}

/* Most numbers are short and whole. */
static gboolean
keep_short_number (GobanJsonTape *self, const char *from)
{
  gint64 integer = 0;

  if (*from == '-' || self->at - from > 18)
    return FALSE;
  for (const char *p = from; p < self->at; p++)
    integer = integer * 10 + (*p - '0');
  get_token (self, add_token (self, GOBAN_JSON_INTEGER, from))->integer = integer;
  return TRUE;
}

static gboolean
read_number (GobanJsonTape *self, gboolean keeps, GError **error)
{
  const char *from = self->at;
  const char *p = from + (*from == '-');
  const char *behind = skip_digits (p, self->end);
  gboolean is_whole = TRUE;

  self->at = p;
  if (behind == p || (*p == '0' && behind - p > 1))
    return refuse (self, N_ ("a number"), error);
  if (behind < self->end && *behind == '.')
    {
      is_whole = FALSE;
      self->at = behind + 1;
      behind = skip_digits (self->at, self->end);
      if (behind == self->at)
        return refuse (self, N_ ("a digit"), error);
    }
  if (behind < self->end && (*behind == 'e' || *behind == 'E'))
    {
      is_whole = FALSE;
      self->at = behind + 1;
      if (self->at < self->end && (*self->at == '-' || *self->at == '+'))
        self->at++;
      behind = skip_digits (self->at, self->end);
      if (behind == self->at)
        return refuse (self, N_ ("a digit"), error);
    }
  self->at = behind;
  if (keeps && !(is_whole && keep_short_number (self, from)))
    keep_number (self, from, is_whole);
  return TRUE;
}

/* What Python writes for numbers that are none becomes one that is not finite. */
static void
keep_word (GobanJsonTape *self, guint word, gsize n)
{
  static const GobanJsonType types[] = { GOBAN_JSON_NULL, GOBAN_JSON_BOOLEAN, GOBAN_JSON_BOOLEAN };
  guint32 token = add_token (self, word < 3 ? types[word] : GOBAN_JSON_REAL, self->at - n);

  if (word < 3)
    get_token (self, token)->integer = word == 2;
  else
    get_token (self, token)->real = NAN;
}

static gboolean
read_word (GobanJsonTape *self, gboolean keeps, GError **error)
{
  static const char *const words[] = { "null", "false", "true", "NaN", "Infinity", "-Infinity" };
  guint n_words = self->is_lenient ? 6 : 3;
  gsize left = (gsize) (self->end - self->at);

  for (guint i = 0; i < n_words; i++)
    {
      gsize n = strlen (words[i]);

      if (strncmp (self->at, words[i], MIN (n, left)) != 0)
        continue;
      if (left < n)
        {
          self->at = self->end;
          return refuse (self, "", error);
        }
      self->at += n;
      self->n_not_numbers += i >= 3 && !keeps;
      if (keeps)
        keep_word (self, i, n);
      return TRUE;
    }
  return refuse (self, N_ ("a value"), error);
}

/* (nullable): the key token among those from @first to before @key that has the same text. */
static GobanJsonToken *
find_twin (GobanJsonTape *self, guint32 first, guint32 key)
{
  const char *text = goban_json_tape_text (self, key);

  for (guint32 other = first; other < key; other = get_token (self, other + 1)->next)
    {
      const char *known = goban_json_tape_text (self, other);

      /* Most keys differ in their first byte. */
      if (*known == *text && (*text == '\0' || strcmp (known + 1, text + 1) == 0)
          && get_token (self, other)->type == GOBAN_JSON_STRING)
        return get_token (self, other);
    }
  return NULL;
}

/* The key of a member that a later one replaces becomes null, and so is never found. */
static void
drop_replaced (GobanJsonTape *self, guint32 object)
{
  guint32 n = get_token (self, object)->n_inside;
  g_autoptr (GHashTable) seen = n > FEW_MEMBERS ? g_hash_table_new (g_str_hash, g_str_equal) : NULL;

  for (guint32 i = 0, key = object + 1; i < n; i++)
    {
      GobanJsonToken *earlier;

      if (seen == NULL)
        earlier = find_twin (self, object + 1, key);
      else
        {
          char *text = self->texts + get_token (self, key)->text;
          guint32 found = GPOINTER_TO_UINT (g_hash_table_lookup (seen, text));

          earlier = found != 0 ? get_token (self, found) : NULL;
          g_hash_table_insert (seen, text, GUINT_TO_POINTER (key));
        }
      if (earlier != NULL)
        earlier->type = GOBAN_JSON_NULL;
      key = get_token (self, key + 1)->next;
    }
}

/* Whether that byte is the next but for blanks. */
static gboolean
is_next (GobanJsonTape *self, char byte)
{
  skip_blanks (self);
  return self->at < self->end && *self->at == byte;
}

static gboolean read_value (GobanJsonTape *self, gboolean keeps, GError **error);

static gboolean
read_member (GobanJsonTape *self, gboolean keeps, GError **error)
{
  skip_blanks (self);
  if (self->at == self->end || *self->at != '"')
    return refuse (self, N_ ("a name in quotes"), error);
  if (!read_string (self, keeps, error))
    return FALSE;
  return goban_json_tape_take (self, ':') ? read_value (self, keeps, error)
                                          : refuse (self, N_ ("“:”"), error);
}

/* A text that ends early can be read up to here as if it were complete. */
static void
note_whole (GobanJsonTape *self, gboolean is_object)
{
  if (self->depth <= (is_object ? 1 : 2))
    self->whole = self->at;
}

/* At the bracket that opens an array or an object. */
static gboolean
read_inside (GobanJsonTape *self, gboolean is_object, gboolean keeps, GError **error)
{
  GobanJsonType type = is_object ? GOBAN_JSON_OBJECT : GOBAN_JSON_ARRAY;
  guint32 token = keeps ? add_token (self, type, self->at) : 0;
  char closing = is_object ? '}' : ']';
  guint32 n = 0;

  if (++self->depth > GOBAN_JSON_MAX_DEPTH)
    return refuse_at (self, self->at, N_ ("this nests too deeply"), error);
  self->at++;
  note_whole (self, is_object);
  if (!goban_json_tape_take (self, closing))
    do
      {
        if (n > 0 && self->is_lenient && is_next (self, closing))
          break;
        n++;
        if (!(is_object ? read_member (self, keeps, error) : read_value (self, keeps, error)))
          return FALSE;
        note_whole (self, is_object);
      }
    while (goban_json_tape_take (self, ','));
  if (n > 0 && !goban_json_tape_take (self, closing))
    return refuse (self, is_object ? N_ ("“,” or “}”") : N_ ("“,” or “]”"), error);
  self->depth--;
  if (!keeps)
    return TRUE;
  get_token (self, token)->n_inside = n;
  get_token (self, token)->next = self->n_tokens;
  if (is_object)
    drop_replaced (self, token);
  return TRUE;
}

static gboolean
read_value (GobanJsonTape *self, gboolean keeps, GError **error)
{
  skip_blanks (self);
  if (self->at == self->end)
    return refuse (self, "", error);
  switch (*self->at)
    {
    case '{':
    case '[':
      return read_inside (self, *self->at == '{', keeps, error);
    case '"':
      return read_string (self, keeps, error);
    case '-':
      if (self->is_lenient && self->end - self->at > 1 && self->at[1] == 'I')
        return read_word (self, keeps, error);
      return read_number (self, keeps, error);
    default:
      return is_digit (*self->at) ? read_number (self, keeps, error)
                                  : read_word (self, keeps, error);
    }
}

gboolean
goban_json_tape_init (GobanJsonTape *self, const char *data, gsize size, const char *path,
                      GError **error)
{
  const char *bad = NULL;

  *self = (GobanJsonTape){
    .path = path, .data = data, .end = data, .at = data, .is_lenient = self->is_lenient
  };
  if (size == 0) /* there may be no bytes to point to */
    return goban_refuse (error, GOBAN_ERROR_PARSE, "%s: the file is empty", path);
  self->end += size;
  if (is_text (data, size, &bad))
    return TRUE;
  if (!self->is_lenient || !is_cut_character (bad, self->end))
    return refuse_at (self, bad, N_ ("this is not UTF-8 text"), error);
  self->end = bad;
  return TRUE;
}

void
goban_json_tape_clear (GobanJsonTape *self)
{
  g_clear_pointer (&self->tokens, g_free);
  g_clear_pointer (&self->texts, g_free);
}

/* Back to the root, if nothing follows it. */
static gboolean
finish_parse (GobanJsonTape *self, GError **error)
{
  skip_blanks (self);
  if (self->at < self->end)
    return refuse (self, N_ ("the end of the file"), error);
  self->at = self->data;
  return TRUE;
}

/* After a mistake: whether the text only ends early, and may; then it is a shorter one that is
 * fine. */
static gboolean
cut_text (GobanJsonTape *self, GError **mistake)
{
  if (!self->is_lenient || self->at < self->end || self->whole == NULL)
    return FALSE;
  g_clear_error (mistake);
  self->end = self->whole;
  self->at = self->data;
  self->is_cut = TRUE;
  self->depth = 0;
  return TRUE;
}

gboolean
goban_json_tape_parse (GobanJsonTape *self, gboolean keeps, GError **error)
{
  g_autoptr (GError) mistake = NULL;

  self->at = self->data;
  if ((read_value (self, keeps, &mistake) && finish_parse (self, &mistake))
      || cut_text (self, &mistake))
    return TRUE;
  g_propagate_error (error, g_steal_pointer (&mistake));
  return FALSE;
}

static void
empty (GobanJsonTape *self)
{
  self->n_tokens = 0;
  self->n_texts = 0;
}

static gboolean
read_root_member (GobanJsonTape *self, GobanJsonMemberFunc func, gpointer user_data, GError **error)
{
  empty (self);
  skip_blanks (self);
  if (self->at == self->end || *self->at != '"')
    return refuse (self, N_ ("a name in quotes"), error);
  if (!read_string (self, TRUE, error))
    return FALSE;
  if (!goban_json_tape_take (self, ':'))
    return refuse (self, N_ ("“:”"), error);
  func (goban_json_tape_text (self, 0), self->at, user_data);
  return read_value (self, FALSE, error);
}

/* Reads the root's members, after its opening bracket. */
static gboolean
read_root_members (GobanJsonTape *self, GobanJsonMemberFunc func, gpointer user_data,
                   GError **error)
{
  self->depth++;
  self->whole = self->at;
  if (!goban_json_tape_take (self, '}'))
    {
      do
        {
          if (self->is_lenient && is_next (self, '}'))
            break;
          if (!read_root_member (self, func, user_data, error))
            return FALSE;
          self->whole = self->at;
        }
      while (goban_json_tape_take (self, ','));
      if (!goban_json_tape_take (self, '}'))
        return refuse (self, N_ ("“,” or “}”"), error);
    }
  self->depth--;
  return finish_parse (self, error);
}

gboolean
goban_json_tape_parse_members (GobanJsonTape *self, GobanJsonMemberFunc func, gpointer user_data,
                               GError **error)
{
  g_autoptr (GError) mistake = NULL;

  self->at = self->data;
  if (!goban_json_tape_take (self, '{'))
    return goban_json_tape_parse (self, FALSE, error);
  if (read_root_members (self, func, user_data, &mistake) || cut_text (self, &mistake))
    return TRUE;
  g_propagate_error (error, g_steal_pointer (&mistake));
  return FALSE;
}

void
goban_json_tape_read (GobanJsonTape *self, gboolean keeps)
{
  g_autoptr (GError) error = NULL;

  if (keeps)
    empty (self);
  /* A text that parsed once cannot fail again. */
  if (!read_value (self, keeps, &error))
    g_error ("%s", error->message);
}
