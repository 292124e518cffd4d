/**
 * @file main.cpp
 *
 * The test is that this program builds: see CMakeLists.txt.
 */
int main()
{
  return 0;
}
