/* query.c: a tokenizer, a parser by recursive descent, and a tree to walk per node. */
#include "engine/study/analysis/query.h"

#include "engine/core/error.h"
#include "engine/core/i18n.h"
#include "engine/core/quantity.h"

#include <math.h>
#include <string.h>

/* Parentheses and "not" nest on the C stack, so their depth is limited. */
#define MAX_DEPTH 200
/* So does a chain of "and" or "or", when it is walked. */
#define MAX_TERMS 2000
/* Between two questions whether to stop. */
#define NODES_A_STEP 4096

typedef enum
{
  TERM_ALL,
  TERM_AND,
  TERM_OR,
  TERM_NOT,
  TERM_COMPARE,
  TERM_CONTAINS,
  TERM_FINDS,
} TermKind;

typedef enum
{
  OP_EQUAL,
  OP_UNEQUAL,
  OP_LESS,
  OP_LESS_EQUAL,
  OP_MORE,
  OP_MORE_EQUAL,
  OP_LIKE,
  OP_UNLIKE,
} Op;

/* Longer words first, so that "<=" is not read as "<". */
static const struct
{
  const char *text;
  Op op;
} operators[] = {
  { "==", OP_EQUAL },      { "!=", OP_UNEQUAL }, { "~=", OP_UNEQUAL }, { "<=", OP_LESS_EQUAL },
  { ">=", OP_MORE_EQUAL }, { "!~", OP_UNLIKE },  { "=", OP_EQUAL },    { "<", OP_LESS },
  { ">", OP_MORE },        { "~", OP_LIKE },
};

typedef struct _Term Term;

struct _Term
{
  TermKind kind;
  Op op;
  const GobanNodeField *field;
  char *text;
  GRegex *regex;
  double number;
  Term *left;
  Term *right;
};

struct _GobanQuery
{
  Term *root;
  const char *needs_run;
};

static void
term_free (Term *term)
{
  if (term == NULL)
    return;

  term_free (term->left);
  term_free (term->right);
  g_free (term->text);
  g_clear_pointer (&term->regex, g_regex_unref);
  g_free (term);
}

static Term *
term_new (TermKind kind, Term *left, Term *right)
{
  Term *term = g_new0 (Term, 1);

  term->kind = kind;
  term->left = left;
  term->right = right;
  return term;
}

/* --- tokens ------------------------------------------------------------------------------- */

typedef enum
{
  TOKEN_END,
  TOKEN_WORD,
  TOKEN_STRING,
  TOKEN_OPERATOR,
  TOKEN_PATTERN, /* /regular expression/ */
  TOKEN_OPEN,
  TOKEN_CLOSE,
} TokenKind;

typedef struct
{
  const char *text;
  const char *at; /* behind the current token */
  guint depth;
  guint n_terms;
  gboolean is_plain; /* the next character is literal: a slash is a letter */
  GError **error;

  TokenKind kind;
  const char *start;
  Op op;
  gboolean is_caseless;
  /* owned: the word, or the string without its quotes, the pattern without its slashes */
  char *word;
} Parser;

static gboolean fail (Parser *self, const char *format, ...) G_GNUC_PRINTF (2, 3);

static gboolean
fail (Parser *self, const char *format, ...)
{
  g_autofree char *message = NULL;
  glong column = g_utf8_pointer_to_offset (self->text, self->start) + 1;
  va_list args;

  va_start (args, format);
  message = g_strdup_vprintf (format, args);
  va_end (args);
  return goban_refuse (self->error, GOBAN_ERROR_PARSE, "query, column %ld: %s", column, message);
}

static gboolean
is_word_char (char c)
{
  return c != '\0' && strchr (" \t\r\n()'\"=<>~!", c) == NULL;
}

static gboolean
read_string (Parser *self)
{
  const char *end = strchr (self->start + 1, *self->start);

  if (end == NULL)
    return fail (self, _ ("the string is not closed"));

  self->kind = TOKEN_STRING;
  self->word = g_strndup (self->start + 1, end - self->start - 1);
  self->at = end + 1;
  return TRUE;
}

/* Position behind the slash that closes a pattern, and its "i"; NULL if none does. A word must end
 * there, because names contain slashes too. */
