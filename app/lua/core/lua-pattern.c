/* lua-pattern.c: find, match, gmatch and gsub of Lua's strings, which can be stopped.
 *
 * Lua's own matcher backtracks inside one C function, where no hook is called: "(a*)*b" on a few
 * thousand letters takes practically for ever. This one checks every few thousand steps whether the
 * script was stopped. Patterns, results and messages are those of Lua 5.4.
 */
#include "app/lua/core/lua-sandbox.h"
#include "app/lua/core/lua-stop.h"

#include <lualib.h>
#include <stddef.h>
#include <string.h>

#define ESCAPE '%'
#define SPECIALS "^$*+?.([%-"
#define MAX_CAPTURES 32
#define MAX_DEPTH 200
#define STEPS 4096 /* between two looks: some 20 us */

/* In place of the length of a capture. */
#define OPEN ((ptrdiff_t) -1)
#define POSITION ((ptrdiff_t) -2)

typedef struct
{
  const char *start;
  ptrdiff_t length;
} Capture;

typedef struct
{
  lua_State *L;
  const char *text;
  const char *text_end;
  const char *pattern_end;
  guint n_steps;
  int depth;
  int n_captures;
  Capture captures[MAX_CAPTURES];
} Matcher;

static const char *match (Matcher *self, const char *s, const char *p);

static inline void
count_step (Matcher *self)
{
  if (++self->n_steps % STEPS == 0)
    goban_lua_check_stop (self->L);
}

/* --- single characters --------------------------------------------------------------------- */

static gboolean
is_in_letter_class (guchar c, char letter)
{
  gboolean is_member;

  switch (g_ascii_tolower (letter))
    {
    case 'a':
      is_member = g_ascii_isalpha (c);
      break;
    case 'c':
      is_member = g_ascii_iscntrl (c);
      break;
    case 'd':
      is_member = g_ascii_isdigit (c);
      break;
    case 'g':
      is_member = g_ascii_isgraph (c);
      break;
    case 'l':
      is_member = g_ascii_islower (c);
      break;
    case 'p':
      is_member = g_ascii_ispunct (c);
      break;
    case 's':
      is_member = c == ' ' || (c >= '\t' && c <= '\r');
      break;
    case 'u':
      is_member = g_ascii_isupper (c);
      break;
    case 'w':
      is_member = g_ascii_isalnum (c);
      break;
    case 'x':
      is_member = g_ascii_isxdigit (c);
      break;
    case 'z':
      is_member = c == '\0';
      break;
    default:
      return (guchar) letter == c;
    }
  return g_ascii_isupper (letter) ? !is_member : is_member;
}

/* End of the character, class or set at @p. */
static const char *
skip_item (Matcher *self, const char *p)
{
  char first = *p++;

  if (first == ESCAPE)
    {
      if (p == self->pattern_end)
        luaL_error (self->L, "malformed pattern (ends with '%%')");
      return p + 1;
    }
  if (first != '[')
    return p;

  if (p < self->pattern_end && *p == '^')
    p++;
  /* A bracket that comes first stands for itself. */
  do
    {
      if (p >= self->pattern_end)
        luaL_error (self->L, "malformed pattern (missing ']')");
      if (*p++ == ESCAPE)
        p++;
    }
  while (p >= self->pattern_end || *p != ']');
  return p + 1;
}

/* @p is at the bracket that opens the set, @last at the one that closes it. */
static gboolean
is_in_set (guchar c, const char *p, const char *last)
{
  gboolean is_positive = p[1] != '^';

  p += is_positive ? 1 : 2;
  while (p < last)
    if (*p == ESCAPE)
      {
        if (is_in_letter_class (c, p[1]))
          return is_positive;
        p += 2;
      }
    else if (p[1] == '-' && p + 2 < last)
      {
        if ((guchar) p[0] <= c && c <= (guchar) p[2])
          return is_positive;
        p += 3;
      }
    else if ((guchar) *p++ == c)
      return is_positive;

  return !is_positive;
}

/* Whether the character at @s is one of the item from @p to @end. */
static gboolean
is_one (Matcher *self, const char *s, const char *p, const char *end)
{
  count_step (self);
  if (s >= self->text_end)
    return FALSE;

  switch (*p)
    {
    case '.':
      return TRUE;
    case ESCAPE:
      return is_in_letter_class ((guchar) *s, p[1]);
    case '[':
      return is_in_set ((guchar) *s, p, end - 1);
    default:
      return *p == *s;
    }
}

