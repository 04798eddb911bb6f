/* glossary-window.h: window of the glossary: all terms with their definitions, and a search, which
 * shows those with a matching term first.
 */
#pragma once

#include "ui/widgets/search-window.h"

/* A GobanSearchWindow. */
GtkWidget *goban_glossary_window_new (GtkWindow *parent) G_GNUC_WARN_UNUSED_RESULT;
