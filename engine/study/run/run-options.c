#include "engine/study/run/run-options.h"

static const char *
keep_text (GStringChunk *texts, const char *text)
{
  return text != NULL ? g_string_chunk_insert (texts, text) : NULL;
}

GobanRunOptions
goban_run_options_dup (const GobanRunOptions *options)
{
  GobanRunOptions copy = { 0 };

  if (options == NULL)
    return copy;
  copy = *options;
  copy.progress = NULL;
  copy.finish = NULL;
  copy.force = NULL;
  copy.expected = NULL;
  copy.feed = NULL;
  copy.texts = g_string_chunk_new (64);
  copy.network = keep_text (copy.texts, options->network);
  copy.settings = keep_text (copy.texts, options->settings);
  copy.expression = keep_text (copy.texts, options->expression);
  copy.name = keep_text (copy.texts, options->name);
  if (copy.start != NULL)
    goban_plan_ref (copy.start);
  if (copy.pinned != NULL)
    goban_selection_ref (copy.pinned);
  if (copy.pinned_by != NULL)
    goban_plan_ref (copy.pinned_by);
  if (copy.learning != NULL)
    goban_training_log_ref (copy.learning);
  return copy;
}

void
goban_run_options_clear (GobanRunOptions *self)
{
  g_clear_pointer (&self->texts, g_string_chunk_free);
  g_clear_pointer (&self->start, goban_plan_unref);
  g_clear_pointer (&self->pinned, goban_selection_unref);
  g_clear_pointer (&self->pinned_by, goban_plan_unref);
  g_clear_pointer (&self->learning, goban_training_log_unref);
  *self = (GobanRunOptions){ 0 };
}

GobanRunOptions *
goban_run_options_share (const GobanRunOptions *options)
{
  GobanRunOptions *self = g_atomic_rc_box_new0 (GobanRunOptions);
  GobanRunOptions own = *options;

  own.learning = NULL;
  *self = goban_run_options_dup (&own);
  return self;
}

void
goban_run_options_release (GobanRunOptions *self)
{
  g_atomic_rc_box_release_full (self, (GDestroyNotify) goban_run_options_clear);
}
