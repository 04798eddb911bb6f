#include "engine/machine/plan/refusal.h"

const char *
goban_refusal_get_name (guint bit)
{
  static const char *const names[] = { "cannot run", "group", "memory", "rule" };

  G_STATIC_ASSERT (G_N_ELEMENTS (names) == GOBAN_N_REFUSALS);
  g_return_val_if_fail (bit < GOBAN_N_REFUSALS, NULL);
  return names[bit];
}

char *
goban_refusals_describe (guint refusals)
{
  GString *text = g_string_new (NULL);

  for (guint bit = 0; bit < GOBAN_N_REFUSALS; bit++)
    if ((refusals & 1u << bit) != 0)
      g_string_append_printf (text, "%s%s", text->len > 0 ? ", " : "",
                              goban_refusal_get_name (bit));
  return g_string_free (text, FALSE);
}
