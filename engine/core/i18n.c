#include "engine/core/i18n.h"

#include "engine/core/language.h"

#include <libintl.h>
#include <string.h>

#define DOMAIN "goban"

static gboolean is_enabled = FALSE;

void
goban_i18n_enable (const char *folder)
{
  if (folder != NULL)
    bindtextdomain (DOMAIN, folder);
  bind_textdomain_codeset (DOMAIN, "UTF-8");
  textdomain (DOMAIN);
  is_enabled = TRUE;
}

/* The empty text is the catalogue's own head. */
const char *
goban_i18n_get (const char *text)
{
  return is_enabled && *text != '\0' ? g_dgettext (DOMAIN, text) : text;
}

const char *
goban_i18n_get_plural (const char *one, const char *many, gulong n)
{
  if (is_enabled)
    return g_dngettext (DOMAIN, one, many, n);
  return n == 1 ? one : many;
}

const char *
goban_language_get (void)
{
  /* Translators: write the code of your language behind the colon, as in “language:de”. Lessons are
   * read from a folder of that name if there is one. */
  return _ ("language:en") + strlen ("language:");
}
