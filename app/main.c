/* goban: the window. */
#include "app/application.h"
#include "engine/session/heap.h"

/* Our pictures are made of pixels, not by a graphics processor, so OpenGL would only carry them to the screen; where there is no
 * such processor, it would also load a compiler and fill 60 MB more before the first window, and 180 MB with its own renderer. Whoever
 * says in the environment what to use has it. */
static void
choose_renderer (void)
{
  gboolean is_new = gtk_get_major_version () > 4 || gtk_get_minor_version () >= 16;

  if (g_getenv ("GDK_DEBUG") == NULL && g_getenv ("GDK_DISABLE") == NULL
      && g_getenv ("GSK_RENDERER") == NULL)
    {
      g_setenv ("GSK_RENDERER", "cairo", TRUE);
      g_setenv (is_new ? "GDK_DISABLE" : "GDK_DEBUG", is_new ? "gl,vulkan" : "gl-disable", TRUE);
    }
}

int
main (int argc, char **argv)
{
  g_autoptr (GobanApplication) application = NULL;

  goban_heap_begin ();
  choose_renderer ();
  g_set_prgname ("goban");
  g_set_application_name ("Goban");
  application = goban_application_new ();

  return g_application_run (G_APPLICATION (application), argc, argv);
}