/* --- captures ------------------------------------------------------------------------------ */

static const char *
match_open (Matcher *self, const char *s, const char *p, ptrdiff_t kind)
{
  const char *end;

  if (self->n_captures >= MAX_CAPTURES)
    luaL_error (self->L, "too many captures");
  self->captures[self->n_captures++] = (Capture){ s, kind };
  end = match (self, s, p);
  if (end == NULL)
    self->n_captures--;
  return end;
}

static const char *
match_close (Matcher *self, const char *s, const char *p)
{
  int i = self->n_captures - 1;
  const char *end;

  while (i >= 0 && self->captures[i].length != OPEN)
    i--;
  if (i < 0)
    luaL_error (self->L, "invalid pattern capture");

  self->captures[i].length = s - self->captures[i].start;
  end = match (self, s, p);
  if (end == NULL)
    self->captures[i].length = OPEN;
  return end;
}

/* End of the text of an earlier capture at @s; NULL if another text is there. */
static const char *
skip_back_reference (Matcher *self, const char *s, char digit)
{
  int i = digit - '1';
  gsize n;

  if (i < 0 || i >= self->n_captures || self->captures[i].length == OPEN)
    luaL_error (self->L, "invalid capture index %%%d", i + 1);
  n = self->captures[i].length == POSITION ? 0 : (gsize) self->captures[i].length;
  self->n_steps += 1 + n / 64;
  if ((gsize) (self->text_end - s) < n || memcmp (self->captures[i].start, s, n) != 0)
    return NULL;
  return s + n;
}

/* Without captures, the first one is the whole match. */
static void
push_capture (Matcher *self, int i, const char *start, const char *end)
{
  if (i >= self->n_captures)
    {
      if (i != 0)
        luaL_error (self->L, "invalid capture index %%%d", i + 1);
      lua_pushlstring (self->L, start, end - start);
    }
  else if (self->captures[i].length == POSITION)
    lua_pushinteger (self->L, self->captures[i].start - self->text + 1);
  else if (self->captures[i].length == OPEN)
    luaL_error (self->L, "unfinished capture");
  else
    lua_pushlstring (self->L, self->captures[i].start, self->captures[i].length);
}

/* @start NULL: none if there are none. Returns how many. */
static int
push_captures (Matcher *self, const char *start, const char *end)
{
  int n = self->n_captures == 0 && start != NULL ? 1 : self->n_captures;

  luaL_checkstack (self->L, n, "too many captures");
  for (int i = 0; i < n; i++)
    push_capture (self, i, start, end);
  return n;
}

/* --- items that repeat, balance and border ------------------------------------------------- */

static const char *
match_most (Matcher *self, const char *s, const char *p, const char *end)
{
  ptrdiff_t n = 0;

  while (is_one (self, s + n, p, end))
    n++;
  for (; n >= 0; n--)
    {
      const char *rest = match (self, s + n, end + 1);

      if (rest != NULL)
        return rest;
    }
  return NULL;
}

static const char *
match_least (Matcher *self, const char *s, const char *p, const char *end)
{
  for (;;)
    {
      const char *rest = match (self, s, end + 1);

      if (rest != NULL || !is_one (self, s, p, end))
        return rest;
      s++;
    }
}

/* "%bxy" with @p at the x: end of the text from x to its matching y, or NULL. */
static const char *
skip_balanced (Matcher *self, const char *s, const char *p)
{
  int n_open = 1;

  if (self->pattern_end - p < 2)
    luaL_error (self->L, "malformed pattern (missing arguments to '%%b')");
  if (s >= self->text_end || *s != *p)
    return NULL;
  for (s++; s < self->text_end; s++)
    {
      count_step (self);
      if (*s == p[1])
        {
          if (--n_open == 0)
            return s + 1;
        }
      else if (*s == *p)
        n_open++;
    }
  return NULL;
}

/* "%f[set]" with @p at the bracket. Before and after the text are zero bytes. */
static gboolean
is_frontier (Matcher *self, const char *s, const char *p, const char *end)
{
  guchar before = s == self->text ? '\0' : (guchar) s[-1];
  guchar here = s < self->text_end ? (guchar) *s : '\0';

  return !is_in_set (before, p, end - 1) && is_in_set (here, p, end - 1);
}

/* --- the matcher --------------------------------------------------------------------------- */

