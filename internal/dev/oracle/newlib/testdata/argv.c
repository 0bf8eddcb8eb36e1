/* The arguments arrive. */
#include <stdio.h>

int main(int argc, char **argv)
{
    for (int i = 1; i < argc; i++) printf("%d [%s]\n", i, argv[i]);
    printf("end %d\n", argv[argc] == NULL);
    return argc;
}
