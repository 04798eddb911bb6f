/* glossary-window.h: window of the glossary: all terms with their definitions, and a search. */
#pragma once

#include <gtk/gtk.h>

#define GOBAN_TYPE_GLOSSARY_WINDOW (goban_glossary_window_get_type ())
G_DECLARE_FINAL_TYPE (GobanGlossaryWindow, goban_glossary_window, GOBAN, GLOSSARY_WINDOW, GtkWindow)

GtkWidget *goban_glossary_window_new (GtkWindow *parent) G_GNUC_WARN_UNUSED_RESULT;

/* Shows entries that contain @words, those with a matching term first; "" shows all. */
void goban_glossary_window_search (GobanGlossaryWindow *self, const char *words);