/* An item that begins with the escape and is not a class: TRUE, with @s (NULL: no match) and @p
 * beyond it. */
static gboolean
take_escape (Matcher *self, const char **s, const char **p)
{
  const char *set, *end;

  if (*p + 1 == self->pattern_end)
    return FALSE;
  switch ((*p)[1])
    {
    case 'b':
      *s = skip_balanced (self, *s, *p + 2);
      *p += 4;
      return TRUE;
    case 'f':
      set = *p + 2;
      if (set >= self->pattern_end || *set != '[')
        luaL_error (self->L, "missing '[' after '%%f' in pattern");
      end = skip_item (self, set);
      *s = is_frontier (self, *s, set, end) ? *s : NULL;
      *p = end;
      return TRUE;
    default:
      if (!g_ascii_isdigit ((*p)[1]))
        return FALSE;
      *s = skip_back_reference (self, *s, (*p)[1]);
      *p += 2;
      return TRUE;
    }
}

/* The items that end the search here, or go on by recursion; TRUE with @result set for them. */
static gboolean
match_branching (Matcher *self, const char *s, const char *p, const char **result)
{
  const char *end;
  char suffix;

  if (*p == '(')
    *result = p + 1 < self->pattern_end && p[1] == ')' ? match_open (self, s, p + 2, POSITION)
                                                       : match_open (self, s, p + 1, OPEN);
  else if (*p == ')')
    *result = match_close (self, s, p + 1);
  else if (*p == '$' && p + 1 == self->pattern_end)
    *result = s == self->text_end ? s : NULL;
  else
    {
      end = skip_item (self, p);
      suffix = end < self->pattern_end ? *end : '\0';
      if (suffix == '*')
        *result = match_most (self, s, p, end);
      else if (suffix == '+')
        *result = is_one (self, s, p, end) ? match_most (self, s + 1, p, end) : NULL;
      else if (suffix == '-')
        *result = match_least (self, s, p, end);
      else
        return FALSE;
    }
  return TRUE;
}

/* Matches the pattern from @p on at @s. Returns the end of the match, or NULL. */
static const char *
match (Matcher *self, const char *s, const char *p)
{
  const char *result = NULL;

  if (++self->depth > MAX_DEPTH)
    luaL_error (self->L, "pattern too complex");
  count_step (self);
  while (s != NULL && p < self->pattern_end)
    {
      const char *end;
      gboolean is_there;

      if (*p == ESCAPE && take_escape (self, &s, &p))
        continue;
      if (match_branching (self, s, p, &result))
        {
          self->depth--;
          return result;
        }

      end = skip_item (self, p);
      is_there = is_one (self, s, p, end);
      if (end < self->pattern_end && *end == '?')
        {
          if (is_there && (result = match (self, s + 1, end + 1)) != NULL)
            {
              self->depth--;
              return result;
            }
          p = end + 1;
        }
      else
        {
          s = is_there ? s + 1 : NULL;
          p = end;
        }
    }
  self->depth--;
  return s;
}

static Matcher
make_matcher (lua_State *L, const char *text, gsize n_text, const char *pattern, gsize n_pattern)
{
  return (Matcher){
    .L = L, .text = text, .text_end = text + n_text, .pattern_end = pattern + n_pattern
  };
}

static const char *
match_from (Matcher *self, const char *s, const char *p)
{
  self->n_captures = 0;
  self->depth = 0;
  return match (self, s, p);
}

/* --- find and match ------------------------------------------------------------------------ */

/* The argument at @index as an offset from 0, or G_MAXSIZE beyond the text. */
static gsize
opt_start (lua_State *L, int index, gsize n_text)
{
  lua_Integer start = luaL_optinteger (L, index, 1);

  if (start < 0)
    start = (lua_Unsigned) -start > n_text ? 1 : (lua_Integer) n_text + start + 1;
  else if (start == 0)
    start = 1;
  return (lua_Unsigned) start - 1 > n_text ? G_MAXSIZE : (gsize) start - 1;
}

/* In time that is linear. */
static const char *
find_plain (const char *text, gsize n_text, const char *part, gsize n_part)
{
  return n_part == 0 ? text : memmem (text, n_text, part, n_part);
}

static gboolean
is_plain (const char *pattern, gsize n)
{
  for (gsize i = 0; i < n; i++)
    if (pattern[i] != '\0' && strchr (SPECIALS, pattern[i]) != NULL)
      return FALSE;
  return TRUE;
}

