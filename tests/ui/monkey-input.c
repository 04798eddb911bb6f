#include "tests/ui/monkey-input.h"

#include <X11/Xatom.h>
#include <dlfcn.h>
#include <gdk/x11/gdkx.h>

#define N_BUTTONS 3

/* XTest's header is in a package that nothing else needs. */
typedef int (*FakeKeyFunc) (Display *display, unsigned int keycode, Bool is_press,
                            unsigned long delay);
typedef int (*FakeButtonFunc) (Display *display, unsigned int button, Bool is_press,
                               unsigned long delay);
typedef int (*FakeMotionFunc) (Display *display, int screen, int x, int y, unsigned long delay);

static struct
{
  Display *display;
  FakeKeyFunc press_key;
  FakeButtonFunc press_button;
  FakeMotionFunc move;
  unsigned char (*find_keycode) (Display *display, KeySym keysym);
  int (*flush) (Display *display);
  int (*translate) (Display *display, Window from, Window to, int x, int y, int *to_x, int *to_y,
                    Window *child);
  Window (*make_window) (Display *display, Window parent, int x, int y, unsigned int width,
                         unsigned int height, unsigned int border_width, unsigned long border,
                         unsigned long background);
  int (*set_property) (Display *display, Window window, Atom name, Atom type, int format, int mode,
                       const unsigned char *values, int n);
} input;

static const struct
{
  GdkModifierType modifier;
  guint keyval;
} modifier_keys[] = {
  { GDK_SHIFT_MASK, GDK_KEY_Shift_L },
  { GDK_CONTROL_MASK, GDK_KEY_Control_L },
  { GDK_ALT_MASK, GDK_KEY_Alt_L },
};

/* To GTK there is a window manager that moves windows. Without one GTK moves them by itself, as on
 * no desktop: off the screen, and on after they are destroyed. */
static void
pretend_manager (GdkDisplay *display)
{
  Atom check = gdk_x11_get_xatom_by_name_for_display (display, "_NET_SUPPORTING_WM_CHECK");
  Atom supported = gdk_x11_get_xatom_by_name_for_display (display, "_NET_SUPPORTED");
  Atom moves = gdk_x11_get_xatom_by_name_for_display (display, "_NET_WM_MOVERESIZE");
  Window root = gdk_x11_display_get_xrootwindow (display);
  Window manager = input.make_window (input.display, root, -1, -1, 1, 1, 0, 0, 0);
  const unsigned char *value = (const unsigned char *) &manager;

  input.set_property (input.display, root, check, XA_WINDOW, 32, PropModeReplace, value, 1);
  input.set_property (input.display, manager, check, XA_WINDOW, 32, PropModeReplace, value, 1);
  input.set_property (input.display, root, supported, XA_ATOM, 32, PropModeReplace,
                      (const unsigned char *) &moves, 1);
}

gboolean
monkey_input_begin (void)
{
  GdkDisplay *display = gdk_display_get_default ();
  void *xtest = dlopen ("libXtst.so.6", RTLD_NOW);
  void *xlib = dlopen ("libX11.so.6", RTLD_NOW);

  if (xtest == NULL || xlib == NULL || !GDK_IS_X11_DISPLAY (display))
    return FALSE;
  input.display = gdk_x11_display_get_xdisplay (display);
  *(void **) &input.press_key = dlsym (xtest, "XTestFakeKeyEvent");
  *(void **) &input.press_button = dlsym (xtest, "XTestFakeButtonEvent");
  *(void **) &input.move = dlsym (xtest, "XTestFakeMotionEvent");
  *(void **) &input.find_keycode = dlsym (xlib, "XKeysymToKeycode");
  *(void **) &input.flush = dlsym (xlib, "XFlush");
  *(void **) &input.translate = dlsym (xlib, "XTranslateCoordinates");
  *(void **) &input.make_window = dlsym (xlib, "XCreateSimpleWindow");
  *(void **) &input.set_property = dlsym (xlib, "XChangeProperty");
  if (input.press_key == NULL || input.press_button == NULL || input.move == NULL)
    return FALSE;
  pretend_manager (display);
  return TRUE;
}

static void
press_modifiers (GdkModifierType modifiers, gboolean is_down)
{
  for (gsize i = 0; i < G_N_ELEMENTS (modifier_keys); i++)
    if ((modifiers & modifier_keys[i].modifier) != 0)
      input.press_key (input.display, input.find_keycode (input.display, modifier_keys[i].keyval),
                       is_down, 0);
}

void
monkey_press_key (guint keyval, GdkModifierType modifiers)
{
  unsigned int keycode = input.find_keycode (input.display, keyval);

  if (keycode == 0)
    return;
  press_modifiers (modifiers, TRUE);
  input.press_key (input.display, keycode, TRUE, 0);
  input.press_key (input.display, keycode, FALSE, 0);
  press_modifiers (modifiers, FALSE);
  input.flush (input.display);
}

void
monkey_move_pointer (int x, int y)
{
  input.move (input.display, -1, x, y, 0);
  input.flush (input.display);
}

void
monkey_press_button (guint button, gboolean is_down)
{
  input.press_button (input.display, button, is_down, 0);
  input.flush (input.display);
}

void
monkey_release_all (void)
{
  for (guint button = 1; button <= N_BUTTONS; button++)
    input.press_button (input.display, button, FALSE, 0);
  press_modifiers (GDK_SHIFT_MASK | GDK_CONTROL_MASK | GDK_ALT_MASK, FALSE);
  input.flush (input.display);
}

gboolean
monkey_locate (GtkWidget *widget, int *x, int *y)
{
  GtkNative *native = gtk_widget_get_native (widget);
  graphene_point_t middle = GRAPHENE_POINT_INIT (gtk_widget_get_width (widget) / 2.0F,
                                                 gtk_widget_get_height (widget) / 2.0F);
  graphene_point_t at;
  double dx, dy;
  Window window, child;

  if (native == NULL || !gtk_widget_get_mapped (widget)
      || !gtk_widget_compute_point (widget, GTK_WIDGET (native), &middle, &at))
    return FALSE;
  gtk_native_get_surface_transform (native, &dx, &dy);
  window = gdk_x11_surface_get_xid (gtk_native_get_surface (native));
  return input.translate (input.display, window,
                          gdk_x11_display_get_xrootwindow (gdk_display_get_default ()),
                          (int) ((double) at.x + dx), (int) ((double) at.y + dy), x, y, &child);
}
