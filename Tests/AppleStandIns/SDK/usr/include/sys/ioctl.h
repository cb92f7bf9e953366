// SPDX-License-Identifier: Apache-2.0
#ifndef STANDIN_SYS_IOCTL_H
#define STANDIN_SYS_IOCTL_H
struct winsize { unsigned short ws_row, ws_col, ws_xpixel, ws_ypixel; };
#define TIOCGWINSZ 0x40087468UL
#define TIOCSWINSZ 0x80087467UL
#define TIOCSCTTY 0x20007461UL
#define TIOCNOTTY 0x20007471UL
#define FIONREAD 0x4004667fUL
int ioctl(int, unsigned long, ...);
#endif
