/* template.h: widget templates: the .ui files beside the sources, and their common parts.
 *
 * A .ui file has the name of its source, is listed in ui/ui.gresource.xml, and describes all of a
 * widget that does not depend on data. In it, two things are short:
 *
 * - A button with the action of a command ("win.fit") gets the command's tooltip unless it has one,
 *   and without a label the command's description as its accessible name.
 * - In a grid of the class "form", each label begins a row. Its mnemonic widget is at the right in
 *   the same row, and is named by it; without one it is as wide as the form.
 *
 * Decision U57 (ui/NOTES.md).
 */
#pragma once

#include <gtk/gtk.h>

/* For class_init: @file is relative to ui/, "frame/header.ui". */
void goban_template_set (GtkWidgetClass *klass, const char *file);

/* For class_init: binds the child @id to @field of @type, which may be of a part: pipeline.file. */
#define GOBAN_TEMPLATE_BIND(klass, type, id, field)                                                \
  gtk_widget_class_bind_template_child_full ((klass), (id), FALSE, G_STRUCT_OFFSET (type, field))

/* For init, instead of gtk_widget_init_template(). */
void goban_template_init (GtkWidget *self);

/* For widgets without a class: the widget @id of @file, with its children. (transfer full) */
GtkBuilder *goban_template_load (const char *file, const char *id) G_GNUC_WARN_UNUSED_RESULT;
/* Borrowed; aborts if there is none of this id. */
GtkWidget *goban_template_get (GtkBuilder *builder, const char *id);
/* The same, and frees the builder, which has kept the widget alive. (transfer floating) */
GtkWidget *goban_template_take (GtkBuilder *builder, const char *id) G_GNUC_WARN_UNUSED_RESULT;

/* For dispose of a class that is derived from GtkWidget itself. The bound children live as long as
 * @self. */
void goban_template_dispose (GtkWidget *self);
