#include "tests/draw/draw-golden.h"

#include "tests/support/shared-data.h"

#include <string.h>

static gboolean
is_updating (void)
{
  return g_getenv ("GOBAN_GOLDEN_UPDATE") != NULL;
}

static char *
golden_path (const char *name, const char *ending)
{
  g_autofree char *relative = g_strconcat ("tests/golden/", name, ending, NULL);

  return project_path (relative);
}

guint32
draw_pixel (cairo_surface_t *surface, int x, int y)
{
  const guint8 *row = cairo_image_surface_get_data (surface)
                      + (gsize) y * cairo_image_surface_get_stride (surface);

  return ((const guint32 *) (gconstpointer) row)[x] & 0xffffff;
}

guint
draw_count_pixels (cairo_surface_t *surface, guint32 rgb)
{
  guint n = 0;

  cairo_surface_flush (surface);
  for (int y = 0; y < cairo_image_surface_get_height (surface); y++)
    for (int x = 0; x < cairo_image_surface_get_width (surface); x++)
      n += draw_pixel (surface, x, y) == rgb;
  return n;
}

gboolean
draw_images_equal (cairo_surface_t *a, cairo_surface_t *b)
{
  if (cairo_image_surface_get_width (a) != cairo_image_surface_get_width (b)
      || cairo_image_surface_get_height (a) != cairo_image_surface_get_height (b))
    return FALSE;
  cairo_surface_flush (a);
  cairo_surface_flush (b);
  for (int y = 0; y < cairo_image_surface_get_height (a); y++)
    for (int x = 0; x < cairo_image_surface_get_width (a); x++)
      if (draw_pixel (a, x, y) != draw_pixel (b, x, y))
        return FALSE;
  return TRUE;
}

void
draw_golden_check_image (cairo_surface_t *surface, const char *name)
{
  g_autofree char *path = golden_path (name, ".png");
  cairo_surface_t *golden;
  gboolean equal;

  if (is_updating ())
    {
      g_assert_cmpint (cairo_surface_write_to_png (surface, path), ==, CAIRO_STATUS_SUCCESS);
      return;
    }
  golden = cairo_image_surface_create_from_png (path);
  equal = cairo_surface_status (golden) == CAIRO_STATUS_SUCCESS
          && draw_images_equal (surface, golden);
  cairo_surface_destroy (golden);
  if (!equal)
    {
      g_autofree char *out = g_strconcat (name, ".out.png", NULL);

      cairo_surface_write_to_png (surface, out);
      g_test_message ("%s differs; see %s", path, out);
    }
  g_assert_true (equal);
}

void
draw_golden_check_text (const char *text, const char *name)
{
  g_autofree char *path = golden_path (name, ".txt");
  g_autofree char *golden = NULL;

  if (is_updating ())
    {
      g_assert_true (g_file_set_contents (path, text, -1, NULL));
      return;
    }
  g_assert_true (g_file_get_contents (path, &golden, NULL, NULL));
  if (!g_str_equal (text, golden))
    {
      g_autofree char *out = g_strconcat (name, ".out.txt", NULL);

      g_file_set_contents (out, text, -1, NULL);
    }
  g_assert_cmpstr (text, ==, golden);
}
