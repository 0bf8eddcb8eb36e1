#ifndef SIGNAL_H
#define SIGNAL_H
#define SIGABRT 6
#define SIGFPE 8
#define SIGSEGV 11
#define SIG_DFL ((void (*)(int))0)
void (*signal(int, void (*)(int)))(int);
#endif