static const char *
find_pattern_end (const char *start, gboolean *is_caseless)
{
  for (const char *at = start + 1; *at != '\0'; at++)
    {
      const char *end = at + 1;

      if (*at == '\\' && at[1] != '\0')
        at++;
      else if (*at == '/' && at > start + 1)
        {
          *is_caseless = *end == 'i';
          end += *is_caseless;
          if (*end == '\0' || strchr (" \t\r\n)", *end) != NULL)
            return end;
        }
    }

  return NULL;
}

static gboolean
read_pattern (Parser *self, const char *end)
{
  self->kind = TOKEN_PATTERN;
  self->word = g_strndup (self->start + 1, end - self->start - 2 - self->is_caseless);
  self->at = end;
  return TRUE;
}

static gboolean
advance (Parser *self)
{
  const char *pattern_end;

  g_clear_pointer (&self->word, g_free);
  self->at += strspn (self->at, " \t\r\n");
  self->start = self->at;

  if (*self->at == '\0')
    {
      self->kind = TOKEN_END;
      return TRUE;
    }
  if (*self->at == '(' || *self->at == ')')
    {
      self->kind = *self->at++ == '(' ? TOKEN_OPEN : TOKEN_CLOSE;
      return TRUE;
    }
  if (*self->at == '\'' || *self->at == '"')
    return read_string (self);
  if (*self->at == '/' && !self->is_plain)
    {
      pattern_end = find_pattern_end (self->at, &self->is_caseless);
      if (pattern_end != NULL)
        return read_pattern (self, pattern_end);
    }

  for (gsize i = 0; i < G_N_ELEMENTS (operators); i++)
    if (g_str_has_prefix (self->at, operators[i].text))
      {
        self->kind = TOKEN_OPERATOR;
        self->op = operators[i].op;
        self->at += strlen (operators[i].text);
        return TRUE;
      }

  if (!is_word_char (*self->at))
    return fail (self, _ ("'%c' means nothing here"), *self->at);

  while (is_word_char (*self->at))
    self->at++;
  self->kind = TOKEN_WORD;
  self->word = g_strndup (self->start, self->at - self->start);
  return TRUE;
}

static gboolean
is_keyword (const Parser *self, const char *keyword)
{
  return self->kind == TOKEN_WORD && g_ascii_strcasecmp (self->word, keyword) == 0;
}

/* --- the grammar ------------------------------------------------------------------------------ */

static Term *parse_or (Parser *self);

static gboolean
set_number (Parser *self, Term *term)
{
  g_autoptr (GError) error = NULL;
  gboolean is_time = term->field->kind == GOBAN_FIELD_TIME;

  if (goban_parse_number (self->word, &term->number))
    {
      if (is_time && term->number != 0)
        return fail (self, _ ("%s %s: a time needs a unit: %sus, %sms or %ss"), term->field->name,
                     self->word, self->word, self->word, self->word);
      return TRUE;
    }

  if (is_time && goban_parse_time (self->word, &term->number, &error))
    return TRUE;
  if (term->field->kind == GOBAN_FIELD_BYTES
      && goban_parse_bytes (self->word, &term->number, &error))
    return TRUE;

  return fail (self, _ ("%s is compared with a number, but “%s” is not a number"),
               term->field->name, self->word);
}

static gboolean
set_regex (Parser *self, Term *term)
{
  g_autoptr (GError) error = NULL;
  gboolean is_caseless = self->kind == TOKEN_PATTERN && self->is_caseless;

  term->regex = g_regex_new (self->word, G_REGEX_OPTIMIZE | (is_caseless ? G_REGEX_CASELESS : 0), 0,
                             &error);
  return term->regex != NULL
         || fail (self, _ ("“%s” is not a valid regular expression: %s"), self->word,
                  error->message);
}

