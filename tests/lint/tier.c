/* A program of nothing but one tier of the engine and those below it, all of which it links. */
int
main (void)
{
  return 0;
}
