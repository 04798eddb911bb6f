/* goban: the window. */
#include "app/application.h"

#include <malloc.h>

/* GSK allocates and frees a surface of the window's size each frame: kept in the heap, that costs
 * nothing; returned to the system, its pages are faulted in anew, 40 % of a frame. */
static void
keep_large_blocks (void)
{
#ifdef __GLIBC__
  mallopt (M_MMAP_THRESHOLD, 1 << 30);
  mallopt (M_TRIM_THRESHOLD, 1 << 30);
  mallopt (M_TOP_PAD, 64 << 20);
#endif
}

/* Pictures are pixels that the processor makes, and GL would but carry them. Loading it takes 40 ms of the 200 until the
 * first picture. Newer versions of GTK choose well by themselves, and whoever has chosen a renderer knows why. */
static void
do_without_gl (void)
{
  const char *renderer = g_getenv ("GSK_RENDERER");

  if (gtk_check_version (4, 14, 0) != NULL && (renderer == NULL || g_str_equal (renderer, "cairo")))
    g_setenv ("GDK_DEBUG", "gl-disable", FALSE);
}

int
main (int argc, char **argv)
{
  g_autoptr (GobanApplication) application = NULL;

  keep_large_blocks ();
  do_without_gl ();
  g_set_prgname ("goban");
  g_set_application_name ("Goban");
  application = goban_application_new ();

  return g_application_run (G_APPLICATION (application), argc, argv);
}
