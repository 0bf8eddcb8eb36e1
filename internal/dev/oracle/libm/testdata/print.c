/* Prints the lines of values.c with the headers of the machine that it runs on. */
#include <stdint.h>
#include <stdio.h>

void values(void);

void put(const char *name, uint64_t sum, uint64_t sample)
{
	printf("%s %08lx%08lx %08lx%08lx\n", name, (unsigned long)(sum >> 32), (unsigned long)(sum & 0xffffffff),
	       (unsigned long)(sample >> 32), (unsigned long)(sample & 0xffffffff));
}

int main(void)
{
	values();
	return 0;
}
