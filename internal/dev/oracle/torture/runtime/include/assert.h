#ifndef ASSERT_H
#define ASSERT_H
void __assert_fail(const char *, const char *, unsigned) __attribute__((noreturn));
#define assert(e) ((e) ? (void)0 : __assert_fail(#e, __FILE__, __LINE__))
#endif
