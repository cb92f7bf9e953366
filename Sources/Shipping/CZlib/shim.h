// SPDX-License-Identifier: Apache-2.0
//
// The system's zlib, for the entries of .ipa archives. Only ProvisioningProfiles imports it.

#include <zlib.h>
