/* fake-evaluator.h: an evaluator that speaks no language, for the console's tests.
 *
 * "echo X" prints X and has the value X; "fail X" fails with X; "wait" runs until it is
 * interrupted; what ends in "do" wants another line. Knows the words apple, apply and banana.
 */
#pragma once

#include "ui/console/console-evaluator.h"

#define FAKE_TYPE_EVALUATOR (fake_evaluator_get_type ())
G_DECLARE_FINAL_TYPE (FakeEvaluator, fake_evaluator, FAKE, EVALUATOR, GObject)

GobanConsoleEvaluator *fake_evaluator_new (void);
