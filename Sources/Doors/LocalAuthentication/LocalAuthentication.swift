// SPDX-License-Identifier: Apache-2.0

// On Apple's systems a product of this name would hide the framework: use it under a platform condition, as
// `Security` is used. There the target is empty.