static gboolean
set_value (Parser *self, Term *term)
{
  if (self->kind != TOKEN_WORD && self->kind != TOKEN_STRING && self->kind != TOKEN_PATTERN)
    return fail (self, _ ("%s is compared with nothing"), term->field->name);
  if (term->field->kind != GOBAN_FIELD_TEXT)
    {
      if (term->op == OP_LIKE || term->op == OP_UNLIKE)
        return fail (self, _ ("%s is a number; ~ searches text"), term->field->name);
      return set_number (self, term);
    }

  if ((term->op == OP_LIKE || term->op == OP_UNLIKE) && !set_regex (self, term))
    return FALSE;
  term->text = g_strdup (self->word);
  return TRUE;
}

/* Reads the right-hand side of a comparison. */
static gboolean
advance_to_value (Parser *self, Op op)
{
  gboolean is_read;

  self->is_plain = op != OP_LIKE && op != OP_UNLIKE;
  is_read = advance (self);
  self->is_plain = FALSE;
  return is_read;
}

/* The field's name is in @word, the operator is the current token. (transfer full) (nullable) */
static Term *
parse_comparison (Parser *self, const char *word, const char *start)
{
  g_autoptr (GError) error = NULL;
  const GobanNodeField *field = goban_node_field_find (word, &error);
  Term *term;

  if (field == NULL)
    {
      self->start = start;
      fail (self, "%s", error->message);
      return NULL;
    }

  term = term_new (TERM_COMPARE, NULL, NULL);
  term->field = field;
  term->op = self->op;
  if (advance_to_value (self, term->op) && set_value (self, term) && advance (self))
    return term;

  term_free (term);
  return NULL;
}

/* "~ conv", "!~ 'a b'" or "/conv/" without a field. (transfer full) (nullable) */
static Term *
parse_pattern (Parser *self)
{
  gboolean is_bare = self->kind == TOKEN_PATTERN;
  Term *term = term_new (TERM_FINDS, NULL, NULL);

  term->op = is_bare ? OP_LIKE : self->op;
  if ((is_bare || advance_to_value (self, term->op))
      && (self->kind == TOKEN_WORD || self->kind == TOKEN_STRING || self->kind == TOKEN_PATTERN
          || fail (self, _ ("a regular expression is missing: a word, or write it /so/")))
      && set_regex (self, term) && advance (self))
    return term;

  term_free (term);
  return NULL;
}

static gboolean
close_parenthesis (Parser *self)
{
  return self->kind == TOKEN_CLOSE ? advance (self) : fail (self, _ ("a ) is missing"));
}

static Term *
parse_primary (Parser *self)
{
  g_autofree char *word = NULL;
  const char *start = self->start;
  gboolean is_word = self->kind == TOKEN_WORD;
  Term *term;

  if (self->kind == TOKEN_OPEN)
    {
      if (!advance (self))
        return NULL;
      term = parse_or (self);
      if (term != NULL && !close_parenthesis (self))
        g_clear_pointer (&term, term_free);
      return term;
    }

  if (self->kind == TOKEN_PATTERN
      || (self->kind == TOKEN_OPERATOR && (self->op == OP_LIKE || self->op == OP_UNLIKE)))
    return parse_pattern (self);

  if ((!is_word && self->kind != TOKEN_STRING) || is_keyword (self, "and")
      || is_keyword (self, "or"))
    {
      fail (self, _ ("a field, a word or a ( is missing"));
      return NULL;
    }

  word = g_steal_pointer (&self->word);
  if (!advance (self))
    return NULL;
  if (is_word && self->kind == TOKEN_OPERATOR)
    return parse_comparison (self, word, start);

  term = term_new (TERM_CONTAINS, NULL, NULL);
  term->text = g_utf8_casefold (word, -1); /* unlike g_utf8_strdown() the same in Turkish */
  return term;
}

static Term *
parse_not (Parser *self)
{
  Term *term;

  if (self->depth >= MAX_DEPTH || self->n_terms++ >= MAX_TERMS)
    {
      fail (self, _ ("the query is too long or nested too deeply"));
      return NULL;
    }

  self->depth++;
  if (!is_keyword (self, "not"))
    term = parse_primary (self);
  else
    {
      term = advance (self) ? parse_not (self) : NULL;
      if (term != NULL)
        term = term_new (TERM_NOT, term, NULL);
    }
  self->depth--;
  return term;
}

