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

int
main (int argc, char **argv)
{
  g_autoptr (GobanApplication) application = NULL;

  keep_large_blocks ();
  g_set_prgname ("goban");
  g_set_application_name ("Goban");
  application = goban_application_new ();

  return g_application_run (G_APPLICATION (application), argc, argv);
}