static int
search (lua_State *L, gboolean is_find)
{
  gsize n_text, n_pattern, start;
  const char *text = luaL_checklstring (L, 1, &n_text);
  const char *pattern = luaL_checklstring (L, 2, &n_pattern);
  gboolean is_anchored = n_pattern > 0 && *pattern == '^';
  Matcher matcher = make_matcher (L, text, n_text, pattern, n_pattern);

  start = opt_start (L, 3, n_text);
  if (start == G_MAXSIZE)
    return luaL_pushfail (L), 1;

  if (is_find && (lua_toboolean (L, 4) || is_plain (pattern, n_pattern)))
    {
      const char *found;

      goban_lua_check_stop (L);
      found = find_plain (text + start, n_text - start, pattern, n_pattern);

      if (found == NULL)
        return luaL_pushfail (L), 1;
      lua_pushinteger (L, found - text + 1);
      lua_pushinteger (L, found - text + (ptrdiff_t) n_pattern);
      return 2;
    }

  for (const char *s = text + start; s <= matcher.text_end; s++)
    {
      const char *end = match_from (&matcher, s, pattern + is_anchored);

      if (end != NULL && !is_find)
        return push_captures (&matcher, s, end);
      if (end != NULL)
        {
          lua_pushinteger (L, s - text + 1);
          lua_pushinteger (L, end - text);
          return push_captures (&matcher, NULL, NULL) + 2;
        }
      if (is_anchored)
        break;
    }
  luaL_pushfail (L);
  return 1;
}

static int
string_find (lua_State *L)
{
  return search (L, TRUE);
}

static int
string_match (lua_State *L)
{
  return search (L, FALSE);
}

/* --- gmatch -------------------------------------------------------------------------------- */

/* Upvalues: the text, the pattern, where to go on, the end of the last match or -1. */
static int
match_next (lua_State *L)
{
  gsize n_text, n_pattern;
  const char *text = lua_tolstring (L, lua_upvalueindex (1), &n_text);
  const char *pattern = lua_tolstring (L, lua_upvalueindex (2), &n_pattern);
  lua_Integer start = lua_tointeger (L, lua_upvalueindex (3));
  lua_Integer last = lua_tointeger (L, lua_upvalueindex (4));
  Matcher matcher = make_matcher (L, text, n_text, pattern, n_pattern);

  for (const char *s = text + start; start >= 0 && s <= matcher.text_end; s++)
    {
      const char *end = match_from (&matcher, s, pattern);

      if (end == NULL || end - text == last)
        continue;
      lua_pushinteger (L, end - text);
      lua_copy (L, -1, lua_upvalueindex (3));
      lua_replace (L, lua_upvalueindex (4));
      return push_captures (&matcher, s, end);
    }
  return 0;
}

static int
string_gmatch (lua_State *L)
{
  gsize n_text, start;

  luaL_checklstring (L, 1, &n_text);
  luaL_checkstring (L, 2);
  start = opt_start (L, 3, n_text);
  lua_settop (L, 2);
  lua_pushinteger (L, start == G_MAXSIZE ? -1 : (lua_Integer) start);
  lua_pushinteger (L, -1);
  lua_pushcclosure (L, match_next, 4);
  return 1;
}

/* --- gsub ---------------------------------------------------------------------------------- */

/* The replacement is the string at 3. */
static void
add_string (Matcher *self, luaL_Buffer *buffer, const char *s, const char *end)
{
  gsize n;
  const char *text = lua_tolstring (self->L, 3, &n);
  const char *text_end = text + n;

  while (text < text_end)
    {
      const char *escape = memchr (text, ESCAPE, text_end - text);
      char digit;

      luaL_addlstring (buffer, text, (escape != NULL ? escape : text_end) - text);
      if (escape == NULL)
        return;
      digit = escape + 1 < text_end ? escape[1] : '\0';
      text = escape + 2;
      if (digit == ESCAPE)
        luaL_addchar (buffer, ESCAPE);
      else if (digit == '0')
        luaL_addlstring (buffer, s, end - s);
      else if (g_ascii_isdigit (digit))
        {
          push_capture (self, digit - '1', s, end);
          luaL_tolstring (self->L, -1, NULL);
          lua_remove (self->L, -2);
          luaL_addvalue (buffer);
        }
      else
        luaL_error (self->L, "invalid use of '%c' in replacement string", ESCAPE);
    }
}

