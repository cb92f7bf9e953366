// SPDX-License-Identifier: Apache-2.0
double floor(double);
double pow(double, double);
