// Ends at once: what it costs to start a program with libpmemobj and the C++ library.
#include <iostream>
#include <libpmemobj.h>
int main(int count, char **) {
  if (count > 100) {
    std::cout << pmemobj_errormsg();
  }
}