/* TRUE if something else takes the place of the match. */
static gboolean
add_replacement (Matcher *self, luaL_Buffer *buffer, const char *s, const char *end)
{
  lua_State *L = self->L;
  int type = lua_type (L, 3);

  if (type == LUA_TFUNCTION)
    {
      lua_pushvalue (L, 3);
      lua_call (L, push_captures (self, s, end), 1);
    }
  else if (type == LUA_TTABLE)
    {
      push_capture (self, 0, s, end);
      lua_gettable (L, 3);
    }
  else
    {
      add_string (self, buffer, s, end);
      return TRUE;
    }

  if (!lua_toboolean (L, -1))
    {
      lua_pop (L, 1);
      luaL_addlstring (buffer, s, end - s);
      return FALSE;
    }
  if (!lua_isstring (L, -1))
    luaL_error (L, "invalid replacement value (a %s)", luaL_typename (L, -1));
  luaL_addvalue (buffer);
  return TRUE;
}

static int
string_gsub (lua_State *L)
{
  gsize n_text, n_pattern;
  const char *text = luaL_checklstring (L, 1, &n_text);
  const char *pattern = luaL_checklstring (L, 2, &n_pattern);
  lua_Integer n_max = luaL_optinteger (L, 4, (lua_Integer) n_text + 1);
  gboolean is_anchored = n_pattern > 0 && *pattern == '^';
  Matcher matcher = make_matcher (L, text, n_text, pattern, n_pattern);
  const char *s = text, *last = NULL;
  int type = lua_type (L, 3);
  lua_Integer n = 0;
  luaL_Buffer buffer;

  luaL_argexpected (
      L, type == LUA_TNUMBER || type == LUA_TSTRING || type == LUA_TFUNCTION || type == LUA_TTABLE,
      3, "string/function/table");
  luaL_buffinit (L, &buffer);
  while (n < n_max)
    {
      const char *end = match_from (&matcher, s, pattern + is_anchored);

      if (end != NULL && end != last)
        {
          n++;
          add_replacement (&matcher, &buffer, s, end);
          s = last = end;
        }
      else if (s < matcher.text_end)
        luaL_addchar (&buffer, *s++);
      else
        break;
      if (is_anchored)
        break;
    }
  luaL_addlstring (&buffer, s, matcher.text_end - s);
  luaL_pushresult (&buffer);
  lua_pushinteger (L, n);
  return 2;
}

/* --- rep ----------------------------------------------------------------------------------- */

/* A part of a string between two looks whether to stop. */
#define MAX_PART_BYTES (1 << 20)

/* By doubling: Lua's own counts to n even if there is nothing to repeat. */
static int
string_rep (lua_State *L)
{
  gsize n_text, n_separator, total, done, part;
  const char *text = luaL_checklstring (L, 1, &n_text);
  lua_Integer n = luaL_checkinteger (L, 2);
  const char *separator = luaL_optlstring (L, 3, "", &n_separator);
  gsize n_unit = n_text + n_separator;
  luaL_Buffer buffer;
  char *to;

  if (n <= 0 || n_unit == 0)
    {
      lua_pushliteral (L, "");
      return 1;
    }
  if ((lua_Unsigned) n > (lua_Unsigned) (G_MAXINT / n_unit))
    return luaL_error (L, "resulting string too large");

  goban_lua_check_stop (L); /* a hook comes after many such calls only */
  total = n_unit * (gsize) n - n_separator;
  to = luaL_buffinitsize (L, &buffer, total);
  memcpy (to, text, n_text);
  if (n > 1)
    memcpy (to + n_text, separator, n_separator);
  for (done = part = MIN (n_unit, total); done < total; done += part)
    {
      goban_lua_check_stop (L);
      part = MIN (part < MAX_PART_BYTES ? done : part, total - done);
      memcpy (to + done, to, part);
    }
  luaL_pushresultsize (&buffer, total);
  return 1;
}

static const luaL_Reg functions[] = {
  { "find", string_find },   { "gmatch", string_gmatch }, { "gsub", string_gsub },
  { "match", string_match }, { "rep", string_rep },       { NULL, NULL },
};

void
goban_lua_open_patterns (lua_State *L)
{
  lua_getglobal (L, LUA_STRLIBNAME);
  luaL_setfuncs (L, functions, 0);
  lua_pop (L, 1);
}