/* Operands of one level of precedence, bound to the left. */
static Term *
parse_chain (Parser *self, const char *keyword, TermKind kind, Term *(*operand) (Parser *) )
{
  Term *term = operand (self);

  while (term != NULL && is_keyword (self, keyword))
    {
      Term *right = advance (self) ? operand (self) : NULL;

      if (right == NULL)
        g_clear_pointer (&term, term_free);
      else
        term = term_new (kind, term, right);
    }

  return term;
}

static Term *
parse_and (Parser *self)
{
  return parse_chain (self, "and", TERM_AND, parse_not);
}

static Term *
parse_or (Parser *self)
{
  return parse_chain (self, "or", TERM_OR, parse_and);
}

static const char *
find_run_field (const Term *term)
{
  const char *found;

  if (term == NULL)
    return NULL;
  if (term->kind == TERM_COMPARE)
    return term->field->needs_run ? term->field->name : NULL;

  found = find_run_field (term->left);
  return found != NULL ? found : find_run_field (term->right);
}

GobanQuery *
goban_query_new (const char *text, GError **error)
{
  Parser parser = { .text = text, .at = text, .error = error };
  Term *root = NULL;
  GobanQuery *self;

  g_return_val_if_fail (text != NULL, NULL);

  if (!g_utf8_validate (text, -1, NULL))
    {
      goban_set_error (error, GOBAN_ERROR_PARSE, "the query is not UTF-8 text");
      return NULL;
    }
  if (advance (&parser))
    root = parser.kind == TOKEN_END ? term_new (TERM_ALL, NULL, NULL) : parse_or (&parser);
  if (root != NULL && parser.kind != TOKEN_END)
    {
      fail (&parser, "'and' or 'or' is missing before this");
      g_clear_pointer (&root, term_free);
    }

  g_free (parser.word);
  if (root == NULL)
    return NULL;

  self = g_new0 (GobanQuery, 1);
  self->root = root;
  self->needs_run = find_run_field (root);
  return self;
}

/* The operator at the beginning of *text, which then points to the value; -1 without one. */
static int
skip_operator (const char **text)
{
  while (g_ascii_isspace (**text))
    (*text)++;
  for (gsize i = 0; i < G_N_ELEMENTS (operators); i++)
    if (g_str_has_prefix (*text, operators[i].text))
      {
        *text += strlen (operators[i].text);
        return (int) operators[i].op;
      }
  return -1;
}

gboolean
goban_query_is_comparison (const char *text)
{
  return skip_operator (&text) >= 0;
}

GobanQuery *
goban_query_new_comparison (const GobanNodeField *field, const char *text, GError **error)
{
  Parser parser = { .text = text, .at = text, .start = text, .error = error };
  int op = skip_operator (&parser.at);
  Term *term = term_new (TERM_COMPARE, NULL, NULL);
  gboolean is_read = TRUE;
  GobanQuery *self;

  term->field = field;
  term->op = op >= 0 ? (Op) op : OP_EQUAL;
  while (g_ascii_isspace (*parser.at))
    parser.at++;
  parser.start = parser.at;
  if (*parser.at == '\0' || strchr ("'\"/", *parser.at) != NULL)
    is_read = advance_to_value (&parser, term->op);
  else
    {
      parser.kind = TOKEN_STRING;
      parser.word = g_strchomp (g_strdup (parser.at));
      parser.at += strlen (parser.at);
    }
  is_read = is_read && set_value (&parser, term);
  if (is_read && *parser.at != '\0')
    {
      is_read = advance (&parser)
                && (parser.kind == TOKEN_END || fail (&parser, "one comparison is expected"));
    }
  g_free (parser.word);
  if (!is_read)
    {
      term_free (term);
      return NULL;
    }
  self = g_new0 (GobanQuery, 1);
  self->root = term;
  self->needs_run = find_run_field (term);
  return self;
}

void
goban_query_free (GobanQuery *self)
{
  if (self == NULL)
    return;

  term_free (self->root);
  g_free (self);
}

/* --- asking --------------------------------------------------------------------------------- */

const char *
goban_query_needs_run (const GobanQuery *self)
{
  return self->needs_run;
}

