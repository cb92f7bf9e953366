// SPDX-License-Identifier: Apache-2.0
#ifndef STANDIN_TERMIOS_H
#define STANDIN_TERMIOS_H
#include <sys/types.h>
typedef unsigned long tcflag_t;
typedef unsigned char cc_t;
typedef unsigned long speed_t;
#define NCCS 20
struct termios { tcflag_t c_iflag, c_oflag, c_cflag, c_lflag; cc_t c_cc[NCCS]; speed_t c_ispeed, c_ospeed; };
#define VEOF 0
#define VEOL 1
#define VERASE 3
#define VWERASE 4
#define VKILL 5
#define VINTR 8
#define VQUIT 9
#define VSUSP 10
#define VDSUSP 11
#define VSTART 12
#define VSTOP 13
#define VLNEXT 14
#define VREPRINT 6
#define VDISCARD 15
#define VSTATUS 18
#define VMIN 16
#define VTIME 17
#define IGNBRK 0x00000001
#define BRKINT 0x00000002
#define PARMRK 0x00000008
#define INPCK 0x00000010
#define ISTRIP 0x00000020
#define INLCR 0x00000040
#define IGNCR 0x00000080
#define ICRNL 0x00000100
#define IXON 0x00000200
#define IXOFF 0x00000400
#define OPOST 0x00000001
#define ONLCR 0x00000002
#define CSIZE 0x00000300
#define CS8 0x00000300
#define PARENB 0x00001000
#define ECHOE 0x00000002
#define ECHOK 0x00000004
#define ECHO 0x00000008
#define ECHONL 0x00000010
#define ISIG 0x00000080
#define ICANON 0x00000100
#define IEXTEN 0x00000400
#define TOSTOP 0x00400000
#define NOFLSH 0x80000000
#define TCSANOW 0
#define TCSADRAIN 1
#define TCSAFLUSH 2
#define TCIFLUSH 1
#define TCOFLUSH 2
#define TCIOFLUSH 3
int tcgetattr(int, struct termios *);
int tcsetattr(int, int, const struct termios *);
int tcflush(int, int);
int tcdrain(int);
pid_t tcgetsid(int);
void cfmakeraw(struct termios *);
#endif
