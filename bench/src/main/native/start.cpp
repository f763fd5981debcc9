// Ends at once: what it costs to start a program with libpmemobj and the C++ library. Prints the seconds from its creation to main.
#include <cstdio>
#include <cstring>
#include <ctime>
#include <iostream>
#include <libpmemobj.h>
#include <unistd.h>

static double created() {
  char text[1024];
  FILE *file = fopen("/proc/self/stat", "r");
  if (file == nullptr || fgets(text, sizeof text, file) == nullptr) {
    return -1;
  }
  fclose(file);
  // Field 22, in ticks since the machine started; the second one, the name, may hold anything and ends with the last parenthesis.
  unsigned long long ticks = 0;
  const char *rest = strrchr(text, ')');
  if (rest == nullptr ||
      sscanf(rest + 2, "%*c %*d %*d %*d %*d %*d %*u %*u %*u %*u %*u %*u %*u %*d %*d %*d %*d %*d %*d %llu", &ticks) != 1) {
    return -1;
  }
  return static_cast<double>(ticks) / static_cast<double>(sysconf(_SC_CLK_TCK));
}

int main(int count, char **) {
  timespec now;
  clock_gettime(CLOCK_BOOTTIME, &now);
  timespec used;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &used);
  double since = created();
  if (since < 0) {
    return 1;
  }
  printf("wall %.3f cpu %.3f\n", static_cast<double>(now.tv_sec) + static_cast<double>(now.tv_nsec) / 1e9 - since,
         static_cast<double>(used.tv_sec) + static_cast<double>(used.tv_nsec) / 1e9);
  if (count > 100) {
    std::cout << pmemobj_errormsg();
  }
}
