/* Each experiment in its quick form, with a fraction of its evaluations: it ends and says what it
 * wrote. */
#include "tests/cli/cli-run.h"
#include "tests/support/shared-data.h"
#include "tests/support/test-program.h"

#include <string.h>

/* What stands in for policies that this build does not have. */
static const struct
{
  const char *policy;
  const char *other;
} others[]
    = { { "go-one", "local-search" }, { "go-zeroshot", "heft" }, { "go-finetune", "anneal" } };

/* "go=local-search,..." of those that are missing, or "". */
static char *
find_stand_ins (void)
{
  g_auto (CliResult) policies = cli_run ("policies", NULL);
  GString *list = g_string_new (NULL);

  for (gsize i = 0; i < G_N_ELEMENTS (others); i++)
    {
      g_autofree char *line = g_strdup_printf ("\n%s ", others[i].policy);

      if (strstr (policies.out, line) == NULL)
        g_string_append_printf (list, "%s%s=%s", list->len > 0 ? "," : "", others[i].policy,
                                others[i].other);
    }
  return g_string_free (list, FALSE);
}

static void
test_quick (gconstpointer data)
{
  g_autofree char *path = g_strdup_printf ("scripts/experiments/%s.lua", (const char *) data);
  g_autofree char *script = project_path (path);
  g_autofree char *folder = cli_temp (data);
  g_autofree char *csv = g_strdup_printf ("%s/%s.csv", folder, (const char *) data);
  g_autofree char *stand_ins = find_stand_ins ();
  g_auto (CliResult) result = cli_run ("run", script, "--quick", "--evals", "16", "--out", folder,
                                       "--stand-in", stand_ins, NULL);

  cli_assert (&result, 0);
  g_test_message ("%s", result.out);
  g_assert_nonnull (strstr (result.out, "\nquick form: "));
  g_assert_nonnull (strstr (result.out, "\nRNNLM, 4 steps "));
  g_assert_nonnull (strstr (result.out, "\nwritten: "));
  g_assert_nonnull (strstr (result.out, csv));
  /* By which rule ops ran is below the first table. */
  g_assert_nonnull (strstr (result.out, "\nOrder of ops: "));
}

/* Real graphs: what comes with the program is there, and its journal saves the second run. */
static void
test_real (void)
{
  g_autofree char *script = project_path ("scripts/experiments/real.lua");
  g_autofree char *folder = cli_temp ("real");
  g_autofree char *csv = g_strconcat (folder, "/real.csv", NULL);
  g_autofree char *first = NULL;
  g_autofree char *second = NULL;

  for (guint i = 0; i < 2; i++)
    {
      g_auto (CliResult) result = cli_run ("run", script, "--quick", "--evals", "6", "--data",
                                           folder, "--out", folder, NULL);

      cli_assert (&result, 0);
      g_test_message ("%s", result.out);
      g_assert_nonnull (strstr (result.out, "\nquick form: "));
      g_assert_nonnull (strstr (result.out, "\nproblems: 2, 2, 0; seeds: 2\n"));
      g_assert_nonnull (strstr (result.out, csv));
      g_assert_true (g_file_get_contents (csv, i == 0 ? &first : &second, NULL, NULL));
    }
  g_assert_cmpstr (first, ==, second);
  g_assert_nonnull (strstr (first, "equal:4,bandwidth=2.5GB/s"));
}

TEST_PROGRAM (experiments)
{
  static const char *const names[] = { "placement", "generalisation", "joint", "ablation" };

  cli_init (&argc, &argv);
  for (gsize i = 0; i < G_N_ELEMENTS (names); i++)
    {
      g_autofree char *name = g_strdup_printf ("/cli/experiments/%s", names[i]);

      g_test_add_data_func (name, names[i], test_quick);
    }
  g_test_add_func ("/cli/experiments/real", test_real);
  return cli_end ();
}
