// SPDX-License-Identifier: Apache-2.0

// On Apple's systems a product of this name would hide the framework. Depend on it under a platform condition, as for
// `Security`. On those systems the target is empty.
