#include <cstdio>

#include "footfall/base/version.hpp"

int main() { std::printf("footfall %s\n", footfall::version()); }
