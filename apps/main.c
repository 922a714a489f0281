// The `sinew` command. All of it is in command.c and the files of the subcommands.
#include "apps/command.h"

int main(int count, char **arguments)
{
    return command_main(count, arguments);
}
