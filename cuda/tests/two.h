// Two files with device code, and one without.  SPDX-License-Identifier: Apache-2.0
int double_all(int *device, int n);
int add_table(int *device, int n);