static gboolean
compare (Op op, int order)
{
  switch (op)
    {
    case OP_EQUAL:
      return order == 0;
    case OP_UNEQUAL:
      return order != 0;
    case OP_LESS:
      return order < 0;
    case OP_LESS_EQUAL:
      return order <= 0;
    case OP_MORE:
      return order > 0;
    case OP_MORE_EQUAL:
      return order >= 0;
    case OP_LIKE:
    case OP_UNLIKE:
      break;
    }

  g_assert_not_reached ();
}

static gboolean
compare_field (const Term *term, const GobanNodeContext *context, GobanNodeId node)
{
  gboolean is_negative = term->op == OP_UNEQUAL || term->op == OP_UNLIKE;

  if (term->field->kind == GOBAN_FIELD_TEXT)
    {
      const char *text = term->field->text (context, node);

      if (text == NULL)
        return is_negative;
      if (term->regex != NULL)
        return g_regex_match (term->regex, text, 0, NULL) == (term->op == OP_LIKE);
      return compare (term->op, strcmp (text, term->text));
    }

  double number = term->field->number (context, node);

  if (isnan (number))
    return is_negative;
  return compare (term->op, (number > term->number) - (number < term->number));
}

/* As strstr(), of ASCII text whatever its case: 84,000 names are searched at every key that is
 * pressed. */
static gboolean
contains_ascii (const char *text, const char *lower)
{
  for (; *text != '\0'; text++)
    {
      gsize n = 0;

      while (lower[n] != '\0' && g_ascii_tolower (text[n]) == lower[n])
        n++;
      if (lower[n] == '\0')
        return TRUE;
    }

  return *lower == '\0';
}

static gboolean
contains (const char *text, const char *lower)
{
  g_autofree char *folded = NULL;

  if (g_str_is_ascii (text))
    return contains_ascii (text, lower);

  folded = g_utf8_casefold (text, -1);
  return strstr (folded, lower) != NULL;
}

static gboolean
finds (const Term *term, const GobanNode *node)
{
  gboolean is_found = g_regex_match (term->regex, node->name, 0, NULL)
                      || g_regex_match (term->regex, node->op, 0, NULL);

  return is_found == (term->op == OP_LIKE);
}

static gboolean
term_matches (const Term *term, const GobanNodeContext *context, GobanNodeId node)
{
  const GobanNode *data;

  switch (term->kind)
    {
    case TERM_ALL:
      return TRUE;
    case TERM_AND:
      return term_matches (term->left, context, node) && term_matches (term->right, context, node);
    case TERM_OR:
      return term_matches (term->left, context, node) || term_matches (term->right, context, node);
    case TERM_NOT:
      return !term_matches (term->left, context, node);
    case TERM_COMPARE:
      return compare_field (term, context, node);
    case TERM_CONTAINS:
      data = goban_graph_get_node (goban_cost_model_get_graph (context->costs), node);
      return contains (data->name, term->text) || contains (data->op, term->text);
    case TERM_FINDS:
      return finds (term, goban_graph_get_node (goban_cost_model_get_graph (context->costs), node));
    }

  g_assert_not_reached ();
}

gboolean
goban_query_matches (const GobanQuery *self, const GobanNodeContext *context, GobanNodeId node)
{
  return term_matches (self->root, context, node);
}

GobanSelection *
goban_query_search (const GobanQuery *self, const GobanNodeContext *context,
                    const GobanProgress *progress, GError **error)
{
  guint n_nodes = goban_graph_get_n_nodes (goban_cost_model_get_graph (context->costs));
  g_autoptr (GArray) ids = g_array_new (FALSE, FALSE, sizeof (GobanNodeId));

  for (GobanNodeId v = 0; v < n_nodes; v++)
    {
      if (v % NODES_A_STEP == 0 && !goban_progress_check (progress, error))
        return NULL;
      if (goban_query_matches (self, context, v))
        g_array_append_val (ids, v);
    }

  return goban_selection_new ((const GobanNodeId *) (const void *) ids->data, ids->len);
}

GobanSelection *
goban_query_select (const GobanQuery *self, const GobanNodeContext *context)
{
  return goban_query_search (self, context, NULL, NULL); /* cannot be cancelled */
}
