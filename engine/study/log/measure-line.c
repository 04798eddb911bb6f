#include "engine/study/log/measure-line.h"

#include "engine/core/lua-text.h"

static void
append_list (GString *code, const char *key, const GPtrArray *items)
{
  g_autofree char *list = NULL;

  if (items->len <= 1) /* the NULL at its end */
    return;
  list = g_strjoinv (", ", (char **) items->pdata);
  g_string_append_printf (code, ", %s = { %s }", key, list);
}

/* Quoted, and NULL at the end. (transfer full) */
static GPtrArray *
quote (const char *const *texts)
{
  GPtrArray *quoted = g_ptr_array_new_with_free_func (g_free);

  for (guint i = 0; texts != NULL && texts[i] != NULL; i++)
    g_ptr_array_add (quoted, goban_lua_text_quote (texts[i]));
  return quoted;
}

char *
goban_log_measure (const GobanMeasureWords *self)
{
  g_autofree char *model = goban_lua_text_quote (self->model);
  g_autoptr (GPtrArray) policies = quote (self->policies);
  g_autoptr (GPtrArray) plans = quote (self->plans);
  GString *code = g_string_new (NULL);

  g_string_printf (code, "assert(measure.run{ model = %s", model);
  for (guint i = 0; self->places != NULL && i < self->places->len; i++)
    g_ptr_array_insert (plans, (int) i,
                        g_strdup_printf ("%u", g_array_index (self->places, guint, i)));
  g_ptr_array_add (policies, NULL);
  g_ptr_array_add (plans, NULL);
  append_list (code, "policies", policies);
  append_list (code, "plans", plans);
  if (self->n_cores > 0)
    g_string_append_printf (code, ", cores = %u", self->n_cores);
  if (self->n_runs > 0)
    g_string_append_printf (code, ", runs = %u", self->n_runs);
  g_string_append (code, self->is_forced ? ", force = true }):show()" : " }):show()");
  return g_string_free (code, FALSE);
}
