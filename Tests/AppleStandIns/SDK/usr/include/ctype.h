// SPDX-License-Identifier: Apache-2.0
int isalpha(int);
int isdigit(int);
int isspace(int);
int tolower(int);
