#include "ui/shell/general-commands.h"

#include "ui/panels/shortcuts-window.h"

struct _GobanGeneralCommands
{
  GObject parent;

  GobanSite site;
  GobanCommandPalette *palette;
};

G_DEFINE_FINAL_TYPE (GobanGeneralCommands, goban_general_commands, G_TYPE_OBJECT)

static void
open_palette (GobanGeneralCommands *self, GVariant *parameter)
{
  goban_command_palette_open (self->palette, "");
}

static void
show_shortcuts (GobanGeneralCommands *self, GVariant *parameter)
{
  gtk_window_present (GTK_WINDOW (goban_shortcuts_window_new (GTK_WINDOW (self->site.window))));
}

static void
show_about (GobanGeneralCommands *self, GVariant *parameter)
{
  gtk_show_about_dialog (GTK_WINDOW (self->site.window), "program-name", "Goban", "version",
                         GOBAN_VERSION, "logo-icon-name", "org.goban.Goban", "comments",
                         "Placement and scheduling of neural networks on several devices",
                         "license-type", GTK_LICENSE_MIT_X11, NULL);
}

static void
close_window (GobanGeneralCommands *self, GVariant *parameter)
{
  gtk_window_close (GTK_WINDOW (self->site.window));
}

static void
quit (GobanGeneralCommands *self, GVariant *parameter)
{
  GtkApplication *application = gtk_window_get_application (GTK_WINDOW (self->site.window));
  GList *windows = application != NULL ? gtk_application_get_windows (application) : NULL;

  /* Closing, not quitting: each window remembers its size on the way. */
  while (windows != NULL)
    {
      GtkWindow *window = windows->data;

      windows = windows->next;
      gtk_window_close (window);
    }
}

static void
fullscreen_changed (GobanGeneralCommands *self, GVariant *state)
{
  if (g_variant_get_boolean (state))
    gtk_window_fullscreen (GTK_WINDOW (self->site.window));
  else
    gtk_window_unfullscreen (GTK_WINDOW (self->site.window));
}

static const GobanCommand commands[] = {
  { "palette", G_CALLBACK (open_palette) },
  { "shortcuts", G_CALLBACK (show_shortcuts) },
  { "about", G_CALLBACK (show_about) },
  { "close", G_CALLBACK (close_window) },
  { "quit", G_CALLBACK (quit) },
  { "fullscreen", G_CALLBACK (fullscreen_changed) },
};

/* --- construction and disposal --------------------------------------------------------------- */

static void
goban_general_commands_class_init (GobanGeneralCommandsClass *klass)
{
}

static void
goban_general_commands_init (GobanGeneralCommands *self)
{
}

GobanGeneralCommands *
goban_general_commands_new (const GobanSite *site, GobanCommandPalette *palette)
{
  GobanGeneralCommands *self = g_object_new (GOBAN_TYPE_GENERAL_COMMANDS, NULL);

  self->site = *site;
  self->palette = palette;
  goban_site_connect (site, commands, G_N_ELEMENTS (commands), self);
  return self;
}
