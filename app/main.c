/* goban: the window.
 *
 * Decision A3 (app/NOTES.md). Decision U45 (ui/NOTES.md).
 */
#include "app/application.h"
#include "engine/core/end-signal.h"
#include "engine/core/jobs/malloc-tuning.h"

/* Views paint with the processor; GL would only copy the pixels. Loading it takes 40 of the 200 ms
 * until the first picture and 60 MB, and without a graphics processor its renderer takes another
 * 120. A renderer chosen by the user is kept. */
static void
do_without_gl (void)
{
  gboolean is_old = gtk_check_version (4, 16, 0) != NULL;
  const char *renderer = g_getenv ("GSK_RENDERER");

  if (renderer != NULL && !g_str_equal (renderer, "cairo"))
    return;

  g_setenv ("GSK_RENDERER", "cairo", TRUE);
  g_setenv (is_old ? "GDK_DEBUG" : "GDK_DISABLE", is_old ? "gl-disable" : "gl,vulkan", FALSE);
}

int
main (int argc, char **argv)
{
  g_autoptr (GobanApplication) application = NULL;

  goban_malloc_tuning_begin ();
  goban_end_signal_begin ();
  do_without_gl ();
  g_set_prgname ("goban");
  g_set_application_name ("Goban");
  application = goban_application_new ();

  return g_application_run (G_APPLICATION (application), argc, argv);
}
